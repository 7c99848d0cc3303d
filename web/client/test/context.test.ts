// What the host says of itself: it follows changes, and what is taken back is gone.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { applyHostContext, createClient, type HostContext } from "@widgetcast/client";
import { createMockHost, type MockHost, type MockOptions } from "@widgetcast/client/mock";
import { freshWindow } from "./dom";

let host: MockHost;
afterEach(() => host?.close());

async function open(options: MockOptions = {}) {
  const page = freshWindow();
  host = createMockHost(options);
  // A host that will not answer is not waited for long.
  const timeout = options.bridge === false ? 30 : 2000;
  const client = createClient({ autoResize: false, timeout });
  await client.ready;
  const heard: HostContext[] = [];
  client.onHostContextChange((context) => heard.push(context));
  return { client, page, heard };
}

type Page = ReturnType<typeof freshWindow>;
function resize(page: Page, width: number, height: number) {
  page.happyDOM.setViewport({ width, height });
  dispatchEvent(new Event("resize"));
}

test("the viewport follows the window", async () => {
  const { client, page, heard } = await open();
  resize(page, 320, 200);
  assert.deepEqual(client.hostContext.viewport, { width: 320, height: 200 });
  assert.equal(heard.length, 1);
  // Nothing has changed, so no one is told.
  dispatchEvent(new Event("resize"));
  assert.equal(heard.length, 1);
});

test("of the host and the window, the one that spoke last knows the size", async () => {
  const containerDimensions = { width: 400, maxHeight: 800 };
  const { client, page } = await open({ context: { containerDimensions } });
  const { viewport } = client.hostContext;
  assert.deepEqual(viewport, { width: 400, height: 480, maxHeight: 800 });
  resize(page, 320, 200);
  assert.deepEqual(client.hostContext.viewport, { width: 320, height: 200, maxHeight: 800 });
  await host.context({ theme: "dark" });
  assert.equal(client.hostContext.viewport.width, 320);
  await host.context({ containerDimensions: { width: 500 } });
  assert.deepEqual(client.hostContext.viewport, { width: 500, height: 200 });
});

test("window.openai takes values back with null", async () => {
  const { client } = await open({
    bridge: false,
    openai: {
      globals: { maxHeight: 700, view: { mode: "modal" }, locale: "de-DE", theme: "dark" },
    },
  });
  assert.equal(client.hostContext.viewport.maxHeight, 700);
  host.openai?.set({ view: null, maxHeight: null });
  assert.equal(client.hostContext.view, undefined);
  assert.deepEqual(client.hostContext.viewport, { width: 640, height: 480 });
  assert.equal(client.hostContext.locale, "de-DE");
  const none = { locale: undefined, theme: undefined, userAgent: undefined };
  host.openai?.set(none as object);
  const { locale, theme, deviceType, platform } = client.hostContext;
  assert.deepEqual([locale, theme, deviceType, platform], ["en-US", "light", "unknown", "web"]);
});

test("the bridge takes values back with null", async () => {
  const context: MockOptions["context"] = {
    theme: "dark",
    locale: "de-DE",
    platform: "mobile",
    timeZone: "Europe/Berlin",
    containerDimensions: { maxHeight: 300 },
  };
  const { client, heard } = await open({ context });
  await host.context({
    theme: null,
    locale: null,
    platform: null,
    timeZone: null,
    containerDimensions: null,
  });
  const { theme, locale, platform, deviceType, timeZone, viewport } = client.hostContext;
  assert.deepEqual([theme, locale, platform], ["light", "en-US", "web"]);
  assert.deepEqual([deviceType, timeZone, viewport.maxHeight], ["unknown", undefined, undefined]);
  assert.equal(heard.length, 1);
});

test("what window.openai only repeats does not undo what the bridge said later", async () => {
  const { client } = await open({ openai: { globals: { theme: "light" } } });
  await host.context({ theme: "dark", containerDimensions: { maxWidth: 768 } });
  host.openai?.set({ widgetState: { row: 1 }, maxHeight: 500 });
  assert.equal(client.hostContext.theme, "dark");
  const { maxWidth, maxHeight } = client.hostContext.viewport;
  assert.deepEqual([maxWidth, maxHeight], [768, 500]);
});

test("a change of state is no change of the context", async () => {
  const { heard } = await open({ openai: true });
  host.openai?.set({ widgetState: { row: 1 } });
  assert.deepEqual(heard, []);
});

test("device types are ChatGPT's own", async () => {
  const rows = [
    ["desktop", "desktop"],
    ["tablet", "mobile"],
    ["mobile", "mobile"],
    ["unknown", "web"],
  ] as const;
  for (const [type, platform] of rows) {
    const globals = { userAgent: { device: { type } } };
    const { client } = await open({ bridge: false, openai: { globals } });
    assert.deepEqual(
      [client.hostContext.deviceType, client.hostContext.platform],
      [type, platform],
    );
    host.close();
  }
});

test("elsewhere the platform is the device type, as far as it says it", async () => {
  for (const [platform, type] of [
    ["desktop", "desktop"],
    ["mobile", "mobile"],
    ["web", "unknown"],
  ] as const) {
    const { client } = await open({ context: { platform } });
    assert.equal(client.hostContext.deviceType, type);
    host.close();
  }
});

test("a mode that the host sets and only tells in its answer", async () => {
  const { client, heard } = await open({
    context: { availableDisplayModes: ["inline", "fullscreen"] },
  });
  host.answer("ui/request-display-mode", () => ({ mode: "fullscreen" }));
  await client.requestDisplayMode("pip");
  assert.equal(client.hostContext.displayMode, "fullscreen");
  assert.equal(heard.length, 1);
});

test("what the host's sandbox permits", async () => {
  const sandbox = { permissions: { clipboardWrite: {}, camera: {} } };
  const { client } = await open({ capabilities: { sandbox } });
  assert.equal(client.can("clipboardWrite"), true);
  assert.equal(client.can("camera"), true);
  assert.equal(client.can("microphone"), false);
  assert.equal(client.can("geolocation"), false);
  host.close();
  assert.equal((await open({ openai: true })).client.can("camera"), false);
});

test("what the host no longer says is no longer applied", async () => {
  const { client } = await open({
    context: {
      safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
      styles: { variables: { "--a": "1px", "--b": "2px" }, css: { fonts: "@font-face {}" } },
    },
  });
  const { style } = document.documentElement;
  applyHostContext(client.hostContext);
  assert.equal(style.getPropertyValue("--safe-area-left"), "4px");
  await host.context({ safeAreaInsets: null, styles: { variables: { "--b": "3px" } } });
  applyHostContext(client.hostContext);
  const values = ["--a", "--b", "--safe-area-left"].map((name) => style.getPropertyValue(name));
  assert.deepEqual(values, ["", "3px", ""]);
  assert.equal(document.querySelector("style")?.textContent, "");
});
