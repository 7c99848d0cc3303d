import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// As a page's own project has it, but with the sources of the packages.
export default defineConfig({
  root: source("."),
  resolve: {
    alias: [
      { find: "@widgetcast/client/mock", replacement: source("../../src/mock.ts") },
      { find: "@widgetcast/client/call", replacement: source("../../src/call.ts") },
      { find: "@widgetcast/client", replacement: source("../../src/index.ts") },
      { find: "@widgetcast/react", replacement: source("../../../react/src/index.ts") },
    ],
  },
  test: {
    projects: ["jsdom", "happy-dom"].map((environment) => ({
      extends: true as const,
      test: { name: environment, environment, include: ["*.spec.ts"] },
    })),
  },
});
