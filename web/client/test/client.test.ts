// Each method with the bridge, with a whole `window.openai`, with a part of it, and with neither.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  type Ability,
  type AppsClient,
  applyHostContext,
  createClient,
  type HostCapabilities,
  NotSupportedError,
  ToolCallError,
} from "@widgetcast/client";
import { createMockHost, LACKS, type MockHost, type MockOptions } from "@widgetcast/client/mock";
import { freshWindow, tick } from "./dom";

let host: MockHost;
afterEach(() => host?.close());

/** A page in a host; `ready` is waited for. */
async function open(options: MockOptions = {}) {
  const page = freshWindow();
  host = createMockHost(options);
  // A host that will not answer is not waited for long.
  const timeout = options.bridge === false ? 30 : 5000;
  const client = createClient({ autoResize: false, timeout });
  await client.ready;
  return { client, page };
}

const text = (value: string) => ({ type: "text" as const, text: value });
const DOWNLOAD = {
  type: "resource" as const,
  resource: { uri: "file:///a.csv", mimeType: "text/csv", text: "a" },
};

interface Row {
  ability: Ability;
  run(client: AppsClient): unknown;
  /** The message of the bridge and its parameters, and the capability it needs. */
  bridge?: [method: string, params: object, need?: keyof HostCapabilities];
  /** The method of `window.openai` and its arguments. */
  own?: [method: string, ...args: unknown[]];
}

const FILE = { name: "a.txt" } as File;
const ROWS: Row[] = [
  {
    ability: "callTool",
    run: (client) => client.callTool("ferry", { to: "Vis" }),
    bridge: ["tools/call", { name: "ferry", arguments: { to: "Vis" } }, "serverTools"],
    own: ["callTool", "ferry", { to: "Vis" }],
  },
  {
    ability: "sendMessage",
    run: (client) => client.sendMessage(text("Hi")),
    bridge: ["ui/message", { role: "user", content: [text("Hi")] }, "message"],
    own: ["sendFollowUpMessage", { prompt: "Hi" }],
  },
  {
    ability: "sendMessage",
    run: (client) => client.sendFollowUpMessage("Go on"),
    bridge: ["ui/message", { role: "user", content: [text("Go on")] }, "message"],
    own: ["sendFollowUpMessage", { prompt: "Go on" }],
  },
  {
    ability: "sendMessage",
    run: (client) => client.sendFollowUpMessage("Go on", { scrollToBottom: false }),
    bridge: ["ui/message", { role: "user", content: [text("Go on")] }, "message"],
    own: ["sendFollowUpMessage", { prompt: "Go on", scrollToBottom: false }],
  },
  {
    ability: "openLink",
    run: (client) => client.openLink("https://a.example/"),
    bridge: ["ui/open-link", { url: "https://a.example/" }, "openLinks"],
    own: ["openExternal", { href: "https://a.example/" }],
  },
  {
    ability: "openLink",
    run: (client) => client.openLink("https://a.example/", { redirectUrl: false }),
    bridge: ["ui/open-link", { url: "https://a.example/" }, "openLinks"],
    own: ["openExternal", { href: "https://a.example/", redirectUrl: false }],
  },
  {
    ability: "requestDisplayMode",
    run: (client) => client.requestDisplayMode("fullscreen"),
    bridge: ["ui/request-display-mode", { mode: "fullscreen" }],
    own: ["requestDisplayMode", { mode: "fullscreen" }],
  },
  {
    ability: "requestClose",
    run: (client) => client.requestClose(),
    bridge: ["ui/notifications/request-teardown", {}],
    own: ["requestClose"],
  },
  {
    ability: "reportSize",
    run: (client) => client.reportSize({ width: 300, height: 120 }),
    bridge: ["ui/notifications/size-changed", { width: 300, height: 120 }],
    own: ["notifyIntrinsicHeight", 120],
  },
  {
    ability: "uploadFile",
    run: (client) => client.uploadFile(FILE),
    own: ["uploadFile", FILE],
  },
  {
    ability: "uploadFile",
    run: (client) => client.uploadFile(FILE, { library: true }),
    own: ["uploadFile", FILE, { library: true }],
  },
  {
    ability: "selectFiles",
    run: (client) => client.selectFiles(),
    own: ["selectFiles"],
  },
  {
    ability: "requestModal",
    run: (client) => client.requestModal({ params: { row: 1 }, template: "ui://edit.html" }),
    own: ["requestModal", { params: { row: 1 }, template: "ui://edit.html" }],
  },
  {
    ability: "setOpenInAppUrl",
    run: (client) => client.setOpenInAppUrl("https://a.example/app"),
    own: ["setOpenInAppUrl", { href: "https://a.example/app" }],
  },
  {
    ability: "getFileDownloadUrl",
    run: (client) => client.getFileDownloadUrl("file-1"),
    own: ["getFileDownloadUrl", { fileId: "file-1" }],
  },
  {
    ability: "readResource",
    run: (client) => client.readResource("data://a"),
    bridge: ["resources/read", { uri: "data://a" }, "serverResources"],
  },
  {
    ability: "updateModelContext",
    run: (client) => client.updateModelContext({ structuredContent: { row: 3 } }),
    bridge: ["ui/update-model-context", { structuredContent: { row: 3 } }, "updateModelContext"],
  },
  {
    ability: "downloadFile",
    run: (client) => client.downloadFile([DOWNLOAD]),
    bridge: ["ui/download-file", { contents: [DOWNLOAD] }, "downloadFile"],
  },
];

const SERVER: MockOptions = {
  context: { availableDisplayModes: ["inline", "fullscreen"] },
  tools: { ferry: ({ to }) => ({ content: [], structuredContent: { to } }) },
  resources: { "data://a": { uri: "data://a", text: "a" } },
};

const isNotSupported = (method: string) => (error: unknown) =>
  error instanceof NotSupportedError &&
  error.name === "NotSupportedError" &&
  error.method === method &&
  error.message.includes(method);

for (const { ability, run, bridge, own } of ROWS) {
  const name = own ? `${ability} (${own[0]})` : ability;

  test(`${name} with the bridge`, async () => {
    const { client } = await open(SERVER);
    assert.equal(client.can(ability), bridge !== undefined);
    if (!bridge) return assert.rejects(async () => run(client), isNotSupported(ability));
    await run(client);
    await host.heard(bridge[0]);
    assert.deepEqual(host.sent(bridge[0]), [bridge[1]]);
  });

  const need = bridge?.[2];
  if (need)
    test(`${name} with the capability ${need} alone`, async () => {
      const { client } = await open({ ...SERVER, capabilities: { [need]: {} } });
      assert.equal(client.can(ability), true);
      assert.equal(client.can("log"), false);
      const others = ROWS.filter((row) => row.bridge?.[2] && row.bridge[2] !== need);
      for (const row of others) assert.equal(client.can(row.ability), false, row.ability);
    });

  test(`${name} with a whole window.openai and no bridge`, async () => {
    const { client } = await open({ ...SERVER, bridge: false, openai: true });
    assert.equal(client.can(ability), own !== undefined);
    if (!own) return assert.rejects(async () => run(client), isNotSupported(ability));
    await run(client);
    const [method, ...args] = own;
    assert.deepEqual(host.openai?.calls, [{ method, args }]);
  });

  test(`${name} with both`, async () => {
    const { client } = await open({ ...SERVER, openai: true });
    await run(client);
    await tick();
    const calls = host.openai?.calls.map(({ method }) => method);
    // The bridge where a capability vouches for it, else what the page finds.
    if (bridge && (bridge[2] || !own)) {
      assert.deepEqual(host.sent(bridge[0]), [bridge[1]]);
      assert.deepEqual(calls, []);
    } else assert.deepEqual(calls, [own?.[0]]);
  });

  test(`${name} with a bridge that lacks it and a whole window.openai`, async () => {
    const { client } = await open({ ...SERVER, capabilities: {}, openai: true });
    assert.equal(client.can(ability), own !== undefined);
    if (!own) return assert.rejects(async () => run(client), isNotSupported(ability));
    await run(client);
    assert.deepEqual(
      host.openai?.calls.map(({ method }) => method),
      [own[0]],
    );
  });

  for (const [like, without] of Object.entries(LACKS))
    test(`${name} with a window.openai as ${like} has it`, async () => {
      const { client } = await open({ ...SERVER, openai: { without } });
      const isThere = own && !(without as string[]).includes(own[0]);
      assert.equal(client.can(ability), !!(bridge || isThere));
      if (!bridge && !isThere)
        return assert.rejects(async () => run(client), isNotSupported(ability));
      await run(client);
      await tick();
      const sent = bridge ? host.sent(bridge[0]).length : 0;
      assert.equal(sent + (host.openai?.calls.length ?? 0), 1);
    });

  test(`${name} with neither`, async () => {
    const { client } = await open({ bridge: false });
    assert.equal(client.can(ability), false);
    await assert.rejects(async () => run(client), isNotSupported(ability));
  });

  if (bridge && need)
    test(`${name} without ${need}`, async () => {
      const { client } = await open({ ...SERVER, capabilities: { sandbox: {} } });
      assert.equal(client.can(ability), false);
      await assert.rejects(async () => run(client), isNotSupported(ability));
      assert.deepEqual(host.sent(bridge[0]), []);
    });
}

test("a host that declares what it does not have", async () => {
  const { client } = await open(SERVER);
  host.refuse("ui/open-link");
  await assert.rejects(client.openLink("https://a.example/"), isNotSupported("ui/open-link"));
  host.refuse("ui/open-link", -32000, "the user said no");
  await assert.rejects(client.openLink("https://a.example/"), { message: /said no/, code: -32000 });
  host.answer("ui/open-link", () => ({ isError: true }));
  await assert.rejects(client.openLink("https://a.example/"), /refused openLink/);
});

test("display modes that the host does not list are not asked for", async () => {
  const { client } = await open({ context: { availableDisplayModes: ["inline"] } });
  assert.equal(client.can("requestDisplayMode"), false);
  await assert.rejects(
    client.requestDisplayMode("fullscreen"),
    isNotSupported("requestDisplayMode"),
  );
});

test("the display mode that is set comes back", async () => {
  const { client } = await open(SERVER);
  assert.deepEqual(await client.requestDisplayMode("fullscreen"), { mode: "fullscreen" });
  assert.equal(client.hostContext.displayMode, "fullscreen");
  assert.deepEqual(await client.requestDisplayMode("pip"), { mode: "fullscreen" });
});

test("a host that lists another mode than the current one can be asked for it", async () => {
  const { client } = await open({ context: { availableDisplayModes: ["fullscreen"] } });
  assert.equal(client.can("requestDisplayMode"), true);
  assert.deepEqual(await client.requestDisplayMode("fullscreen"), { mode: "fullscreen" });
  assert.equal(client.can("requestDisplayMode"), false);
});

test("a host that answers nothing has refused no display mode", async () => {
  const requestDisplayMode = async () => undefined as never;
  const { client } = await open({ openai: { globals: { requestDisplayMode } } });
  assert.deepEqual(await client.requestDisplayMode("pip"), { mode: "pip" });
  assert.equal(client.hostContext.displayMode, "inline", "until the host says so");
});

test("window.openai takes no message without text", async () => {
  const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
  const { client } = await open({ bridge: false, openai: true });
  await assert.rejects(client.sendMessage([image, image]), NotSupportedError);
  await client.sendMessage([image, text("Look")]);
  assert.equal(host.openai?.calls.length, 1);
  host.close();
  const bridged = await open({ openai: true });
  await bridged.client.sendMessage(image);
  assert.deepEqual(host.sent("ui/message"), [{ role: "user", content: [image] }]);
});

test("a tool's output, its errors and its whole result", async () => {
  const failed = { content: [text("no such port")], isError: true };
  const { client } = await open({ tools: { ...SERVER.tools, broken: () => failed } });
  assert.deepEqual(await client.callTool("ferry", { to: "Vis" }), { to: "Vis" });
  await assert.rejects(
    client.callTool("broken", {}),
    (error) =>
      error instanceof ToolCallError &&
      error.message === "no such port" &&
      error.result.isError === true,
  );
  assert.deepEqual(await client.callToolResult("broken"), failed);
  await assert.rejects(client.callToolResult("none"), { code: -32602 });
});

test("results of older window.openai.callTool are texts", async () => {
  const { client } = await open({
    bridge: false,
    openai: { callTool: () => ({ result: "two ferries" }) },
  });
  assert.deepEqual(await client.callToolResult("ferry"), { content: [text("two ferries")] });
});

test("the log goes to the host, or to the console", async () => {
  const { client } = await open();
  client.log("warning", { a: 1 });
  assert.deepEqual(await host.heard("notifications/message"), { level: "warning", data: { a: 1 } });
  host.close();

  const lines: unknown[] = [];
  const { log } = console;
  console.log = (...args) => lines.push(args);
  try {
    const { client } = await open({ capabilities: {} });
    assert.equal(client.can("log"), false);
    client.log("error", "b");
    await tick();
  } finally {
    console.log = log;
  }
  assert.deepEqual(lines, [["error", "b"]]);
});

test("the handshake", async () => {
  freshWindow();
  host = createMockHost({ context: { theme: "dark" } });
  const client = createClient({
    name: "ferries",
    version: "2.0.0",
    autoResize: false,
    timeout: 2000,
  });
  assert.equal(client.hostContext.theme, "light");
  assert.equal(client.can("callTool"), false);
  await client.ready;
  assert.deepEqual(host.sent("ui/initialize"), [
    {
      appInfo: { name: "ferries", version: "2.0.0" },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen", "pip"] },
      protocolVersion: "2026-01-26",
    },
  ]);
  await host.initialized;
  assert.deepEqual(client.hostInfo, { name: "mock", version: "1.0.0" });
  assert.equal(client.hostContext.theme, "dark");
});

test("a page says which modes it is made for", async () => {
  freshWindow();
  host = createMockHost();
  const client = createClient({
    displayModes: ["inline", "pip"],
    autoResize: false,
    timeout: 2000,
  });
  await client.ready;
  const [said] = host.sent("ui/initialize") as { appCapabilities: object }[];
  assert.deepEqual(said?.appCapabilities, { availableDisplayModes: ["inline", "pip"] });
});

test("hosts of older versions take messages without saying so", async () => {
  const { client } = await open({ protocolVersion: "2025-11-21", capabilities: { openLinks: {} } });
  assert.equal(client.can("sendMessage"), true);
  assert.equal(client.can("callTool"), false);
  assert.equal(client.can("openLink"), true);
});

test("a host that says nothing about itself", async () => {
  freshWindow();
  host = createMockHost();
  host.answer("ui/initialize", () => ({}));
  const client = createClient({ autoResize: false, timeout: 2000 });
  await client.ready;
  assert.deepEqual(client.hostContext, {
    theme: "light",
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    locale: "en-US",
    platform: "web",
    deviceType: "unknown",
    viewport: { width: 640, height: 480 },
  });
  assert.deepEqual(client.hostCapabilities, {});
});

test("a host that refuses the handshake", async () => {
  freshWindow();
  host = createMockHost();
  host.refuse("ui/initialize", -32000, "not now");
  const client = createClient({ autoResize: false, timeout: 2000 });
  await client.ready;
  assert.equal(client.can("callTool"), false);
});

test("a page without a host is ready at once", async () => {
  const page = freshWindow();
  Object.defineProperty(page, "parent", { value: page });
  const client = createClient({ autoResize: false, timeout: 2000 });
  await client.ready;
  await assert.rejects(client.request("ping"), isNotSupported("ping"));
});

test("what the host says", async () => {
  const { client } = await open();
  const heard: unknown[] = [];
  client.onToolInputPartial((value) => heard.push(["partial", value]));
  client.onToolInput((value) => heard.push(["input", value]));
  const off = client.onToolResult((value) => heard.push(["result", value]));
  client.onToolCancelled((value) => heard.push(["cancelled", value]));
  client.onHostContextChange(({ theme, viewport }) => heard.push(["context", theme, viewport]));
  client.onNotification(({ method }) => heard.push(["notification", method]));

  const result = { content: [text("a")], structuredContent: { a: 1 }, _meta: { b: 2 } };
  await host.partial({ to: "V" });
  await host.input({ to: "Vis" });
  await host.result(result);
  await host.cancel("the user stopped it");
  await host.context({ theme: "dark", containerDimensions: { width: 300, maxHeight: 500 } });
  await host.notify("notifications/tools/list_changed");
  await tick(20);
  assert.deepEqual(heard, [
    ["partial", { to: "V" }],
    ["input", { to: "Vis" }],
    ["result", result],
    ["cancelled", "the user stopped it"],
    ["context", "dark", { width: 300, height: 480, maxHeight: 500 }],
    ["notification", "notifications/tools/list_changed"],
  ]);
  assert.deepEqual(client.toolInputPartial, { to: "V" });
  assert.deepEqual(client.toolInput, { to: "Vis" });
  assert.deepEqual(client.toolResult, result);
  assert.deepEqual(client.toolOutput, { a: 1 });
  assert.deepEqual(client.toolMeta, { b: 2 });

  client.onToolResult(() => (heard as unknown[]).push("another handler"));
  off();
  await host.result({});
  await tick();
  assert.deepEqual((heard as unknown[]).slice(6), ["another handler"]);
  assert.deepEqual(client.toolResult, { content: [] });
});

test("the tool is named by the context", async () => {
  const tool = { name: "ferry", annotations: { readOnlyHint: true } };
  const { client } = await open({ context: { toolInfo: { id: 1, tool } } });
  assert.equal(client.toolName, "ferry");
  assert.deepEqual(client.toolInfo, { id: 1, tool });
});

test("requests of the host", async () => {
  const { client } = await open();
  assert.deepEqual(await host.request("ping"), {});
  for (const method of ["tools/list", "tools/call", "ui/unheard-of"])
    await assert.rejects(host.request(method), { code: -32601 });

  let isSaved = false;
  client.onTeardown(async () => {
    await tick(20);
    isSaved = true;
  });
  client.onTeardown(async () => {
    throw Error("a fault in a page must not keep its frame");
  });
  process.once("unhandledRejection", () => {});
  assert.deepEqual(await host.teardown(), {});
  assert.equal(isSaved, true);
});

test("any other message of the protocol", async () => {
  const { client } = await open();
  assert.deepEqual(await client.request("ping"), {});
  host.answer("resources/list", () => ({ resources: [] }));
  assert.deepEqual(await client.request("resources/list", { cursor: "a" }), { resources: [] });
  assert.deepEqual(host.sent("resources/list"), [{ cursor: "a" }]);
  await assert.rejects(client.request("prompts/list"), isNotSupported("prompts/list"));
  // What a method is called does not make it a notification.
  host.answer("x/notifications/list", () => ({ notifications: [] }));
  assert.deepEqual(await client.request("x/notifications/list"), { notifications: [] });
});

test("a request that was answered leaves nothing behind", async (context) => {
  const { client } = await open();
  const set = context.mock.method(Map.prototype, "set");
  const start = context.mock.method(globalThis, "setTimeout");
  const stop = context.mock.method(globalThis, "clearTimeout");
  await client.request("ping");
  const kept = set.mock.calls.filter(({ arguments: [, value] }) => typeof value === "function");
  assert.equal(kept.length, 1);
  for (const { this: map, arguments: args } of kept)
    assert.equal((map as Map<unknown, unknown>).has(args[0]), false);
  const timers = start.mock.calls.filter(({ arguments: [, delay] }) => delay === 5000);
  const stopped = stop.mock.calls.map(({ arguments: [timer] }) => timer);
  assert.equal(timers.length, 1);
  for (const { result } of timers) assert.ok(stopped.includes(result));
});

test("whether a message is answered, its id tells, and not its name", async () => {
  const { client } = await open();
  const answered = () =>
    host.traffic
      .filter(({ from, message }) => from === "view" && !message.method)
      .map(({ message }) => message.id);
  await host.post({ jsonrpc: "2.0", method: "ping" });
  await host.post({ jsonrpc: "2.0", id: 0, method: "ui/notifications/tool-input", params: {} });
  await host.post({ jsonrpc: "2.0", id: "a", method: "notifications/unheard-of" });
  assert.deepEqual(await host.request("ping"), {});
  assert.deepEqual(answered(), [0, "a", "host-1"]);
  assert.deepEqual(client.toolInput, {});
});

test("a second answer changes nothing", async () => {
  const { client } = await open();
  const { message } = host.traffic.find(({ message }) => message.method === "ui/initialize") ?? {};
  const before = client.hostInfo;
  host.post({ jsonrpc: "2.0", id: message?.id, result: { hostInfo: { name: "other" } } });
  await tick();
  assert.equal(client.hostInfo, before);
});

test("only the parent frame is heard", async () => {
  const { client } = await open();
  const data = { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [] } };
  const { port1 } = new MessageChannel();
  for (const source of [null, window, port1])
    dispatchEvent(new MessageEvent("message", { data, source } as MessageEventInit));
  await tick();
  assert.equal(client.toolResult, undefined);
  // Noise of the parent itself is passed over.
  for (const noise of [null, "text", 1, [], { jsonrpc: "1.0", method: "ping", id: 1 }, {}])
    host.post(noise);
  host.post({ jsonrpc: "2.0", id: 99, result: {} });
  await tick(20);
  assert.equal(host.traffic.filter(({ from }) => from === "view").length, 2);
  port1.close();
});

test("a request that is not answered fails in time", async () => {
  freshWindow();
  host = createMockHost();
  host.answer("tools/call", () => new Promise(() => {}));
  const client = createClient({ autoResize: false, timeout: 500 });
  await assert.rejects(client.callTool("ferry", {}), /tools\/call: no answer/);
});

test("applyHostContext", async () => {
  const { client } = await open({
    context: {
      theme: "dark",
      locale: "de-DE",
      safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
      styles: {
        variables: { "--color-text-primary": "rgb(1, 2, 3)", "--font-sans": undefined },
        css: { fonts: "@font-face { font-family: Host; src: local(Arial) }" },
      },
    },
  });
  applyHostContext(client.hostContext);
  applyHostContext(client.hostContext);
  const root = document.documentElement;
  assert.equal(root.dataset.theme, "dark");
  assert.equal(root.lang, "de-DE");
  assert.equal(root.style.colorScheme, "dark");
  assert.equal(root.style.getPropertyValue("--color-text-primary"), "rgb(1, 2, 3)");
  assert.equal(root.style.getPropertyValue("--font-sans"), "");
  assert.equal(root.style.getPropertyValue("--safe-area-left"), "4px");
  assert.equal(document.querySelectorAll("style").length, 1);
  assert.match(document.querySelector("style")?.textContent ?? "", /font-family: Host/);
});
