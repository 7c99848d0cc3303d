// What is published: every component of the view, documented, and a package that holds together.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as ui from "@widgetcast/react/ui";
import { build } from "esbuild";
import { freshWindow } from "../../client/test/dom";
import { TYPES } from "../../view/src/node";

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

test("every component of the view is there for React", () => {
  // A bare root is what every component has of itself.
  const wanted = TYPES.filter((type) => type !== "Basic").map((type) => type.replace(".", ""));
  assert.deepEqual(Object.keys(ui).sort(), [...wanted, "Page"].sort());
});

/** What React draws of an expression with the components, without looks. */
async function draw(expression: string): Promise<string> {
  const web = fileURLToPath(new URL("../..", import.meta.url));
  const folder = mkdtempSync(join(web, "react/.draw-"));
  const outfile = join(folder, "drawn.cjs");
  try {
    await build({
      stdin: {
        contents: `/** @jsxImportSource react */
import { renderToStaticMarkup } from "react-dom/server";
import { Table, TableCell, TableRow } from "../src/ui/index";
export const drawn = renderToStaticMarkup(${expression});`,
        loader: "tsx",
        resolveDir: folder,
      },
      outfile,
      bundle: true,
      platform: "node",
      format: "cjs",
      alias: { "#react": "react", "#jsx": "react" },
      jsx: "automatic",
      tsconfig: join(web, "tsconfig.json"),
      logLevel: "error",
    });
    freshWindow();
    const { drawn } = (await import(pathToFileURL(outfile).href)) as { drawn: string };
    return drawn.replace(/ (?!aria-label)[\w-]+="[^"]*"/g, "").replace(/<\/?(div|span|p)>/g, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("a table has a name, a head, and in its cells what React draws", async () => {
  assert.equal(
    await draw(`<Table label="Pods">
      <TableRow header><TableCell>Name</TableCell><TableCell>{null}</TableCell></TableRow>
      <TableRow>
        <TableCell>{false}</TableCell><TableCell>{true}</TableCell><TableCell>{0}</TableCell>
      </TableRow>
    </Table>`),
    '<table aria-label="Pods"><thead><tr><th>Name</th><th></th></tr></thead>' +
      "<tbody><tr><td></td><td></td><td>0</td></tr></tbody></table>",
  );
  assert.equal(
    await draw(`<Table label="Pods" rows={[{ up: false }]} columns={[
      { key: "up" }, { key: "note" }, { key: "act", render: (row) => row.up && "Stop" },
    ]} />`),
    '<table aria-label="Pods"><thead><tr><th>up</th><th>note</th><th>act</th></tr></thead>' +
      "<tbody><tr><td>false</td><td>–</td><td></td></tr></tbody></table>",
  );
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
    stats: { input: {}; output: { open: number } };
    sales: { input: {}; output: {
      days: { day: string; sold: number; returned: number }[];
      products: { id: string; name: string }[];
    } };
    order: { input: { product: string; count: number }; output: { number: number } };
  }
}
`;

test("the pages in the guide compile, without a cast", () => {
  const blocks = read("../../../docs/pages.md").matchAll(
    /^```tsx\n\/\/ web\/pages\/(\w+\.tsx)\n(.*?)^```/gms,
  );
  const pages = [...blocks];
  assert.deepEqual(
    pages.map(([, name]) => name),
    ["stats.tsx", "sales.tsx"],
  );
  const web = fileURLToPath(new URL("../..", import.meta.url));
  const folder = mkdtempSync(join(web, "react/.guide-"));
  try {
    writeFileSync(join(folder, "tools.ts"), TOOLS);
    for (const [, name = "", page = ""] of pages) writeFileSync(join(folder, name), page);
    const compilerOptions = { jsxImportSource: "react" };
    const config = { extends: "../../tsconfig.json", compilerOptions, include: ["*"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(web, "node_modules/.bin/tsc");
    assert.equal(spawnSync(tsc, ["-p", folder], { encoding: "utf8" }).stdout, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
