// The starter's page without a framework: what was chosen on it is there when it is opened again.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createMockHost, type MockHost, type MockOptions } from "@widgetcast/client/mock";
import { build } from "esbuild";
import { freshWindow, tick } from "./dom";

const web = fileURLToPath(new URL("../..", import.meta.url));
// Without its style, which is nothing to Node.
const file = join(web, "../crates/cli/starters/app/plain/stats.ts");
const page = readFileSync(file, "utf8").replace(/^import "\.\/stats\.css";$/m, "");
const folder = mkdtempSync(join(tmpdir(), "widgetcast-starter-"));
const KEY = "4f1d0c2ab7e35a90c1d2e3f4";
const outfile = join(folder, "page.mjs");

before(() =>
  build({
    stdin: { contents: page, resolveDir: web, loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    tsconfig: join(web, "tsconfig.json"),
    logLevel: "error",
  }),
);
after(() => rmSync(folder, { recursive: true }));

let opened = 0;

/** Opens the page, with what the host or the server has kept. */
async function open(options: MockOptions, kept?: unknown): Promise<MockHost> {
  freshWindow();
  const host = createMockHost(options);
  if (kept) host.states.set(KEY, kept);
  opened += 1;
  await import(`${pathToFileURL(outfile).href}?${opened}`);
  const days = [{ ago: 0, opened: 5, closed: 3 }];
  await host.result({
    structuredContent: { days },
    _meta: { "widgetcast/view": { state: KEY } },
  });
  return host;
}

const box = () => document.querySelector<HTMLInputElement>("input[type=checkbox]");

async function until(isSo: () => unknown): Promise<void> {
  for (let round = 0; round < 200 && !isSo(); round += 1) await tick(10);
  assert.ok(isSo(), document.body.innerHTML);
}

test("the server keeps it over a reload", async () => {
  const host = await open({ store: true });
  await until(() => box()?.checked === true);
  box()?.click();
  await until(() => host.states.get(KEY));
  const kept = host.states.get(KEY);
  assert.deepEqual(kept, { closed: false });
  host.close();

  const again = await open({ store: true }, kept);
  await until(() => box()?.checked === false);
  assert.doesNotMatch(document.body.textContent ?? "", /3 closed/);
  again.close();
});
