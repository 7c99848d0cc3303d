// The call that the page was opened for, and the calls that it makes.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import {
  type CallToolResult,
  createClient,
  NotSupportedError,
  type Progress,
  ToolCallError,
} from "@widgetcast/client";
import { createCall } from "@widgetcast/client/call";
import {
  createMockHost,
  type MockCall,
  type MockHost,
  type MockOptions,
} from "@widgetcast/client/mock";
import { freshWindow, tick } from "./dom";

interface Tools {
  stats: { input: { days: number }; output: { open: number } };
  export: { input: { all?: boolean }; output: { pages: number } };
}

let host: MockHost;
afterEach(() => host?.close());

async function open(options: MockOptions = {}) {
  freshWindow();
  host = createMockHost(options);
  // A host that will not answer is not waited for long.
  const timeout = options.bridge === false ? 30 : 2000;
  const client = createClient<Tools>({ autoResize: false, timeout });
  await client.ready;
  return client;
}

const text = (value: string) => ({ type: "text" as const, text: value });

test("waiting, with the input as far as it is written, then done", async () => {
  const client = await open();
  const heard: string[] = [];
  const off = client.onTool("stats", (state) => heard.push(state.status));
  assert.deepEqual(client.tool("stats"), { status: "waiting" });
  await host.partial({});
  await host.partial({ days: 1 });
  assert.deepEqual(client.tool("stats"), { status: "waiting", input: { days: 1 } });
  await host.input({ days: 14 });
  assert.deepEqual(client.tool(), { status: "waiting", input: { days: 14 } });
  await host.result({ structuredContent: { open: 3 }, _meta: { hidden: 1 } });
  const state = client.tool("stats");
  assert.ok(state.status === "done");
  assert.equal(state.output.open, 3);
  assert.equal(state.input?.days, 14);
  assert.deepEqual(state.meta, { hidden: 1 });
  assert.equal(state.result, client.toolResult);
  assert.equal(client.tool("stats"), state, "the same object until something changes");
  assert.deepEqual(heard, ["waiting", "waiting", "waiting", "waiting", "done"]);
  off();
  await host.result({});
  assert.equal(heard.length, 5);
});

test("a result that is an error has failed", async () => {
  const client = await open();
  await host.result({ content: [text("no such range")], isError: true });
  const state = client.tool("stats");
  assert.ok(state.status === "failed");
  assert.ok(state.error instanceof ToolCallError);
  assert.equal(state.error.message, "no such range");
  assert.equal(state.result.isError, true);
});

test("cancelled, and started again", async () => {
  const client = await open();
  await host.input({ days: 14 });
  await host.cancel("the user stopped it");
  assert.deepEqual(client.tool(), { status: "cancelled", reason: "the user stopped it" });
  await host.input({ days: 7 });
  assert.deepEqual(client.tool(), { status: "waiting", input: { days: 7 } });
  await host.cancel();
  assert.deepEqual(client.tool(), { status: "cancelled", reason: undefined });
});

test("input that is repeated after the result does not wait again", async () => {
  const client = await open({
    openai: { globals: { toolInput: { days: 14 }, toolOutput: { open: 3 } } },
  });
  assert.equal(client.tool().status, "done");
  const heard: string[] = [];
  client.onTool("stats", ({ status }) => heard.push(status));
  await host.input({ days: 14 });
  await host.result({ structuredContent: { open: 3 } });
  assert.deepEqual(heard, ["done", "done"]);
});

test("a result closes the view, be it the page's own or of a call", async () => {
  const _meta = { "openai/closeWidget": true };
  const client = await open({ tools: { stats: () => ({ content: [], _meta }) } });
  await host.result({ _meta: { "openai/closeWidget": "yes" } });
  assert.deepEqual(host.sent("ui/notifications/request-teardown"), []);
  await host.result({ _meta });
  await host.heard("ui/notifications/request-teardown");
  await client.callTool("stats", { days: 1 });
  await host.heard("ui/notifications/request-teardown", 2);
  host.close();

  await open({ bridge: false, openai: { globals: { toolResponseMetadata: _meta } } });
  assert.deepEqual(host.openai?.calls, [{ method: "requestClose", args: [] }]);
  host.close();

  // A host without it is left alone.
  await open({ bridge: false, openai: { without: ["requestClose"] } });
  host.openai?.set({ toolResponseMetadata: _meta });
  await tick();
});

/** A tool that waits to be told how to end. */
function slowTool() {
  const calls: (MockCall & { end(pages: number): void })[] = [];
  const tool = (_: unknown, call: MockCall) =>
    new Promise<CallToolResult>((resolve) => {
      const end = (pages: number) => resolve({ content: [], structuredContent: { pages } });
      calls.push({ ...call, end });
    });
  return { tools: { export: tool }, calls };
}

test("progress", async () => {
  const { tools, calls } = slowTool();
  const client = await open({ tools });
  assert.equal(client.can("progress"), true);
  const heard: object[] = [];
  const onProgress = ({ progress, total, message }: Progress) =>
    heard.push([progress, total, message]);
  const output = client.callTool("export", {}, { onProgress });
  const { _meta } = await host.heard("tools/call");
  const id = host.traffic.find(({ message }) => message.method === "tools/call")?.message.id;
  assert.deepEqual(_meta, { progressToken: id });
  await calls[0]?.progress({ progress: 1, total: 3, message: "writing" });
  await calls[0]?.progress({ progress: 2 });
  assert.deepEqual(heard, [
    [1, 3, "writing"],
    [2, undefined, undefined],
  ]);
  calls[0]?.end(3);
  assert.deepEqual(await output, { pages: 3 });
  await host.notify("notifications/progress", { progressToken: id, progress: 3 });
  assert.equal(heard.length, 2, "a call that was answered is forgotten");
});

test("without onProgress no token is sent", async () => {
  const client = await open({ tools: { stats: () => ({ content: [] }) } });
  await client.callTool("stats", { days: 1 });
  assert.deepEqual(host.sent("tools/call"), [{ name: "stats", arguments: { days: 1 } }]);
});

test("progress puts off the timeout", async (context) => {
  const { tools, calls } = slowTool();
  freshWindow();
  host = createMockHost({ tools });
  const timeout = 12_345;
  const client = createClient<Tools>({ autoResize: false, timeout });
  await client.ready;
  const started = context.mock.method(globalThis, "setTimeout").mock;
  const cleared = context.mock.method(globalThis, "clearTimeout").mock;
  const timers = () => started.calls.filter((call) => call.arguments[1] === timeout);
  const output = client.callTool("export", {}, { onProgress: () => {} });
  await host.heard("tools/call");
  for (let round = 0; round < 3; round++) {
    const last = timers().at(-1)?.result;
    assert.equal(timers().length, round + 1);
    await calls[0]?.progress({ progress: round });
    assert.ok(cleared.calls.some((call) => call.arguments[0] === last));
  }
  assert.equal(timers().length, 4);
  calls[0]?.end(1);
  assert.deepEqual(await output, { pages: 1 });
});

test("a call is cancelled, and its late answer is nobody's", async () => {
  const { tools, calls } = slowTool();
  const client = await open({ tools });
  assert.equal(client.can("cancel"), true);
  const controller = new AbortController();
  const output = client.callTool("export", {}, { signal: controller.signal });
  await host.heard("tools/call");
  controller.abort(Error("no longer wanted"));
  await assert.rejects(output, /no longer wanted/);
  const id = host.traffic.find(({ message }) => message.method === "tools/call")?.message.id;
  assert.deepEqual(await host.heard("notifications/cancelled"), {
    requestId: id,
    reason: "Error: no longer wanted",
  });
  assert.equal(calls[0]?.signal.aborted, true);
  await host.post({ jsonrpc: "2.0", id, result: { content: [] } });
});

test("a signal that was aborted before sends nothing", async () => {
  const client = await open(slowTool());
  const output = client.callToolResult("export", {}, { signal: AbortSignal.abort() });
  await assert.rejects(output, { name: "AbortError" });
  assert.deepEqual(host.sent("tools/call"), []);
});

test("a call that was answered no longer listens to its signal", async (context) => {
  const client = await open({ tools: { stats: () => ({ content: [] }) } });
  const { signal } = new AbortController();
  const add = context.mock.method(signal, "addEventListener");
  const remove = context.mock.method(signal, "removeEventListener");
  await client.callTool("stats", { days: 1 }, { signal });
  const removed = remove.mock.calls.map(({ arguments: [, listener] }) => listener);
  for (const { arguments: args } of add.mock.calls) {
    const [, listener, options] = args as [string, () => void, { signal?: AbortSignal }?];
    assert.ok(options?.signal?.aborted || removed.includes(listener));
  }
  assert.ok(add.mock.callCount() > 0);
});

test("window.openai can neither cancel nor report progress", async () => {
  const { tools, calls } = slowTool();
  const client = await open({ bridge: false, openai: true, tools });
  assert.equal(client.can("callTool"), true);
  assert.equal(client.can("cancel"), false);
  assert.equal(client.can("progress"), false);
  const controller = new AbortController();
  const output = client.callTool("export", {}, { signal: controller.signal });
  await tick();
  controller.abort();
  await assert.rejects(output, { name: "AbortError" });
  assert.equal(calls[0]?.signal.aborted, false);
  calls[0]?.end(1);
});

test("a call that the host cannot make, with a signal that is aborted later", async () => {
  const client = await open({ capabilities: {} });
  const controller = new AbortController();
  const output = client.callTool("export", {}, { signal: controller.signal });
  await assert.rejects(output, NotSupportedError);
  controller.abort();
  await tick();
});

test("a call as a state: pending, progress, output", async () => {
  const { tools, calls } = slowTool();
  const client = await open({ tools });
  const call = createCall(client, "export");
  const heard: object[] = [];
  call.subscribe(({ progress, ...state }) => heard.push({ ...state, at: progress?.progress }));
  const output = call.call({ all: true });
  await host.heard("tools/call");
  await calls[0]?.progress({ progress: 1 });
  calls[0]?.end(2);
  assert.deepEqual(await output, { pages: 2 });
  assert.deepEqual(heard, [
    { pending: false, at: undefined },
    { pending: true, at: undefined },
    { pending: true, at: 1 },
    { pending: false, output: { pages: 2 }, at: undefined },
  ]);
  call.reset();
  assert.deepEqual(call.state, { pending: false });
});

test("… an error, which does not reject", async () => {
  const failed = { content: [text("no disk")], isError: true };
  const call = createCall(await open({ tools: { export: () => failed } }), "export");
  assert.equal(await call.call(), undefined);
  assert.equal(call.state.error?.message, "no disk");
  assert.equal(call.state.pending, false);
});

test("… of which the last counts, and the others run to their ends", async () => {
  const { tools, calls } = slowTool();
  const call = createCall(await open({ tools }), "export");
  const first = call.call();
  const second = call.call();
  await host.heard("tools/call", 2);
  calls[1]?.end(2);
  assert.deepEqual(await second, { pages: 2 });
  await calls[0]?.progress({ progress: 1 });
  calls[0]?.end(1);
  assert.deepEqual(await first, { pages: 1 });
  assert.deepEqual(call.state, { pending: false, output: { pages: 2 } });
  assert.equal(calls[0]?.signal.aborted, false);
});

test("… cancelled by itself or by a signal, which is no error", async () => {
  const { tools, calls } = slowTool();
  const call = createCall(await open({ tools }), "export");
  const controller = new AbortController();
  const ends = [() => call.cancel(), () => controller.abort()];
  for (const [index, end] of ends.entries()) {
    const output = call.call({}, { signal: controller.signal });
    await host.heard("tools/call", index + 1);
    end();
    assert.equal(await output, undefined);
    assert.deepEqual(call.state, { pending: false });
    await host.heard("notifications/cancelled", index + 1);
    assert.equal(calls[index]?.signal.aborted, true);
  }
  assert.equal(await call.call({}, { signal: controller.signal }), undefined);
  assert.equal(host.sent("tools/call").length, 2);
});

test("… forgotten, so that its end changes nothing", async () => {
  const { tools, calls } = slowTool();
  const call = createCall(await open({ tools }), "export");
  const output = call.call();
  await host.heard("tools/call");
  call.reset();
  calls[0]?.end(1);
  assert.deepEqual(await output, { pages: 1 });
  assert.deepEqual(call.state, { pending: false });
});
