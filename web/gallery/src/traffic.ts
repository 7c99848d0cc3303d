// Every message between views, their hosts and the server, for the timeline.

import type { Dict, Json } from "@widgetcast/schema";
import { useEffect, useState } from "preact/hooks";
import { schemasPath } from "./address";
import { loadScript } from "./script";

export type Side = "view" | "host" | "server";

export interface Entry {
  number: number;
  /** Milliseconds since the page was opened. */
  at: number;
  /** The id of the host. */
  host: string;
  from: Side;
  to: Side;
  message: Dict;
  /** Whether the message was too long to be kept as it was. */
  isCut: boolean;
  /** Whether it is what a host tells its app of a press, which is no message of MCP. */
  isInteraction: boolean;
  /** The method that this answers. */
  answers: string | undefined;
}

/** More would slow the page down; the oldest are left out. */
const MOST = 400;
/** Characters of JSON that are kept of one message, and of all. */
const MAX_MESSAGE = 64 * 1024;
const MAX_ALL = 4 * 1024 * 1024;
/** A longer id or method is not looked up. */
const MAX_NAME = 200;

/** JSON without its long texts, such as whole pages and pictures. */
export const shortened = (message: Dict): string =>
  JSON.stringify(message, (_, value) =>
    typeof value === "string" && value.length > 500
      ? `${value.slice(0, 200)}… (${value.length} characters)`
      : value,
  );

/** What is kept of a message. A view may send what is no JSON, such as a value that holds itself. */
function kept(message: Dict): { text: string; isCut: boolean } {
  try {
    const text = JSON.stringify(message);
    if (text.length <= MAX_MESSAGE) return { text, isCut: false };
    const short = shortened(message);
    if (short.length <= MAX_MESSAGE) return { text: short, isCut: true };
  } catch {
    // Only its name is kept.
  }
  const names = ["jsonrpc", "id", "method"].map((name) => [name, nameOf(message[name])]);
  return { text: JSON.stringify(Object.fromEntries(names)), isCut: true };
}

const nameOf = (value: Json | undefined): string | number | undefined =>
  typeof value === "string"
    ? value.slice(0, MAX_NAME)
    : typeof value === "number"
      ? value
      : undefined;

export class Traffic {
  entries: Entry[] = [];
  private count = 0;
  private sizes: number[] = [];
  private total = 0;
  private open = new Map<string, string>();
  private listeners = new Set<() => void>();

  /** Notes a message. An answer is known by the number of the request in the other direction. */
  add(host: string, from: Side, to: Side, message: Dict): void {
    const id = nameOf(message.id);
    const key = (asker: Side, answerer: Side) => `${host} ${asker} ${answerer} ${id}`;
    let answers: string | undefined;
    if (id !== undefined && typeof message.method === "string")
      this.asked(key(from, to), message.method.slice(0, MAX_NAME));
    else if (id !== undefined) {
      answers = this.open.get(key(to, from));
      this.open.delete(key(to, from));
    }
    this.keep({ host, from, to, answers, isInteraction: false }, message);
  }

  /** Notes what a person pressed in a drawing, as the host tells its app of it. */
  press(host: string, name: string, params: Dict): void {
    const what = {
      host,
      from: "view",
      to: "host",
      answers: undefined,
      isInteraction: true,
    } as const;
    this.keep(what, { method: name, params });
  }

  /** How many requests wait for their answer. */
  get waiting(): number {
    return this.open.size;
  }

  private asked(key: string, method: string): void {
    this.open.set(key, method);
    const [oldest] = this.open.keys();
    if (this.open.size > MOST && oldest !== undefined) this.open.delete(oldest);
  }

  private keep(
    about: Pick<Entry, "host" | "from" | "to" | "answers" | "isInteraction">,
    whole: Dict,
  ): void {
    const { text, isCut } = kept(whole);
    // A copy, because a value that came from a view may hold more than its JSON.
    const message: Dict = JSON.parse(text);
    const entry = { ...about, number: ++this.count, at: performance.now(), message, isCut };
    this.sizes.push(text.length);
    this.total += text.length;
    let gone = 0;
    while (this.sizes.length > MOST || this.total > MAX_ALL) {
      this.total -= this.sizes.shift() ?? 0;
      gone++;
    }
    this.entries = [...this.entries.slice(gone), entry];
    for (const listener of this.listeners) listener();
  }

  clear(): void {
    this.entries = [];
    this.sizes = [];
    this.total = 0;
    for (const listener of this.listeners) listener();
  }

  listen(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The entries, at most once a frame: hosts that start together say much at once. */
export function useEntries(traffic: Traffic): Entry[] {
  const [entries, setEntries] = useState(traffic.entries);
  useEffect(() => {
    let waiting = 0;
    const stop = traffic.listen(() => {
      waiting ||= window.setTimeout(() => {
        waiting = 0;
        setEntries(traffic.entries);
      }, 50);
    });
    setEntries(traffic.entries);
    return () => {
      clearTimeout(waiting);
      stop();
    };
  }, [traffic]);
  return entries;
}

interface Schemas {
  check(message: Dict, answers: string | undefined): string | undefined;
}
declare global {
  var widgetcastSchemas: Schemas | undefined;
}

const judged = new WeakMap<Dict, string | undefined>();

/** Loads the schemas; gives the function that says what is wrong with a message. */
export async function loadCheck(): Promise<(entry: Entry) => string | undefined> {
  await loadScript(schemasPath());
  const schemas = globalThis.widgetcastSchemas;
  if (!schemas) throw new Error("The schemas could not be loaded");
  return ({ message, answers, isCut, isInteraction }) => {
    // Neither is a message as it was sent.
    if (isCut || isInteraction) return undefined;
    if (!judged.has(message)) judged.set(message, schemas.check(message, answers));
    return judged.get(message);
  };
}
