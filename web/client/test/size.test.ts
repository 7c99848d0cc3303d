// What a page pays for the client and for the hooks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const KB = 1024;
const WEB = fileURLToPath(new URL("../..", import.meta.url));

/** The size of all that these modules export, as a page would bundle it; React is the page's own. */
async function sizeOf(...modules: string[]) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: modules.map((one) => `export * from "${one}";`).join(""), resolveDir: WEB },
    tsconfig: `${WEB}/tsconfig.json`,
    external: ["react"],
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    metafile: true,
  });
  const foreign = Object.keys(metafile.inputs).filter((path) => path.includes("node_modules"));
  assert.deepEqual(foreign, []);
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}

test("the client is at most 4.25 KB gzipped, and the hooks 3 KB more", async (context) => {
  const client = await sizeOf("@widgetcast/client");
  const calls = await sizeOf("@widgetcast/client", "@widgetcast/client/call");
  const hooks = await sizeOf("@widgetcast/client", "@widgetcast/client/call", "@widgetcast/react");
  context.diagnostic(`client ${client}, with createCall ${calls}, with all hooks ${hooks} bytes`);
  assert.ok(client <= 4.25 * KB, `${client} bytes`);
  assert.ok(hooks - client <= 3 * KB, `${hooks - client} bytes`);
});
