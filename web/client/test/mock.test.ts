// The mock host: what is awaited has arrived, in Node, in the window of a browser, and in a frame.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createClient } from "@widgetcast/client";
import { createMockHost } from "@widgetcast/client/mock";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { freshWindow } from "./dom";

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
  client.onToolResult(({ structuredContent }) => {
    document.title = JSON.stringify(structuredContent);
    client.log("info", structuredContent);
  });
  Object.assign(window, { client });`;
const MOCK = `import { createMockHost } from "@widgetcast/client/mock";
  Object.assign(window, { createMockHost });`;

let browser: Browser;
before(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(() => browser?.close());

test("what is awaited has arrived", async () => {
  freshWindow();
  const host = createMockHost();
  const client = createClient({ autoResize: false, timeout: 2000 });
  // The handshake is waited for, too.
  await host.partial({ to: "V" });
  assert.deepEqual(client.toolInputPartial, { to: "V" });
  await host.input({ to: "Vis" });
  assert.deepEqual(client.toolInput, { to: "Vis" });
  await host.cancel("stopped");
  assert.equal(client.tool().status, "cancelled");
  await host.result({ structuredContent: { a: 1 } });
  assert.deepEqual(client.toolOutput, { a: 1 });
  await host.context({ theme: "dark" });
  assert.equal(client.hostContext.theme, "dark");
  const heard: string[] = [];
  client.onNotification(({ method }) => heard.push(method));
  await host.notify("notifications/tools/list_changed");
  assert.deepEqual(heard, ["notifications/tools/list_changed"]);
  await host.post({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: {} });
  assert.deepEqual(client.toolInput, {});
  host.close();
});

test("the window's parent is restored", () => {
  const page = freshWindow();
  const before = page.parent;
  createMockHost().close();
  assert.equal(page.parent, before);
});

test("in the same window", async () => {
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundle(MOCK) });
  await page.evaluate("window.host = createMockHost({ openai: { without: ['callTool'] } })");
  await page.addScriptTag({ content: await bundle(CLIENT) });
  await page.evaluate("host.result({ structuredContent: { a: 1 } })");
  assert.equal(await page.title(), '{"a":1}');
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
  // What the view says as it hears the result is there when the promise resolves.
  const said = await page.evaluate(
    `host.result({ structuredContent: { a: 1 } }).then(() => host.sent("notifications/message"))`,
  );
  assert.deepEqual(said, [{ level: "info", data: { a: 1 } }]);
  const frame = page.frames()[1];
  assert.ok(frame);
  await frame.waitForFunction(`document.title === '{"a":1}'`);
  const pings = "host.traffic.filter(({ message }) => message.method === 'ping').length";
  assert.equal(await page.evaluate(pings), 0, "how it is known is no traffic of the page");
  const size = (await page.evaluate("host.heard('ui/notifications/size-changed')")) as {
    height: number;
  };
  assert.ok(size.height > 20, `${size.height}`);
  assert.deepEqual(await frame.evaluate("client.request('ping')"), {});
  await page.close();
});
