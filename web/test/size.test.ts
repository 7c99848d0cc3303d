// The budgets, gzipped: the page as it is embedded, and the client as an application would bundle it.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { pagePath } from "./server";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function weigh(t: TestContext, what: string, bytes: Uint8Array, budget: number): void {
  const { length } = gzipSync(bytes, { level: 9 });
  t.diagnostic(`${what}: ${length} bytes gzipped, ${budget * 1024 - length} left`);
  assert.ok(length <= budget * 1024, `${length} bytes`);
}

test("the client is at most 3 KB", async (t) => {
  const { outputFiles } = await build({
    entryPoints: [here("../client/src/index.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    write: false,
    logLevel: "error",
  });
  weigh(t, "client", outputFiles[0]?.contents ?? new Uint8Array(), 3);
});

test("the view page is at most 35 KB", (t) => {
  assert.ok(existsSync(pagePath), `${pagePath} is absent: run \`npm run build\` first`);
  weigh(t, "view page", readFileSync(pagePath), 35);
});
