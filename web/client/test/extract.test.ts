// The fixtures shared with Rust, and the bounds that are too large for a file.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  type Extraction,
  extract,
  type Message,
  threadItems,
  toolResultMessage,
} from "@widgetcast/client/extract";

const FOLDER = fileURLToPath(new URL("../../../fixtures/results", import.meta.url));
const MANY = 4 * 1024 * 1024;

const read = (...path: string[]) => JSON.parse(readFileSync(join(FOLDER, ...path), "utf8"));

const cases = (folder: string) =>
  readdirSync(join(FOLDER, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "threads")
    .map((entry) => join(folder, entry.name))
    .sort();

/** As text, so that the order of members counts too. */
const same = (found: unknown, expected: unknown, name: string) =>
  assert.equal(JSON.stringify(found, null, 2), JSON.stringify(expected, null, 2), name);

const messages = (result: unknown) => extract(result).reasons.map(({ message }) => message);

const resource = (uri: string, mimeType: string, text: string) => ({
  type: "resource",
  resource: { uri, mimeType, text },
});
const WIDGET = "application/vnd.ui.widget+json";

test("results are read as in Rust", (context) => {
  const names = cases("");
  assert.ok(names.length >= 30, `only ${names.length} cases`);
  for (const name of names) {
    assert.ok(existsSync(join(FOLDER, name, "expected.json")), `${name} expects nothing`);
    const expected = read(name, "expected.json") as Extraction;
    const found = extract(read(name, "result.json"));
    // What is wrong inside a tree takes the component table, which only the server has.
    const reasons = name.startsWith("tree-") ? [] : expected.reasons;
    same(found, { ...expected, reasons }, name);
  }
  context.diagnostic(`${names.length} results`);
});

test("threads are read as in Rust", (context) => {
  const names = cases("threads");
  assert.ok(names.length > 0);
  for (const name of names) {
    const { messages, thread_id } = read(name, "thread.json");
    same(threadItems(messages as Message[], thread_id), read(name, "expected.json"), name);
  }
  context.diagnostic(`${names.length} threads`);
});

test("a payload has a size", () => {
  const large = "x".repeat(MANY + 1);
  const tooLarge = ["the payload is larger than 4 MiB"];
  const widget = `{"widget":{"type":"Card","children":[]},"copy_text":"${large}"}`;
  assert.deepEqual(messages([resource("ui://widgets/a/1", WIDGET, widget)]), tooLarge);
  assert.deepEqual(messages([{ type: "text", text: large }]), tooLarge);
  assert.deepEqual(messages([{ type: "text", text: "é".repeat(MANY / 2 + 1) }]), tooLarge);
  assert.deepEqual(messages({ structuredContent: { a: large } }), tooLarge);
  assert.deepEqual(messages({ structuredContent: { [large]: 1 } }), tooLarge);
  const blocks = new Array(MANY).fill(null);
  assert.deepEqual(messages({ _meta: { slack: { blocks } } }), tooLarge);
  const image = { type: "image", mimeType: "image/png", data: "A".repeat(MANY + 1) };
  assert.deepEqual(messages([image]), tooLarge);
  assert.deepEqual(messages([{ type: "text", text: large.slice(1) }]), []);
});

test("the number of parts and reasons is bounded", () => {
  assert.equal(messages(new Array(5000).fill(null)).length, 100);

  const link = { type: "resource_link", uri: "file:///a" };
  const widget = '{"widget":{"type":"Card","children":[]}}';
  const { parts, reasons } = extract([
    ...new Array(500).fill(null),
    ...new Array(500).fill(link),
    resource("ui://widgets/a/1", WIDGET, widget),
  ]);
  assert.equal(parts[0]?.kind, "chatkit_widget");
  assert.deepEqual([parts.length, reasons.length], [100, 100]);
  assert.match(reasons[99]?.message ?? "", /more than 100 parts/);
});

test("a stored result keeps its whole content", () => {
  const content = [{ type: "image" }, { type: "text", text: "a" }, { type: "text", text: "b" }];
  for (const result of [content, { content }, { jsonrpc: "2.0", id: 1, result: { content } }]) {
    const message = toolResultMessage("1", "tool", result, "2026-11-15T09:00:00Z");
    assert.equal(message.content, "a");
    assert.deepEqual(message.metadata, { name: "tool", mcp_content: content });
  }
  const empty = toolResultMessage("1", "tool", null, "");
  assert.deepEqual(empty.metadata, { name: "tool", mcp_content: [] });
});

test("a stored result keeps the widget of its meta, once", () => {
  const tree = { type: "Card", children: [] };
  const content = [{ type: "text", text: "Sunny" }];
  for (const _meta of [{ "widgetcast/view": { tree } }, { widget: tree }]) {
    const message = toolResultMessage("7", "weather", { content, _meta }, "2026-11-15T09:00:00Z");
    assert.equal(message.content, "Sunny");
    const [item] = threadItems([message], "t") as { widget?: unknown }[];
    assert.deepEqual(item?.widget, tree);
    const { mcp_content } = message.metadata as { mcp_content: unknown };
    const again = toolResultMessage("7", "weather", { content: mcp_content, _meta }, "");
    assert.deepEqual(again.metadata, message.metadata);
  }
});

test("messages are read as databases hold them", () => {
  const payload = '{"widget":{"type":"Card","children":[]}}';
  const mcp_content = [resource("ui://widgets/w/1", WIDGET, payload)];
  const stored = [
    { id: 41, role: "user", content: "Weather?", created_at: 1_763_197_200 },
    { id: "42", role: "tool", content: null, metadata: { mcp_content } },
    { id: "43", role: "assistant", content: null, created_at: null },
  ];
  const items = threadItems(stored as Message[], "t") as unknown as Record<string, unknown>[];
  assert.deepEqual(
    items.map(({ id, type, created_at }) => [id, type, created_at]),
    [
      ["41", "user_message", "2025-11-15T09:00:00Z"],
      ["42", "widget", "1970-01-01T00:00:00Z"],
    ],
  );
  assert.equal(extract(stored).parts[0]?.kind, "chatkit_widget");
});

test("any mutation of a fixture is survived", () => {
  // A small generator with a seed: a failure can be repeated.
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const marks = '{}[]",:\\0e-=+/\u00e9';
  let count = 0;
  for (const name of cases("")) {
    const text = readFileSync(join(FOLDER, name, "result.json"), "utf8");
    for (let round = 0; round < 20; round++) {
      const at = random(text.length);
      const mutated = text.slice(0, at) + marks[random(marks.length)] + text.slice(at + random(3));
      let result: unknown;
      try {
        result = JSON.parse(mutated);
      } catch {
        continue;
      }
      const { parts, reasons } = extract(result);
      assert.ok(parts.length <= 100 && reasons.length <= 100);
      threadItems([toolResultMessage("1", "tool", result, "")], "1");
      count++;
    }
  }
  assert.ok(count > 200, `only ${count} mutations were JSON`);
});
