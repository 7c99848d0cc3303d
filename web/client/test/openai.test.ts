// What `window.openai` says, alone and next to the bridge.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { createClient } from "@widgetcast/client";
import { createMockHost, type MockHost, type OpenAiOptions } from "@widgetcast/client/mock";
import { freshWindow, tick } from "./dom";

let host: MockHost;
afterEach(() => host?.close());

function open(openai: OpenAiOptions, bridge = false) {
  freshWindow();
  host = createMockHost({ bridge, openai });
  return createClient({ autoResize: false, timeout: 2000 });
}

const RESULT = {
  content: [{ type: "text", text: "a" }],
  structuredContent: { a: 1 },
  _meta: { b: 2 },
};

test("all is there at once, and ready resolves though no bridge answers", async () => {
  const client = open({
    globals: {
      toolInput: { to: "Vis" },
      toolOutput: { a: 1 },
      toolResponseMetadata: { b: 2 },
      widgetState: { row: 3 },
    },
  });
  assert.deepEqual(client.toolInput, { to: "Vis" });
  assert.deepEqual(client.toolOutput, { a: 1 });
  assert.deepEqual(client.toolMeta, { b: 2 });
  assert.deepEqual(client.getState(), { row: 3 });
  await client.ready;
  assert.deepEqual(await client.callTool("ferry", {}).catch(() => "called"), "called");
});

test("the envelope around the result", () => {
  const status = "completed";
  const envelopes = [
    { status, call_tool_result: null, mcp_tool_result: RESULT },
    { status, call_tool_result: RESULT, mcp_tool_result: null },
  ];
  for (const toolResponseMetadata of envelopes) {
    const client = open({ globals: { toolOutput: { a: 1 }, toolResponseMetadata } });
    assert.deepEqual(client.toolResult, RESULT);
    assert.deepEqual(client.toolMeta, { b: 2 });
    host.close();
  }
  const empty = { status: "in_progress", call_tool_result: null, mcp_tool_result: null };
  assert.equal(open({ globals: { toolResponseMetadata: empty } }).toolResult, undefined);
});

test("input may be null until the call is approved", async () => {
  const client = open({ globals: { toolInput: null } });
  assert.equal(client.toolInput, undefined);
  const heard: unknown[] = [];
  client.onToolInput((input) => heard.push(input));
  client.onToolResult((result) => heard.push(result));
  host.openai?.set({ toolInput: { to: "Vis" } });
  host.openai?.set({ theme: "dark" });
  host.openai?.set({ toolOutput: { a: 1 } });
  host.openai?.toolResponse({ toolOutput: { a: 2 } });
  assert.deepEqual(heard, [
    { to: "Vis" },
    { content: [], structuredContent: { a: 1 } },
    { content: [], structuredContent: { a: 2 } },
  ]);
});

test("the context", () => {
  const insets = { top: 1, right: 2, bottom: 3, left: 4 };
  const client = open({
    globals: {
      theme: "dark",
      displayMode: "fullscreen",
      maxHeight: 700,
      safeArea: { insets },
      view: { mode: "modal", params: { row: 1 } },
      userAgent: { device: { type: "tablet" }, capabilities: { hover: false, touch: true } },
      locale: "ar-EG",
    },
  });
  assert.deepEqual(client.hostContext, {
    theme: "dark",
    displayMode: "fullscreen",
    availableDisplayModes: ["inline", "fullscreen", "pip"],
    locale: "ar-EG",
    platform: "mobile",
    deviceType: "tablet",
    view: { mode: "modal", params: { row: 1 } },
    safeAreaInsets: insets,
    deviceCapabilities: { hover: false, touch: true },
    viewport: { width: 640, height: 480, maxHeight: 700 },
  });
  const themes: string[] = [];
  client.onHostContextChange(({ theme }) => themes.push(theme));
  host.openai?.set({ theme: "light" });
  assert.deepEqual(themes, ["light"]);
});

test("a window.openai that has next to nothing", async () => {
  freshWindow();
  host = createMockHost({ bridge: false });
  (window as { openai?: object }).openai = { theme: "dark" };
  const client = createClient({ autoResize: false, timeout: 30 });
  assert.equal(client.hostContext.theme, "dark");
  assert.equal(client.hostContext.displayMode, "inline");
  assert.deepEqual(client.hostContext.availableDisplayModes, ["inline"]);
  client.setState({ a: 1 });
  assert.deepEqual(client.getState(), { a: 1 });
});

test("state is the host's, and its echo is no change", async () => {
  const client = open({});
  const heard: unknown[] = [];
  client.onStateChange((state) => heard.push(state));
  assert.equal(client.getState(), null);
  assert.equal(client.can("setState"), true);
  client.setState({ row: 1 });
  assert.deepEqual(client.getState(), { row: 1 });
  assert.deepEqual(host.openai?.globals.widgetState, { row: 1 });
  assert.deepEqual(heard, [{ row: 1 }]);
  host.openai?.set({ widgetState: { row: 2 } });
  assert.deepEqual(client.getState(), { row: 2 });
  assert.deepEqual(heard, [{ row: 1 }, { row: 2 }]);
});

test("with a bridge its result is the whole one", async () => {
  const client = open({ globals: { toolOutput: { a: 1 } } }, true);
  assert.deepEqual(client.toolResult, { content: [], structuredContent: { a: 1 } });
  const heard: unknown[] = [];
  client.onToolResult((result) => heard.push(result));
  await host.result(RESULT as never);
  await tick(20);
  host.openai?.set({ toolOutput: { a: 1 } });
  assert.deepEqual(client.toolResult, RESULT);
  assert.equal(heard.length, 1);
  assert.deepEqual(host.sent("tools/call"), []);
});

test("a result that comes by globals after the handshake is taken", async () => {
  const client = open({}, true);
  await client.ready;
  host.openai?.set({ toolOutput: { a: 1 } });
  assert.deepEqual(client.toolOutput, { a: 1 });
});
