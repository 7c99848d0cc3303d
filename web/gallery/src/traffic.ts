// Every message between views, their hosts and the server, for the timeline.

import { useEffect, useState } from "preact/hooks";
import { schemasPath } from "./address";
import { loadScript } from "./script";
import type { Dict } from "./value";

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
  /** The method that this answers. */
  answers: string | undefined;
}

/** More would slow the page down; the oldest are left out. */
const MOST = 400;

export class Traffic {
  entries: Entry[] = [];
  private count = 0;
  private open = new Map<string, string>();
  private listeners = new Set<() => void>();

  /** Notes a message. An answer is known by the number of the request in the other direction. */
  add(host: string, from: Side, to: Side, message: Dict): void {
    const key = (asker: Side, answerer: Side) => `${host} ${asker} ${answerer} ${message.id}`;
    let answers: string | undefined;
    if (message.id !== undefined && typeof message.method === "string")
      this.open.set(key(from, to), message.method);
    else if (message.id !== undefined) {
      answers = this.open.get(key(to, from));
      this.open.delete(key(to, from));
    }
    const number = ++this.count;
    const entry = { number, at: performance.now(), host, from, to, message, answers };
    this.entries = [...this.entries.slice(1 - MOST), entry];
    for (const listener of this.listeners) listener();
  }

  clear(): void {
    this.entries = [];
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
  if (!schemas) throw new Error("The schemas were not loaded");
  return ({ message, answers }) => {
    if (!judged.has(message)) judged.set(message, schemas.check(message, answers));
    return judged.get(message);
  };
}
