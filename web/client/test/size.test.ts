// What a page pays for the client.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const LIMIT = 4 * 1024;

test("the client is at most 4 KB gzipped", async (context) => {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const bytes = outputFiles[0]?.contents ?? new Uint8Array();
  const size = gzipSync(bytes, { level: 9 }).length;
  context.diagnostic(`${bytes.length} bytes, ${size} gzipped`);
  assert.ok(size <= LIMIT, `${size} bytes`);
  const foreign = Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"));
  assert.deepEqual(foreign, []);
});
