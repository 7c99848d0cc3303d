// A conversation against a server of the test's own: nothing is lost, and nothing is sent twice.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createDrafts } from "../src/draft";
import type { Item, StreamEvent, Thread } from "../src/protocol";
import { createSession } from "../src/session";
import { spokenText } from "../src/turn";
import { type Wire, WireError } from "../src/wire";

const at = { thread_id: "t", created_at: "2026-01-01T00:00:00Z" };
const thread: Thread = { id: "t", created_at: at.created_at, items: { data: [], has_more: false } };
const question = (id: string, text: string): Item => ({
  ...at,
  id,
  type: "user_message",
  content: [{ type: "input_text", text }],
});
const answer = (id: string, text: string): Item => ({
  ...at,
  id,
  type: "assistant_message",
  content: [{ type: "output_text", text, annotations: [] }],
});
const done = (item: Item): StreamEvent => ({ type: "thread.item.done", item });
const delta = (item_id: string, text: string): StreamEvent => ({
  type: "thread.item.updated",
  item_id,
  update: { type: "assistant_message.content_part.text_delta", content_index: 0, delta: text },
});
const LOST = new WireError(0);

/** A server with these items; `streams` are its next streamed answers, an error in one ends it. */
function setup(options: { id?: string; stored?: Item[]; known?: boolean } = {}) {
  const stored = options.stored ?? [];
  const streams: (StreamEvent | Error | (() => Promise<void>))[][] = [];
  const asked: [string, unknown][] = [];
  const outages: Error[] = [];
  const wire = {
    async ask(type: string, params: { limit?: number; order?: string }) {
      asked.push([type, params]);
      const outage = outages.shift();
      if (outage) throw outage;
      if (type === "threads.list") return { data: [thread], has_more: false };
      if (type === "threads.sync_custom_action") return { updated_item: answer("a", "changed") };
      if (type !== "items.list") return thread;
      const data = params.order === "asc" ? [...stored] : [...stored].reverse();
      return { data: data.slice(0, params.limit), has_more: false };
    },
    async *stream(type: string, params: unknown, signal: AbortSignal) {
      asked.push([type, params]);
      for (const next of streams.shift() ?? []) {
        if (next instanceof Error) throw next;
        if (typeof next === "function") await next();
        if (signal.aborted) throw new DOMException("", "AbortError");
        if (typeof next !== "function") yield next;
      }
    },
  } as unknown as Wire;
  const kept = new Map<string, string>();
  const drafts = createDrafts({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  });
  const threads: Thread[] = [];
  const session = createSession(
    {
      wire,
      drafts,
      onThread: (one) => threads.push(one),
      isKnown: () => options.known === true,
      pause: async () => {},
    },
    options.id,
  );
  const types = () => asked.map(([type]) => type);
  // What a test asserts in the middle of a stream would be taken for a fault of the server.
  const unharmed = () => assert.equal(session.state.conversation.fault, undefined);
  const texts = () => session.state.conversation.items.map(spokenText);
  return { session, drafts, stored, streams, asked, outages, threads, types, texts, unharmed };
}
const draft = (text: string) => ({ text, attachments: [] });

test("a first message makes a thread, and its draft is gone once the server has it", async () => {
  const { session, drafts, streams, threads, texts, unharmed } = setup();
  streams.push([
    { type: "thread.created", thread },
    async () => {
      assert.equal(drafts.read().text, "hello", "kept until it is acknowledged");
      assert.equal(session.state.isSending, true);
    },
    done(question("q", "hello")),
    async () => assert.equal(drafts.read().text, ""),
    done(answer("a", "Hi")),
  ]);
  await session.send(draft("hello"));
  unharmed();
  assert.equal(session.id, "t");
  assert.deepEqual(threads, [thread]);
  assert.deepEqual(texts(), ["hello", "Hi"]);
  assert.deepEqual(
    [session.state.phase, session.state.isSending, session.state.note],
    ["idle", false, undefined],
  );
});

test("an empty message is not sent", async () => {
  const { session, types } = setup();
  await session.send(draft("  \n"));
  assert.deepEqual(types(), []);
});

test("a message that the server refuses stays a draft", async () => {
  const { session, drafts, streams } = setup({ id: "t" });
  streams.push([new WireError(400, "Too long")]);
  await session.send(draft("hello"));
  assert.equal(drafts.read("t").text, "hello");
  assert.deepEqual(session.state.conversation.fault, { canRetry: false, message: "Too long" });
});

test("lost before the server had the message: it stays a draft, and is not sent again", async () => {
  const { session, drafts, streams, outages, types } = setup({ id: "t" });
  streams.push([LOST]);
  outages.push(LOST, LOST, LOST);
  await session.send(draft("hello"));
  assert.equal(session.state.note, "notSent");
  assert.equal(drafts.read("t").text, "hello");
  assert.equal(session.state.isLost, false);
  assert.equal(types().filter((type) => type === "threads.add_user_message").length, 1);
});

test("lost after the server had the message, before it said so: neither lost nor doubled", async () => {
  const { session, drafts, streams, stored, texts } = setup({ id: "t" });
  stored.push(question("q", "hello"), answer("a", "Hi"));
  streams.push([LOST]);
  await session.send(draft("hello"));
  assert.equal(drafts.read("t").text, "");
  assert.deepEqual(texts(), ["hello", "Hi"]);
  assert.equal(session.state.note, "cut");
});

test("the same words sent before are not taken for this message", async () => {
  const { session, drafts, streams } = setup({ id: "t", stored: [question("q", "hello")] });
  await session.open();
  streams.push([LOST]);
  await session.send(draft("hello"));
  assert.equal(session.state.note, "notSent");
  assert.equal(drafts.read("t").text, "hello");
});

test("lost while a new thread was made: it is found by its first message", async () => {
  const found = setup({ stored: [question("q", "hello")] });
  found.streams.push([LOST]);
  await found.session.send(draft("hello"));
  assert.equal(found.session.id, "t");
  assert.equal(found.drafts.read().text, "");
  assert.deepEqual(found.threads, [thread]);

  const other = setup({ stored: [question("q", "hello")], known: true });
  other.streams.push([LOST]);
  await other.session.send(draft("hello"));
  assert.equal(other.session.id, undefined, "a thread that was there before is another");
  assert.equal(other.drafts.read().text, "hello");
});

test("lost in the middle of an answer: what was read stays, and what the server adds comes", async () => {
  const { session, streams, stored, outages, texts, unharmed } = setup({ id: "t" });
  stored.push(question("q", "hello"));
  streams.push([
    done(question("q", "hello")),
    { type: "thread.item.added", item: answer("a", "") },
    delta("a", "One "),
    async () => {
      outages.push(LOST, LOST);
      assert.deepEqual(texts(), ["hello", "One"]);
    },
    LOST,
  ]);
  let isLost = false;
  session.subscribe(() => {
    isLost ||= session.state.isLost;
    if (texts()[1] === "One" && !session.state.isLost && isLost && stored.length === 1)
      stored.push(answer("a", "One two"));
  });
  await session.send(draft("hello"));
  unharmed();
  assert.ok(isLost);
  assert.deepEqual(texts(), ["hello", "One two"]);
  assert.equal(session.state.note, "cut");
  assert.equal(session.state.conversation.open.size, 0);
});

test("stop keeps what was said", async () => {
  const { session, streams, texts } = setup({ id: "t" });
  streams.push([
    done(question("q", "hello")),
    { type: "thread.item.added", item: answer("a", "One") },
    async () => session.stop(),
    delta("a", " two"),
  ]);
  await session.send(draft("hello"));
  assert.deepEqual(texts(), ["hello", "One"]);
  assert.equal(session.state.note, "stopped");
});

test("try again answers the last question anew", async () => {
  const stored = [question("q", "a"), answer("a", "b"), question("q2", "c"), answer("a2", "d")];
  const { session, streams, asked, texts, unharmed } = setup({ id: "t", stored });
  await session.open();
  streams.push([async () => assert.deepEqual(texts(), ["a", "b", "c"]), done(answer("a3", "e"))]);
  await session.retry();
  unharmed();
  assert.deepEqual(asked.at(-1), ["threads.retry_after_item", { thread_id: "t", item_id: "q2" }]);
  assert.deepEqual(texts(), ["a", "b", "c", "e"]);
});

test("an action waits for the answer that is written; one that does not stream does not", async () => {
  const { session, streams, types, texts } = setup({ id: "t", stored: [answer("a", "old")] });
  await session.open();
  let release = () => {};
  const held = new Promise<void>((go) => {
    release = go;
  });
  streams.push([done(question("q", "x")), () => held], [done(answer("b", "acted"))]);
  const sent = session.send(draft("x"));
  const item = session.state.conversation.items[0] as Item;
  const acted = session.act(item, { type: "go", payload: { a: 1 } });
  await session.act(item, { type: "like" }, false);
  assert.equal(texts()[0], "changed");
  assert.ok(!types().includes("threads.custom_action"));
  release();
  await Promise.all([sent, acted]);
  assert.equal(types().at(-1), "threads.custom_action");
  assert.equal(texts().at(-1), "acted");
});

test("an error about an action is gone with the next one", async () => {
  const { session, outages } = setup({ id: "t", stored: [answer("a", "old")] });
  await session.open();
  const item = session.state.conversation.items[0] as Item;
  outages.push(new WireError(500, "No"));
  await session.act(item, { type: "like" }, false);
  assert.equal(session.state.conversation.fault?.message, "No");
  await session.act(item, { type: "like" }, false);
  assert.equal(session.state.conversation.fault, undefined);
});

test("an action that failed is not taken for the question before it", async () => {
  const stored = [question("q", "x"), answer("a", "old")];
  const { session, streams } = setup({ id: "t", stored });
  await session.open();
  const item = session.state.conversation.items[1] as Item;
  streams.push([new WireError(500, "No")], [LOST]);
  await session.act(item, { type: "go" });
  assert.deepEqual(session.state.conversation.fault, { canRetry: false, message: "No" });
  await session.act(item, { type: "go" });
  assert.deepEqual([session.state.note, session.state.canRetry], ["cut", false]);
});

test("a tool of the page that the server asks for is answered: there is none", async () => {
  const { session, streams, asked } = setup({ id: "t" });
  const call: Item = {
    ...at,
    id: "c",
    type: "client_tool_call",
    status: "pending",
    call_id: "1",
    name: "locate",
    arguments: {},
  };
  streams.push(
    [done(question("q", "where")), done(call)],
    [done({ ...call, status: "completed" }), done(answer("a", "Unknown"))],
  );
  await session.send(draft("where"));
  assert.deepEqual(asked.at(-1), [
    "threads.add_client_tool_output",
    { thread_id: "t", result: { error: "This page has no tool named locate." } },
  ]);
});

test("a thread that cannot be opened says why; one that nobody gives is waited for", async () => {
  const refused = setup({ id: "t" });
  refused.outages.push(new WireError(404));
  await refused.session.open();
  assert.equal(refused.session.state.refusal?.status, 404);
  assert.equal(refused.session.state.phase, "idle");

  const late = setup({ id: "t", stored: [answer("a", "here")] });
  late.outages.push(LOST, LOST);
  let isLost = false;
  late.session.subscribe(() => {
    isLost ||= late.session.state.isLost;
  });
  await late.session.open();
  assert.ok(isLost && !late.session.state.isLost);
  assert.deepEqual(late.texts(), ["here"]);
});

test("a conversation that begins with a command gets the title of its values", async () => {
  const { session, streams, asked, threads } = setup();
  streams.push([
    { type: "thread.created", thread },
    done(question("q", "/w")),
    done(answer("a", "x")),
  ]);
  await session.send(draft("/w"), "Weather: Oslo");
  assert.deepEqual(asked.at(-1), ["threads.update", { thread_id: "t", title: "Weather: Oslo" }]);
  assert.equal(threads.at(-1)?.title, "Weather: Oslo");
  assert.equal(session.state.conversation.thread?.title, "Weather: Oslo");
});

test("an action that no tool handles is no fault, and is told until the next one", async () => {
  const { session, streams, unharmed } = setup({ id: "t" });
  const action = { type: "quiz.answer", payload: { answer: "b" } };
  const refusal = (message: string): StreamEvent => ({ type: "error", code: "custom", message });
  streams.push([refusal("Unknown tool `quiz.answer`.")], [refusal("Unknown tool `other`.")]);
  await session.act(answer("w", ""), action);
  unharmed();
  assert.deepEqual(session.state.unhandled, action);
  await session.act(answer("w", ""), action);
  assert.equal(session.state.unhandled, undefined);
  assert.equal(session.state.conversation.fault?.message, "Unknown tool `other`.");
});
