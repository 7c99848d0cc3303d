// The mock host in a real browser: in the client's own window, and around a frame.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";

const local = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const bundle = async (contents: string) => {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: local("."), loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    tsconfig: local("../../tsconfig.json"),
    logLevel: "error",
  });
  return outputFiles[0]?.text ?? "";
};

const CLIENT = `import { createClient } from "@widgetcast/client";
  const client = createClient();
  client.onToolResult((result) => { document.title = JSON.stringify(result.structuredContent); });
  Object.assign(window, { client });`;
const MOCK = `import { createMockHost } from "@widgetcast/client/mock";
  Object.assign(window, { createMockHost });`;

let browser: Browser;
before(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(() => browser?.close());

test("in the same window", async () => {
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundle(MOCK) });
  await page.evaluate("window.host = createMockHost({ openai: { without: ['callTool'] } })");
  await page.addScriptTag({ content: await bundle(CLIENT) });
  await page.evaluate("host.result({ structuredContent: { a: 1 } })");
  await page.waitForFunction(`document.title === '{"a":1}'`);
  assert.equal(await page.evaluate("client.can('uploadFile')"), true);
  assert.deepEqual(await page.evaluate("host.request('ping')"), {});
  await page.evaluate("client.setState({ b: 2 })");
  assert.deepEqual(await page.evaluate("host.openai.globals.widgetState"), { b: 2 });
  // Afterwards the window is its own parent again.
  assert.equal(await page.evaluate("host.close(), window.parent === window"), true);
  await page.close();
});

test("around a sandboxed frame", async () => {
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundle(MOCK) });
  const html = `<body><p>Hi</p><script>${await bundle(CLIENT)}</script></body>`;
  await page.evaluate((srcdoc) => {
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts");
    document.body.append(frame);
    const { createMockHost } = window as unknown as { createMockHost(options: object): unknown };
    Object.assign(window, { host: createMockHost({ frame }) });
    frame.srcdoc = srcdoc;
  }, html);
  await page.evaluate("host.result({ structuredContent: { a: 1 } })");
  const frame = page.frames()[1];
  assert.ok(frame);
  await frame.waitForFunction(`document.title === '{"a":1}'`);
  const size = (await page.evaluate("host.heard('ui/notifications/size-changed')")) as {
    height: number;
  };
  assert.ok(size.height > 20, `${size.height}`);
  assert.deepEqual(await frame.evaluate("client.request('ping')"), {});
  await page.close();
});
