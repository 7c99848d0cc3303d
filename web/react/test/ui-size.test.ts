// What the components add to a page, and that a page has those alone that it uses.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundleUi } from "../build-ui.mjs";

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "widgetcast-ui-"));
  await bundleUi(folder);
});
after(() => rm(folder, { recursive: true }));

/** The script of a page, with the components as they are published. */
async function bundle(source: string, framework: "preact" | "none"): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, loader: "tsx", resolveDir: local("page") },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    tsconfigRaw: {},
    define: { "process.env.NODE_ENV": '"production"' },
    nodePaths: [local("../../node_modules")],
    alias: {
      "@widgetcast/react/ui": join(folder, "ui.js"),
      "@widgetcast/react/icons": join(folder, "icons.js"),
      "@widgetcast/react": local("../src/index.ts"),
      "@widgetcast/client/call": local("../../client/src/call.ts"),
      "@widgetcast/client": local("../../client/src/index.ts"),
      ...(framework === "preact" && {
        react: "preact/compat",
        "react/jsx-runtime": "preact/jsx-runtime",
        "react-dom/client": "preact/compat/client",
      }),
    },
    external: framework === "none" ? ["react", "react-dom"] : [],
  });
  return outputFiles[0]?.text ?? "";
}

const size = (code: string) => gzipSync(code, { level: 9 }).length;
const HELLO = readFileSync(local("page/hello.tsx"), "utf8");

test("a page with a button and a table has at most 30 KB, with Preact", async (t) => {
  const whole = size(await bundle(HELLO, "preact"));
  const bare = size(await bundle(HELLO, "none"));
  t.diagnostic(`gzipped: ${whole} bytes with preact/compat, ${bare} without a framework`);
  assert.ok(whole <= 30 * 1024, `${whole} bytes`);
});

test("a page has those components and icons alone that it uses", async () => {
  const hello = await bundle(HELLO, "none");
  for (const name of ["wc-face", "wc-table"]) assert.ok(hello.includes(`"${name}"`), name);
  // The curves of a chart, the reader of Markdown.
  assert.doesNotMatch(hello, /monotone|basisClosed/);
  assert.doesNotMatch(hello, /blockquote"/);
  const one = await bundle(
    `import { plus } from "@widgetcast/react/icons"; console.log(plus);`,
    "none",
  );
  assert.ok(one.length < 100, one);
  const all = await bundle(`import * as ui from "@widgetcast/react/ui"; console.log(ui);`, "none");
  assert.match(all, /basisClosed/);
  assert.ok(size(all) > size(hello) * 1.5);
});
