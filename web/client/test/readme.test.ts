// The examples of the two READMEs run as they stand.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createMockHost } from "@widgetcast/client/mock";
import { build } from "esbuild";
import { freshWindow, tick } from "./dom";

const WEB = fileURLToPath(new URL("../..", import.meta.url));
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "widgetcast-readme-"));
});
after(() => rm(folder, { recursive: true }));

async function examples(readme: string): Promise<string[]> {
  const text = await readFile(join(WEB, readme), "utf8");
  return [...text.matchAll(/^```tsx?\n(.*?)^```/gms)].map(([, code]) => code as string);
}

let count = 0;
async function run(code: string): Promise<void> {
  const outfile = join(folder, `${count++}.mjs`);
  await build({
    stdin: { contents: `/** @jsxImportSource react */${code}`, resolveDir: WEB, loader: "tsx" },
    outfile,
    bundle: true,
    format: "esm",
    external: ["node:*"],
    define: { "process.env.NODE_ENV": '"production"' },
    tsconfig: join(WEB, "tsconfig.json"),
    logLevel: "error",
  });
  await import(pathToFileURL(outfile).href);
}

const until = async (isDone: () => unknown) => {
  for (let round = 0; round < 200 && !isDone(); round++) await tick(10);
  assert.ok(isDone());
};

const tools = { book: () => ({ content: [], structuredContent: {} }) };
const said = (text: string) => document.querySelector("button")?.textContent?.includes(text);

test("the client's", async () => {
  const [page, mock, extract, ...more] = await examples("client/README.md");
  assert.ok(page && mock && extract && more.length === 0);

  for (const capabilities of [{ serverTools: {} }, { message: {} }]) {
    freshWindow();
    const host = createMockHost({ tools, capabilities });
    await run(page);
    await host.result({ structuredContent: { to: "Vis" } });
    await until(() => said("To Vis"));
    document.querySelector("button")?.click();
    await host.heard("serverTools" in capabilities ? "tools/call" : "ui/message");
    await tick(20);
    host.close();
  }
  freshWindow();
  await run(mock);
  await run(extract);
});

test("the hooks'", async () => {
  const [page, ...more] = await examples("react/README.md");
  assert.ok(page && more.length === 0);
  freshWindow();
  const host = createMockHost({ tools });
  await run(page);
  await host.result({ structuredContent: { to: "Vis" } });
  await until(() => said("Book the ferry to Vis"));
  document.querySelector("button")?.click();
  await until(() => said("Booked"));
  const { name, arguments: args } = host.sent("tools/call")[0] ?? {};
  assert.deepEqual([name, args], ["book", { to: "Vis" }]);
  host.close();
});
