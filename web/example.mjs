// Pages outside of this workspace, built by the plugin as their authors would: that of
// examples/helpdesk, and the starter's. The packages are those of the workspace, from their sources.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { createBuilder } from "vite";
import { bundleUi } from "./react/build-ui.mjs";

const here = dirname(fileURLToPath(import.meta.url));
/** Where examples/helpdesk has its page. */
export const HELPDESK = join(here, "../examples/helpdesk/web");

/** Finds packages for files outside of this folder, too. */
function workspace(ui) {
  const sources = {
    "@widgetcast/client": join(here, "client/src/index.ts"),
    "@widgetcast/client/call": join(here, "client/src/call.ts"),
    "@widgetcast/react": join(here, "react/src/index.ts"),
    "@widgetcast/react/icons": join(ui, "icons.js"),
    "@widgetcast/react/ui": join(ui, "ui.js"),
  };
  return {
    name: "workspace",
    enforce: "pre",
    resolveId(id) {
      if (sources[id]) return sources[id];
      return /^react(-dom)?(\/|$)/.test(id)
        ? this.resolve(id, join(here, "package.json"), { skipSelf: true })
        : undefined;
    },
  };
}

/** The text of the page `stats` below a folder. `widgetcast` is the plugin. */
export async function buildStats(widgetcast, root) {
  const folder = mkdtempSync(join(tmpdir(), "widgetcast-example-"));
  try {
    await bundleUi(join(folder, "ui"));
    const builder = await createBuilder({
      root,
      configFile: false,
      logLevel: "warn",
      build: { outDir: join(folder, "dist") },
      plugins: [workspace(join(folder, "ui")), react(), widgetcast({ types: false })],
    });
    await builder.buildApp();
    return readFileSync(join(folder, "dist/stats.html"), "utf8");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
