// State where the host keeps none: the server's store, else memory.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { createClient } from "@widgetcast/client";
import { createMockHost, type MockHost, type MockOptions } from "@widgetcast/client/mock";
import { freshWindow, tick } from "./dom";

const KEY = "4f1d0c2ab7e35a90c1d2e3f4";
const NAMED = {
  _meta: { "widgetcast/view": { state: KEY, tree: { type: "Card", children: [] } } },
};

let host: MockHost;
afterEach(() => host?.close());

async function open(options: MockOptions = {}) {
  freshWindow();
  host = createMockHost(options);
  const client = createClient({ autoResize: false, timeout: 2000 });
  await client.ready;
  return client;
}

const calls = () => host.sent("tools/call").map(({ arguments: args }) => args);

test("it is read when a result first names a view", async () => {
  const client = await open({ store: true });
  host.states.set(KEY, { row: 3 });
  const heard: unknown[] = [];
  client.onStateChange((state) => heard.push(state));
  await host.result({ structuredContent: {} });
  await tick(20);
  assert.deepEqual(calls(), []);
  await host.result(NAMED);
  await tick(20);
  await host.result(NAMED);
  await tick(20);
  assert.deepEqual(calls(), [{ view: KEY }]);
  assert.deepEqual(heard, [{ row: 3 }]);
  assert.deepEqual(client.getState(), { row: 3 });
  assert.equal(client.can("setState"), true);
});

test("a result without a key has no state with the server: its address is not its own", async () => {
  const client = await open({ store: true });
  await host.result({ _meta: { "widgetcast/view": { uri: "ui://widgets/ferry/7f3a" } } });
  client.setState({ row: 1 });
  await tick(20);
  assert.deepEqual(calls(), []);
  assert.deepEqual(client.getState(), { row: 1 });
});

test("writes are held back, and the last one counts", async () => {
  const client = await open({ store: true });
  await host.result(NAMED);
  await host.heard("tools/call");
  await tick();
  for (let row = 0; row < 5; row++) client.setState({ row });
  assert.deepEqual(client.getState(), { row: 4 });
  assert.equal(calls().length, 1);
  await tick(400);
  assert.deepEqual(calls().slice(1), [{ view: KEY, state: { row: 4 } }]);
  assert.deepEqual(host.states.get(KEY), { row: 4 });
});

test("a teardown saves what is held back", async () => {
  const client = await open({ store: true });
  await host.result(NAMED);
  await host.heard("tools/call");
  await tick();
  client.setState({ row: 1 });
  await host.teardown();
  assert.deepEqual(host.states.get(KEY), { row: 1 });
  await tick(400);
  assert.equal(calls().length, 2);
});

test("what the page set before it knew its view is written, not overwritten", async () => {
  const client = await open({ store: true });
  host.states.set(KEY, { row: 3 });
  client.setState({ row: 9 });
  await host.result(NAMED);
  await tick(20);
  assert.deepEqual(calls(), [{ view: KEY, state: { row: 9 } }]);
  assert.deepEqual(client.getState(), { row: 9 });
});

test("a change while the answer is under way wins", async () => {
  const client = await open();
  let answer: (value: unknown) => void = () => {};
  host.answer("tools/call", () => new Promise((resolve) => (answer = resolve)));
  await host.result(NAMED);
  await host.heard("tools/call");
  client.setState({ row: 9 });
  answer({ content: [], structuredContent: { state: { row: 3 } } });
  await tick(20);
  assert.deepEqual(client.getState(), { row: 9 });
});

test("a host that calls no tools leaves it in memory", async () => {
  const client = await open({ capabilities: {} });
  await host.result(NAMED);
  client.setState({ row: 1 });
  await host.teardown();
  assert.deepEqual(client.getState(), { row: 1 });
  assert.equal(client.can("setState"), false);
  assert.deepEqual([...calls(), ...host.sent("notifications/message")], []);
});

test("a failed save is reported, and the next change is saved", async () => {
  const client = await open({ store: true });
  await host.result(NAMED);
  await host.heard("tools/call");
  host.refuse("tools/call", -32603, "no disk");
  client.setState({ row: 1 });
  await host.teardown();
  const { level, data } = await host.heard("notifications/message");
  assert.deepEqual([level, data], ["error", "state not kept: Error: no disk"]);
  assert.equal(client.can("setState"), false);
  host.answer("tools/call", () => ({ content: [], structuredContent: { state: null } }));
  client.setState({ row: 2 });
  await host.teardown();
  assert.deepEqual(calls().at(-1), { view: KEY, state: { row: 2 } });
  assert.equal(client.can("setState"), true);
});

test("a state over the limit is an error, and a smaller one is saved", async () => {
  const client = await open({ store: true });
  await host.result(NAMED);
  await host.heard("tools/call");
  client.setState({ row: 1 });
  assert.throws(() => client.setState("ü".repeat(33_000)), RangeError);
  assert.deepEqual(client.getState(), { row: 1 });
  client.setState({ row: 2 });
  await host.teardown();
  assert.deepEqual(host.states.get(KEY), { row: 2 });
});

test("a second result has its own state", async () => {
  const OTHER = "a90c1d2e3f44f1d0c2ab7e35";
  const client = await open({ store: true });
  host.states.set(OTHER, { row: 7 });
  await host.result(NAMED);
  await host.heard("tools/call");
  client.setState({ row: 1 });
  await host.result({ _meta: { "widgetcast/view": { state: OTHER } } });
  await host.heard("tools/call", 3);
  await tick();
  assert.deepEqual(host.states.get(KEY), { row: 1 });
  assert.deepEqual(client.getState(), { row: 7 });
  client.setState({ row: 8 });
  await host.teardown();
  assert.deepEqual(host.states.get(OTHER), { row: 8 });
  assert.deepEqual(host.states.get(KEY), { row: 1 });
});
