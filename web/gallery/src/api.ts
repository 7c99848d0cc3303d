// What the server tells this page: the gallery's documented endpoints.

import {
  GALLERY_DRAFT,
  GALLERY_DRAW,
  GALLERY_EVENTS,
  GALLERY_INDEX,
  GALLERY_TOOL,
} from "@widgetcast/client/wire";
import { type Dict, isDict, type Json } from "@widgetcast/schema";
import { base } from "./base";

export interface Tool {
  name: string;
  title: string;
  description: string;
  kind: "widget" | "tool";
  readOnly: boolean;
  /** Whether its author gave a sample to draw it with, before anybody asks for it. */
  drawn: boolean;
}
export interface Finding {
  /** From the served folder on. */
  file: string;
  line: number | null;
  tool: string | null;
  severity: "error" | "warning" | "note";
  code: string;
  /** Whether the file gives no widget. A name that is taken is an error, and the file is not broken. */
  broken: boolean;
  message: string;
  excerpt: string;
}
export interface Index {
  name: string;
  version: string;
  endpoint: string;
  /** The folder that is served; null if there is none. */
  dir: string | null;
  /** Whether the server drafts widgets for its tools. */
  drafts: boolean;
  tools: Tool[];
  findings: Finding[];
}
export interface Detail {
  name: string;
  title: string;
  description: string;
  kind: "widget" | "tool";
  inputSchema: Dict;
  outputSchema?: Dict;
  sample: Dict | null;
  findings: Finding[];
}
/** A file that was broken from the start: there is no widget, only what is wrong. */
export interface Broken {
  name: string;
  title: string;
  kind: "broken";
  findings: Finding[];
}
export interface Fault {
  pointer: string;
  message: string;
}
export interface Loss {
  path: string;
  reason: string;
}
export interface Shown {
  name: string;
  format: "json" | "ansi" | "markdown";
  text: string;
  losses: Loss[];
}
/** The drawing of a sample. */
export interface Card {
  tree: Json;
  icons: Record<string, [string, Record<string, string>][]> | null;
  text: string;
  isError: boolean;
}
export interface Drawing extends Card {
  errors: Fault[];
  result: Dict;
  surfaces: Shown[];
  /** How many bytes of the result reach a model: in all, as text, as data. */
  model: { bytes: number; text: number; data: number };
}

declare global {
  /** The answer to the first request for the index: index.html asks before this script is read. */
  var early: Promise<Response> | undefined;
}

async function ask<T>(path: string, init?: RequestInit, asked?: Promise<Response>): Promise<T> {
  const answer = await (asked ?? fetch(base() + path, init));
  if (answer.ok) return answer.json();
  const body = (await answer.text()).trim();
  throw new Error(reason(body) ?? `The server returned ${answer.status} to ${path}`);
}

function reason(body: string): string | undefined {
  try {
    const value: Json = JSON.parse(body);
    const error = isDict(value) ? value.error : undefined;
    const message = isDict(error) ? error.message : error;
    return typeof message === "string" ? message : undefined;
  } catch {
    return body.length > 0 && body.length < 300 && !body.startsWith("<") ? body : undefined;
  }
}

const quiet = (signal?: AbortSignal): RequestInit => (signal ? { signal } : {});

export function index(): Promise<Index> {
  const { early } = globalThis;
  globalThis.early = undefined;
  return ask(GALLERY_INDEX, { cache: "no-store" }, early);
}

export const detail = (name: string, signal?: AbortSignal): Promise<Detail | Broken> =>
  ask(GALLERY_TOOL + encodeURIComponent(name), { cache: "no-store", ...quiet(signal) });

const posted = (body: Dict): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

export const draw = (tool: string, input: Json, signal?: AbortSignal): Promise<Drawing> =>
  ask(GALLERY_DRAW, { ...posted({ tool, arguments: input }), ...quiet(signal) });

/** A widget that was drafted from the results of a tool. */
export interface Draft {
  /** Where it was written; null if the server has no directory of widgets. */
  file: string | null;
  source: string;
}

export const draft = (tool: string): Promise<Draft> => ask(GALLERY_DRAFT, posted({ tool }));

/** A widget with its sample. */
export const card = (tool: string): Promise<Card> => ask(GALLERY_DRAW, posted({ tool }));

/** Calls back with the names that changed; with none when the connection was lost and is back. */
export function watch(
  changed: (tools: string[] | undefined) => void,
  online: (yes: boolean) => void,
): () => void {
  let source: EventSource | undefined;
  let lost = false;
  const open = () => {
    source = new EventSource(base() + GALLERY_EVENTS);
    source.addEventListener("changed", (event) => {
      const data: Json = JSON.parse(event.data);
      const names = isDict(data) && Array.isArray(data.tools) ? data.tools.map(String) : undefined;
      changed(names);
    });
    source.onopen = () => {
      online(true);
      if (lost) changed(undefined);
      lost = false;
    };
    source.onerror = () => {
      lost = true;
      online(false);
    };
  };
  // Browsers allow six connections to a server; a hidden tab must not keep one open.
  const look = () => {
    source?.close();
    lost = true;
    if (!document.hidden) open();
  };
  if (document.hidden) lost = true;
  else open();
  document.addEventListener("visibilitychange", look);
  return () => {
    document.removeEventListener("visibilitychange", look);
    source?.close();
  };
}
