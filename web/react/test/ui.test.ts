// What is published: every component of the view, documented, and a package that holds together.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as ui from "@widgetcast/react/ui";
import { TYPES } from "../../view/src/node";

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

test("every component of the view is there for React", () => {
  // A bare root is what every component has of itself.
  const wanted = TYPES.filter((type) => type !== "Basic").map((type) => type.replace(".", ""));
  assert.deepEqual(Object.keys(ui).sort(), [...wanted, "Page"].sort());
});

test("every component is in the guide", () => {
  const guide = read("../../../docs/pages.md");
  for (const name of Object.keys(ui))
    assert.match(guide, new RegExp(`^\\|[^|]*\`${name}\``, "m"), name);
});

test("every component is drawn beside the view's", () => {
  const cases = read("page/cases.tsx");
  for (const name of Object.keys(ui).filter((one) => one !== "Page"))
    assert.match(cases, new RegExp(`<${name}\\b`), name);
});

const TOOLS = `import "@widgetcast/client";
declare module "@widgetcast/client" {
  interface ToolRegistry {
    sales: { input: {}; output: {
      days: { day: string; sold: number; returned: number }[];
      products: { id: string; name: string }[];
    } };
    order: { input: { product: string; count: number }; output: { number: number } };
  }
}
`;

test("the page in the guide compiles, without a cast", () => {
  const [, page = ""] = /^```tsx\n(.*?)^```/ms.exec(read("../../../docs/pages.md")) ?? [];
  const web = fileURLToPath(new URL("../..", import.meta.url));
  const folder = mkdtempSync(join(web, "react/.guide-"));
  try {
    writeFileSync(join(folder, "tools.ts"), TOOLS);
    writeFileSync(join(folder, "sales.tsx"), page);
    const compilerOptions = { jsxImportSource: "react" };
    const config = { extends: "../../tsconfig.json", compilerOptions, include: ["*"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(web, "node_modules/.bin/tsc");
    assert.equal(spawnSync(tsc, ["-p", folder], { encoding: "utf8" }).stdout, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
