// What the page knows of one conversation, and what each event makes of it. Pure: no clock, no
// network, no document.

import type {
  AssistantMessage,
  Item,
  Level,
  OutputText,
  Page,
  StreamEvent,
  Thread,
  Update,
  UserMessage,
} from "./protocol";
import { appendText, changeComponent } from "./widget-tree";

export interface Notice {
  level: Level;
  message: string;
  title?: string;
}

export interface Fault {
  /** The server's words; without them the page has some of its own. */
  message?: string;
  canRetry: boolean;
}

export interface Conversation {
  thread?: Thread;
  items: Item[];
  /** The ids of items that are still written. */
  open: ReadonlySet<string>;
  /** Where the items before the first one begin; undefined if there are none. */
  before?: string;
  progress?: { text: string; icon?: string };
  notices: Notice[];
  fault?: Fault;
  canCancel: boolean;
  /** The last item that was finished in this stream: what a screen reader waits for. */
  finished?: Item;
}

export const EMPTY: Conversation = { items: [], open: new Set(), notices: [], canCancel: true };

/** The state before a new request: what was said about the last one is gone. */
export function begin({ progress: _, fault: __, ...state }: Conversation): Conversation {
  return { ...state, notices: [], canCancel: true };
}

/** The state after a stream: nothing is written any more. */
export function settle({ progress: _, ...state }: Conversation): Conversation {
  return { ...state, open: new Set() };
}

export function reduce(state: Conversation, event: StreamEvent): Conversation {
  switch (event.type) {
    case "thread.created":
    case "thread.updated":
      return { ...state, thread: event.thread };
    case "thread.item.added":
      return put(withoutProgress(state), event.item, true);
    case "thread.item.done":
      return { ...put(withoutProgress(state), event.item, false), finished: event.item };
    case "thread.item.replaced":
      return { ...put(state, event.item, false), finished: event.item };
    case "thread.item.updated":
      return change(state, event.item_id, (item) => update(item, event.update));
    case "thread.item.removed":
      return {
        ...state,
        items: state.items.filter(({ id }) => id !== event.item_id),
        open: without(state.open, event.item_id),
      };
    case "stream_options":
      return { ...state, canCancel: event.stream_options.allow_cancel };
    case "progress_update": {
      const { text, icon } = event;
      return { ...state, progress: { text, ...(icon && { icon }) } };
    }
    case "notice": {
      const { level, message, title } = event;
      return { ...state, notices: [...state.notices, { level, message, ...(title && { title }) }] };
    }
    case "error": {
      const { message, allow_retry } = event;
      return { ...state, fault: { canRetry: allow_retry === true, ...(message && { message }) } };
    }
    // This page has no effects of its own, and a later protocol may have more events.
    default:
      return state;
  }
}

function withoutProgress({ progress: _, ...state }: Conversation): Conversation {
  return state;
}

function without(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return set.has(id) ? new Set([...set].filter((one) => one !== id)) : set;
}

/** Adds an item, or replaces the one with its id where it stands. */
function put(state: Conversation, item: Item, isOpen: boolean): Conversation {
  const at = state.items.findIndex(({ id }) => id === item.id);
  const items = at < 0 ? [...state.items, item] : state.items.with(at, item);
  const open = isOpen ? new Set(state.open).add(item.id) : without(state.open, item.id);
  return { ...state, items, open };
}

function change(state: Conversation, id: string, by: (item: Item) => Item): Conversation {
  const at = state.items.findIndex((item) => item.id === id);
  const item = state.items[at];
  return item ? { ...state, items: state.items.with(at, by(item)) } : state;
}

/** A list with one place changed; places before it that are missing are filled. */
function setAt<T>(list: readonly T[], at: number, value: T, filler: T): T[] {
  const next = [...list];
  while (next.length < at) next.push(filler);
  next[at] = value;
  return next;
}

const NO_TEXT: OutputText = { type: "output_text", text: "", annotations: [] };

function part(item: AssistantMessage, at: number, by: (part: OutputText) => OutputText): Item {
  const content = setAt(item.content, at, by(item.content[at] ?? NO_TEXT), NO_TEXT);
  return { ...item, content };
}

function update(item: Item, change: Update): Item {
  switch (change.type) {
    case "assistant_message.content_part.added":
    case "assistant_message.content_part.done":
      return item.type === "assistant_message"
        ? part(item, change.content_index, () => change.content)
        : item;
    case "assistant_message.content_part.text_delta":
      return item.type === "assistant_message"
        ? part(item, change.content_index, (old) => ({ ...old, text: old.text + change.delta }))
        : item;
    case "assistant_message.content_part.annotation_added": {
      const { annotation, annotation_index: at } = change;
      if (item.type !== "assistant_message") return item;
      return part(item, change.content_index, (old) => ({
        ...old,
        annotations: setAt(old.annotations ?? [], at, annotation, annotation),
      }));
    }
    case "widget.root.updated":
      return item.type === "widget" ? { ...item, widget: change.widget } : item;
    case "widget.component.updated":
      return item.type === "widget"
        ? {
            ...item,
            widget: changeComponent(item.widget, change.component_id, () => change.component),
          }
        : item;
    case "widget.streaming_text.value_delta":
      return item.type === "widget"
        ? {
            ...item,
            widget: appendText(item.widget, change.component_id, change.delta, change.done),
          }
        : item;
    case "workflow.task.added":
    case "workflow.task.updated": {
      if (item.type !== "workflow") return item;
      const tasks = setAt(item.workflow.tasks, change.task_index, change.task, change.task);
      return { ...item, workflow: { ...item.workflow, tasks } };
    }
    case "generated_image.updated":
      return item.type === "generated_image" ? { ...item, image: change.image } : item;
    default:
      return item;
  }
}

/**
 * What the server has is so: `page` has the last items of the thread, the newest first. Items of
 * `keep` stay even if the server does not have them.
 */
export function load(
  state: Conversation,
  thread: Thread,
  page: Page<Item>,
  keep: ReadonlySet<string> = new Set(),
): Conversation {
  const latest = [...page.data].reverse();
  const ids = new Set(latest.map(({ id }) => id));
  latest.push(...state.items.filter(({ id }) => keep.has(id) && !ids.has(id)));
  // Items before the page stay if they were read before; the rest of the old list is not the server's.
  const first = state.items.findIndex(({ id }) => ids.has(id));
  const older = page.has_more && first > 0 ? state.items.slice(0, first) : [];
  const { before: _, ...rest } = state;
  const before = older.length ? state.before : page.has_more ? page.after : undefined;
  return {
    ...settle(rest),
    thread,
    items: [...older, ...latest],
    ...(before !== undefined && { before }),
  };
}

/** Adds the page of items before the first. */
export function loadBefore(state: Conversation, page: Page<Item>): Conversation {
  const known = new Set(state.items.map(({ id }) => id));
  const older = [...page.data].reverse().filter(({ id }) => !known.has(id));
  const { before: _, ...rest } = state;
  return {
    ...rest,
    items: [...older, ...state.items],
    ...(page.has_more && page.after !== undefined && { before: page.after }),
  };
}

/** What goes before a message is answered anew. */
export function cutAfter(state: Conversation, id: string): Conversation {
  const at = state.items.findIndex((item) => item.id === id);
  return at < 0 ? state : { ...state, items: state.items.slice(0, at + 1) };
}

export const textOf = ({ content }: UserMessage): string =>
  content.map(({ text }) => text).join("");

export function lastQuestion(state: Conversation): UserMessage | undefined {
  return state.items.findLast((item) => item.type === "user_message");
}
