// One conversation with the server: what is asked, what is known, and how it goes on after the
// connection was lost. A session goes on while another one is looked at. It touches no document.

import { type Draft, type Drafts, NO_DRAFT } from "./draft";
import type { Answer, Item, SentAction, StreamRequests, Thread } from "./protocol";
import {
  begin,
  type Conversation,
  cutAfter,
  EMPTY,
  lastQuestion,
  load,
  loadBefore,
  reduce,
  settle,
  textOf,
} from "./thread";
import { type Wire, WireError } from "./wire";

export interface SessionState {
  conversation: Conversation;
  phase: "idle" | "loading" | "answering";
  /** Whether a message is on its way that the server has not acknowledged. */
  isSending: boolean;
  /** Whether nobody answers; what is known stays. */
  isLost: boolean;
  /** How the last request ended, if not well. */
  note?: "cut" | "notSent" | "stopped";
  /** Whether the last request can be made again: of an action nobody knows how far it came. */
  canRetry: boolean;
  /** Why the conversation cannot be shown. */
  refusal?: WireError;
  /** An action of a widget that nothing on the server handles. */
  unhandled?: SentAction;
}

export interface Surroundings {
  wire: Wire;
  drafts: Drafts;
  /** Called with a thread that is new or has a new title. */
  onThread(thread: Thread): void;
  /** Whether the thread was known before. */
  isKnown(id: string): boolean;
  /** Waits; `wake` ends all waiting. */
  pause(ms: number): Promise<void>;
}

const PAGE = 40;
const LONGEST_WAIT = 15_000;
/** How often the server is asked whether it is still writing an answer that we do not hear any more. */
const FOLLOW = 30;
/** Client tools that a server may ask for in a row; this page has none, and says so each time. */
const CLIENT_TOOLS = 8;

type Request = { [K in keyof StreamRequests]: [K, StreamRequests[K]] }[keyof StreamRequests];

let count = 0;

export function createSession(around: Surroundings, id?: string) {
  const { wire, drafts } = around;
  let state: SessionState = {
    conversation: EMPTY,
    phase: "idle",
    isSending: false,
    isLost: false,
    canRetry: false,
  };
  let threadId = id;
  let abort: AbortController | undefined;
  const listeners = new Set<() => void>();
  const waiting: (() => void)[] = [];

  const set = (change: Partial<SessionState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
    if (state.phase === "idle") for (const go of waiting.splice(0)) go();
  };
  const without = (...keys: ("note" | "refusal" | "unhandled")[]) => {
    state = { ...state };
    for (const key of keys) delete state[key];
  };
  const idle = async () => {
    while (state.phase !== "idle") await new Promise<void>((done) => waiting.push(done));
  };
  const acknowledge = (from: string | undefined) => {
    drafts.write(from, NO_DRAFT);
    set({ isSending: false });
  };

  async function fetchThread(keep: ReadonlySet<string>): Promise<void> {
    const thread_id = threadId as string;
    const [thread, page] = await Promise.all([
      wire.ask("threads.get_by_id", { thread_id }),
      wire.ask("items.list", { thread_id, limit: PAGE, order: "desc" }),
    ]);
    set({ conversation: load(state.conversation, thread, page, keep) });
  }

  /** Repeats until somebody answers. */
  async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (let wait = 1000; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      try {
        const answer = await ask();
        set({ isLost: false });
        return answer;
      } catch (error) {
        if (!(error instanceof WireError && error.isLost)) throw error;
        set({ isLost: true });
        await around.pause(wait);
      }
    }
  }

  async function open(): Promise<void> {
    if (!threadId || state.phase !== "idle") return;
    without("refusal");
    set({ phase: "loading" });
    try {
      await untilAnswered(() => fetchThread(new Set()));
    } catch (error) {
      set({ isLost: false, refusal: error as WireError });
    }
    set({ phase: "idle" });
  }

  async function run(...[type, params]: Request): Promise<void> {
    const from = threadId;
    const known = new Set(state.conversation.items.map((item) => item.id));
    without("note", "unhandled");
    const canRetry = !/action|structured/.test(type);
    set({ phase: "answering", canRetry, conversation: begin(state.conversation) });
    abort = new AbortController();
    const { signal } = abort;
    try {
      for await (const event of wire.stream(type, params as never, signal)) {
        if (event.type === "thread.created") threadId = event.thread.id;
        if (event.type === "thread.item.done" && event.item.type === "user_message")
          acknowledge(from);
        set({ conversation: reduce(state.conversation, event) });
        if ("thread" in event) around.onThread(event.thread);
      }
    } catch (error) {
      if (signal.aborted) set({ note: state.isSending ? "notSent" : "stopped" });
      else if (error instanceof WireError && error.isLost) await recover(known, from);
      else fail(error as Error, canRetry && !state.isSending);
    }
    set({ conversation: settle(state.conversation), isSending: false, phase: "idle" });
  }

  function fail({ message }: Error, canRetry = false): void {
    const fault = { canRetry, ...(message && { message }) };
    set({ conversation: { ...state.conversation, fault } });
  }

  /** After a lost connection: what the server has is so, and what it never got is still in the draft. */
  async function recover(known: ReadonlySet<string>, from: string | undefined): Promise<void> {
    const { text } = drafts.read(from);
    // What was read of an answer stays, also if the server has not stored it.
    const keep = new Set(state.conversation.open);
    set({ isLost: true });
    try {
      // Unless a server is just restarting, this is quick.
      await around.pause(300);
      if (!threadId) threadId = await untilAnswered(() => findThread(text));
      if (threadId) await untilAnswered(() => fetchThread(keep));
      const arrived = state.conversation.items.some(
        (item) => item.type === "user_message" && !known.has(item.id) && textOf(item) === text,
      );
      set({ isLost: false });
      if (state.isSending && !arrived) return set({ note: "notSent" });
      if (state.isSending) {
        acknowledge(from);
        if (state.conversation.thread) around.onThread(state.conversation.thread);
      }
      await follow(keep);
      set({ note: "cut" });
    } catch (error) {
      set({ isLost: false });
      fail(error as Error);
    }
  }

  /** The thread that a message of ours made, if it did. */
  async function findThread(text: string): Promise<string | undefined> {
    const { data } = await wire.ask("threads.list", { limit: 5, order: "desc" });
    for (const { id } of data) {
      if (around.isKnown(id)) continue;
      const page = await wire.ask("items.list", { thread_id: id, limit: 1, order: "asc" });
      const first = page.data[0];
      if (first?.type === "user_message" && textOf(first) === text) return id;
    }
    return undefined;
  }

  /** A server may go on without a listener: reads until nothing changes. */
  async function follow(keep: ReadonlySet<string>): Promise<void> {
    let last = "";
    for (let times = 0; times < FOLLOW && !abort?.signal.aborted; times++) {
      const now = JSON.stringify(state.conversation.items);
      if (now === last) return;
      last = now;
      await around.pause(1000);
      await untilAnswered(() => fetchThread(keep));
    }
  }

  /** Gives the conversation a title; without it, it keeps the one of the server. */
  async function retitle(title: string): Promise<void> {
    const { thread } = state.conversation;
    if (!thread || !threadId) return;
    try {
      await wire.ask("threads.update", { thread_id: threadId, title });
    } catch {
      return;
    }
    set({ conversation: { ...state.conversation, thread: { ...thread, title } } });
    around.onThread({ ...thread, title });
  }

  /** The samples of widgets have buttons for tools that only their author has: that is no fault. */
  function explain(action: SentAction): void {
    const { fault, ...conversation } = state.conversation;
    const message = fault?.message ?? "";
    const isUnknown = ["Unknown tool", "has no tool"].some((text) =>
      message.includes(`${text} \`${action.type}\`.`),
    );
    if (isUnknown) set({ conversation, unhandled: action });
  }

  /** Tells a server that asks for a tool of the page that there is none. */
  async function answerClientTools(): Promise<void> {
    for (let times = 0; times < CLIENT_TOOLS; times++) {
      const last = state.conversation.items.at(-1);
      if (!threadId || last?.type !== "client_tool_call" || last.status !== "pending") return;
      const result = { error: `This page has no tool named ${last.name}.` };
      await run("threads.add_client_tool_output", { thread_id: threadId, result });
    }
  }

  return {
    /** Names the session also before its thread has an id. */
    key: ++count,
    get id() {
      return threadId;
    },
    get state() {
      return state;
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open,
    /** Sends a message; `title` is for a conversation that begins with it. */
    async send({ text, attachments }: Draft, title?: string): Promise<void> {
      if (state.phase !== "idle" || !(text.trim() || attachments.length)) return;
      drafts.write(threadId, { text, attachments });
      const input = {
        content: [{ type: "input_text" as const, text }],
        attachments: attachments.map((one) => one.id),
        inference_options: {},
      };
      set({ isSending: true });
      if (threadId) await run("threads.add_user_message", { thread_id: threadId, input });
      else {
        await run("threads.create", { input });
        if (title) await retitle(title);
      }
      await answerClientTools();
    },
    /** Runs an action of a widget. One that streams waits for its turn. */
    async act(item: Item, { type, payload }: SentAction, streams = true): Promise<void> {
      const action = { type, ...(payload !== undefined && { payload }) };
      const params = { thread_id: item.thread_id, item_id: item.id, action };
      if (streams) {
        await idle();
        await run("threads.custom_action", params);
        explain(action);
        return answerClientTools();
      }
      // What was said about the last attempt is gone.
      const { fault: _, ...conversation } = state.conversation;
      without("unhandled");
      set({ conversation });
      try {
        const { updated_item: item } = await wire.ask("threads.sync_custom_action", params);
        if (!item) return;
        const event = { type: "thread.item.replaced" as const, item };
        set({ conversation: reduce(state.conversation, event) });
      } catch (error) {
        fail(error as Error);
        explain(action);
      }
    },
    async answer(item: Item, answers: Record<string, Answer> | undefined): Promise<void> {
      await idle();
      await run("threads.add_structured_input", {
        thread_id: item.thread_id,
        item_id: item.id,
        input: answers ? { status: "answered", answers } : { status: "skipped", answers: {} },
      });
      await answerClientTools();
    },
    async retry(): Promise<void> {
      const question = lastQuestion(state.conversation);
      if (state.phase !== "idle" || !threadId || !question) return;
      set({ conversation: cutAfter(state.conversation, question.id) });
      await run("threads.retry_after_item", { thread_id: threadId, item_id: question.id });
      await answerClientTools();
    },
    stop: () => abort?.abort(),
    async earlier(): Promise<void> {
      const { before } = state.conversation;
      if (!threadId || before === undefined) return;
      const params = { thread_id: threadId, limit: PAGE, order: "desc" as const, after: before };
      try {
        const page = await wire.ask("items.list", params);
        set({ conversation: loadBefore(state.conversation, page) });
      } catch (error) {
        fail(error as Error);
      }
    },
    /** Takes over what was changed elsewhere, such as a title. */
    rename(title: string): void {
      const { thread } = state.conversation;
      if (thread) set({ conversation: { ...state.conversation, thread: { ...thread, title } } });
    },
  };
}

export type Session = ReturnType<typeof createSession>;
