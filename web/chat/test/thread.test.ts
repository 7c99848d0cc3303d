import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AssistantMessage,
  Item,
  StreamEvent,
  Thread,
  Update,
  WidgetItem,
} from "../src/protocol";
import { begin, type Conversation, EMPTY, load, loadBefore, reduce, settle } from "../src/thread";
import { spokenText, turnsOf } from "../src/turn";
import { eventSchema, eventsOf, skip, transcript } from "./recorded";

const at = { thread_id: "t", created_at: "2026-01-01T00:00:00Z" };
const thread: Thread = { id: "t", created_at: at.created_at, items: { data: [], has_more: false } };
const said = (id: string, text: string): AssistantMessage => ({
  ...at,
  id,
  type: "assistant_message",
  content: [{ type: "output_text", text, annotations: [] }],
});
const asked = (id: string, text: string): Item => ({
  ...at,
  id,
  type: "user_message",
  content: [{ type: "input_text", text }],
});
const widget = (tree: object): WidgetItem => ({
  ...at,
  id: "w",
  type: "widget",
  widget: tree as WidgetItem["widget"],
});
const added = (item: Item): StreamEvent => ({ type: "thread.item.added", item });
const updated = (item_id: string, update: Update): StreamEvent => ({
  type: "thread.item.updated",
  item_id,
  update,
});
const after = (...events: StreamEvent[]): Conversation => events.reduce(reduce, EMPTY);

test("the transcript of the official server gives the thread that it says", { skip }, async () => {
  const exchanges = transcript();
  let state = EMPTY;
  for (const { name, content_type, body } of exchanges) {
    if (name === "threads.sync_custom_action") break;
    assert.equal(content_type, "text/event-stream");
    state = begin(state);
    for (const event of await eventsOf(body)) state = reduce(state, event);
    if (name.includes("(error)"))
      assert.deepEqual(state.fault, { canRetry: true, message: "Nope" });
    state = settle(state);
  }
  const stored = exchanges.find(({ request }) => request.type === "threads.get_by_id");
  const { items, title } = JSON.parse(stored?.body ?? "");
  assert.deepEqual(state.items, items.data);
  assert.equal(state.thread?.title, title);
  assert.equal(state.open.size, 0);
});

test("what the stream says on the way to the end of a message", { skip }, async () => {
  const [first] = transcript();
  const states: Conversation[] = [];
  for (const event of await eventsOf(first?.body ?? ""))
    states.push(reduce(states.at(-1) ?? EMPTY, event));
  const texts = states.map(({ items }) => items.map(spokenText).join("|"));
  assert.deepEqual([...new Set(texts)], ["", "hello", "hello|", "hello|Hi"]);
  assert.equal(states.at(-1)?.progress?.text, "Searching");
  assert.deepEqual(states.at(-1)?.notices, [{ level: "info", message: "note" }]);
});

const part = { type: "output_text" as const, text: "", annotations: [] };
const source = { type: "url" as const, title: "Site", url: "https://a.example" };
const annotation = { type: "annotation" as const, source };
const task = { type: "custom" as const, title: "Look" };

/** One of each update, and what it must make of its item. */
const UPDATES: [Item, Update, (item: Item) => unknown, unknown][] = [
  [
    { ...said("m", ""), content: [] },
    { type: "assistant_message.content_part.added", content_index: 0, content: part },
    (item) => (item as AssistantMessage).content.length,
    1,
  ],
  [
    { ...said("m", ""), content: [] },
    { type: "assistant_message.content_part.text_delta", content_index: 1, delta: "late" },
    (item) => (item as AssistantMessage).content.map(({ text }) => text),
    ["", "late"],
  ],
  [
    said("m", "He"),
    { type: "assistant_message.content_part.text_delta", content_index: 0, delta: "llo" },
    spokenText,
    "Hello",
  ],
  [
    said("m", "He"),
    {
      type: "assistant_message.content_part.annotation_added",
      content_index: 0,
      annotation_index: 0,
      annotation,
    },
    (item) => (item as AssistantMessage).content[0]?.annotations,
    [annotation],
  ],
  [
    said("m", "He"),
    {
      type: "assistant_message.content_part.done",
      content_index: 0,
      content: { ...part, text: "Hello" },
    },
    spokenText,
    "Hello",
  ],
  [
    widget({ type: "Card", children: [] }),
    { type: "widget.root.updated", widget: { type: "ListView" } },
    (item) => (item as WidgetItem).widget,
    { type: "ListView" },
  ],
  [
    widget({ type: "Card", children: [{ type: "Row", children: { type: "Text", id: "x" } }] }),
    { type: "widget.component.updated", component_id: "x", component: { type: "Badge" } },
    (item) => (item as WidgetItem).widget,
    { type: "Card", children: [{ type: "Row", children: { type: "Badge" } }] },
  ],
  [
    widget({ type: "Card", children: [{ type: "Text", id: "x", value: "a", streaming: true }] }),
    { type: "widget.streaming_text.value_delta", component_id: "x", delta: "b", done: true },
    (item) => (item as WidgetItem).widget.children,
    [{ type: "Text", id: "x", value: "ab", streaming: false }],
  ],
  [
    { ...at, id: "f", type: "workflow", workflow: { type: "custom", tasks: [] } },
    { type: "workflow.task.added", task_index: 0, task },
    (item) => item.type === "workflow" && item.workflow.tasks,
    [task],
  ],
  [
    { ...at, id: "f", type: "workflow", workflow: { type: "custom", tasks: [task] } },
    {
      type: "workflow.task.updated",
      task_index: 0,
      task: { ...task, status_indicator: "complete" },
    },
    (item) => item.type === "workflow" && item.workflow.tasks,
    [{ ...task, status_indicator: "complete" }],
  ],
  [
    { ...at, id: "g", type: "generated_image" },
    { type: "generated_image.updated", image: { id: "i", url: "/i.png" }, progress: 0.5 },
    (item) => item.type === "generated_image" && item.image?.url,
    "/i.png",
  ],
];

test("every update", () => {
  for (const [item, update, look, wanted] of UPDATES) {
    const before = structuredClone(item);
    const [made] = after(added(item), updated(item.id, update)).items;
    assert.deepEqual(look(made as Item), wanted, update.type);
    assert.deepEqual(item, before, `${update.type} must not change what it got`);
    // Of an item of another kind, or one that is not there, nothing happens.
    const other: Item = { ...at, id: item.id, type: "end_of_turn" };
    assert.deepEqual(after(added(other), updated(item.id, update)).items, [other]);
    assert.deepEqual(after(updated("nobody", update)).items, []);
  }
});

test("every update and event of the schema is known", { skip }, () => {
  const { $defs, discriminator } = eventSchema();
  const refs: { $ref: string }[] = $defs.ThreadItemUpdatedEvent.properties.update.anyOf;
  const updates = refs.map(({ $ref }) => $defs[$ref.split("/").at(-1) ?? ""].properties.type.const);
  assert.deepEqual(updates.sort(), [...new Set(UPDATES.map(([, { type }]) => type))].sort());
  const events: StreamEvent["type"][] = [
    "client_effect",
    "error",
    "notice",
    "progress_update",
    "stream_options",
    "thread.created",
    "thread.item.added",
    "thread.item.done",
    "thread.item.removed",
    "thread.item.replaced",
    "thread.item.updated",
    "thread.updated",
  ];
  assert.deepEqual(Object.keys(discriminator.mapping).sort(), events);
});

test("items are added, replaced in their place, and removed", () => {
  const state = after(added(said("a", "1")), added(said("b", "2")));
  assert.deepEqual([...state.open], ["a", "b"]);
  const replaced = reduce(state, { type: "thread.item.replaced", item: said("a", "3") });
  assert.deepEqual(replaced.items.map(spokenText), ["3", "2"]);
  assert.deepEqual([...replaced.open], ["b"]);
  assert.equal(replaced.finished?.id, "a");
  const removed = reduce(replaced, { type: "thread.item.removed", item_id: "b" });
  assert.deepEqual(
    removed.items.map(({ id }) => id),
    ["a"],
  );
  assert.equal(removed.open.size, 0);
});

test("progress is gone with the next item; an unknown event changes nothing", () => {
  const working = after({ type: "progress_update", text: "Looking" });
  assert.equal(working.progress?.text, "Looking");
  assert.equal(reduce(working, added(said("a", ""))).progress, undefined);
  assert.equal(reduce(working, { type: "thread.sung" } as never), working);
  assert.equal(reduce(working, { type: "client_effect", name: "flash" }), working);
  const fixed = after({ type: "stream_options", stream_options: { allow_cancel: false } });
  assert.equal(fixed.canCancel, false);
  assert.equal(begin(fixed).canCancel, true);
});

test("what the server has replaces what was read, but not what is older or kept", () => {
  const page = (ids: string[], has_more: boolean) => ({
    data: ids.map((id) => said(id, id)).reverse(),
    has_more,
    ...(has_more && { after: ids[0] as string }),
  });
  const ids = (state: Conversation) => state.items.map(({ id }) => id).join("");
  const opened = load(EMPTY, thread, page(["c", "d"], true));
  assert.equal(ids(opened), "cd");
  assert.equal(opened.before, "c");
  const more = loadBefore(opened, page(["a", "b"], false));
  assert.equal(ids(more), "abcd");
  assert.equal(more.before, undefined);
  assert.equal(ids(loadBefore(opened, page(["b", "c"], false))), "bcd", "nothing is doubled");

  const partial = reduce(reduce(more, added(said("x", "half"))), added(said("y", "lost")));
  const fresh = load(partial, thread, page(["c", "d", "x"], true), new Set(["x", "y"]));
  assert.equal(ids(fresh), "abcdxy");
  assert.equal(spokenText(fresh.items[4] as Item), "x", "the server's text counts");
  assert.equal(fresh.open.size, 0);
  assert.equal(ids(load(partial, thread, page(["c", "d"], true))), "abcd");
  assert.equal(ids(load(partial, thread, page(["d"], false))), "d");
});

test("turns", () => {
  const hidden: Item = { ...at, id: "e", type: "end_of_turn" };
  const items = [said("0", "hello"), asked("1", "a"), said("2", "b"), hidden, asked("3", "c")];
  const shape = turnsOf(items).map(({ question, answers }) => [question?.id, answers.length]);
  assert.deepEqual(shape, [
    [undefined, 1],
    ["1", 1],
    ["3", 0],
  ]);
  assert.equal(
    spokenText(said("m", "# A *b*\n\n- c `d`\n\n|x|y|\n|-|-|\n|1|2|")),
    "A b\nc d\nx, y\n1, 2",
  );
  const tree = {
    type: "Card",
    children: [
      { type: "Title", value: "T" },
      { type: "Button", label: "B" },
    ],
  };
  assert.equal(spokenText(widget(tree)), "T\nB");
  assert.equal(spokenText({ ...widget(tree), copy_text: "copy" }), "copy");
});

test("nobody hears the marks of Markdown, of a widget either", () => {
  const widget = {
    ...{ id: "w", type: "widget", thread_id: "t", created_at: "2026-01-01T00:00:00Z" },
    ...{ widget: { type: "Card", children: [] }, copy_text: "**Lunch** at `12`" },
  } as unknown as Item;
  assert.equal(spokenText(widget), "Lunch at 12");
});
