// The client of the endpoint: one request each, and the reader of its events. It keeps nothing.

import { GALLERY_TOOL } from "@widgetcast/client/wire";
import { type Dict, isDict } from "@widgetcast/schema";
import type {
  Attachment,
  Command,
  FoundThread,
  JsonRequests,
  StreamEvent,
  StreamRequests,
} from "./protocol";

/** What the server refused, in its own words if it said any; or, with status 0, that nobody answered. */
export class WireError extends Error {
  constructor(
    readonly status: number,
    message = "",
  ) {
    super(message);
  }

  /** Whether the same request may work later. */
  get isLost(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export interface Wire {
  ask<K extends keyof JsonRequests>(
    type: K,
    params: JsonRequests[K][0],
  ): Promise<JsonRequests[K][1]>;
  stream<K extends keyof StreamRequests>(
    type: K,
    params: StreamRequests[K],
    signal: AbortSignal,
  ): AsyncIterable<StreamEvent>;
  search(query: string): Promise<FoundThread[]>;
  commands(query: string): Promise<Command[]>;
  /** The values that the author of a command gave to try it with, where the gallery is served beside. */
  sample(name: string): Promise<Dict | undefined>;
  upload(to: NonNullable<Attachment["upload_descriptor"]>, file: Blob): Promise<void>;
}

/**
 * An address of this very server as its path: behind a proxy the server may not know by which scheme
 * it is reached.
 */
export function ownPath(address: string, page: string): string {
  const { host, pathname, search } = new URL(address, page);
  return host === new URL(page).host ? pathname + search : address;
}

/** The words of a refusal, wherever a server puts them. */
function wordsOf(body: string): string {
  try {
    const { error, message, detail } = JSON.parse(body);
    const found = error?.message ?? message ?? detail ?? error;
    return typeof found === "string" ? found : "";
  } catch {
    // A page of a proxy is no sentence to show.
    return /^[^<]{1,300}$/.test(body) ? body.trim() : "";
  }
}

export function createWire(endpoint: string, send: typeof fetch = (...a) => fetch(...a)): Wire {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const answer = await send(path, init).catch((error: Error) => {
      throw error.name === "AbortError" ? error : new WireError(0);
    });
    if (answer.ok) return answer;
    throw new WireError(answer.status, wordsOf(await answer.text().catch(() => "")));
  };
  const post = (type: string, params: unknown, signal?: AbortSignal) =>
    call(endpoint, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type, params }),
      ...(signal && { signal }),
    });
  const json = async (answer: Response) =>
    answer.json().catch(() => {
      throw new WireError(0);
    });
  const listOf = async (name: string, query: string) => {
    const answer = await call(`${endpoint}/${name}?q=${encodeURIComponent(query)}`);
    const { data } = await json(answer);
    return Array.isArray(data) ? data : [];
  };
  return {
    ask: async (type, params) => json(await post(type, params)),
    async *stream(type, params, signal) {
      const { body } = await post(type, params, signal);
      if (body) yield* readEvents(body);
    },
    search: (query) => listOf("search", query),
    commands: (query) => listOf("commands", query),
    async sample(name) {
      const at = endpoint.replace(/\/chatkit$/, GALLERY_TOOL) + encodeURIComponent(name);
      const { sample } = await call(at)
        .then(json)
        .catch(() => ({}));
      return isDict(sample) ? sample : undefined;
    },
    async upload({ url, method, headers }, file) {
      await call(url, { method, headers: { "content-type": file.type, ...headers }, body: file });
    },
  };
}

/**
 * The events of a stream. Throws a `WireError` if the connection ends before the stream does; what is
 * not JSON is left out, so that one bad event costs no answer.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let finished = false;
  try {
    while (!finished) {
      const { value, done } = await reader.read().catch((error: Error) => {
        throw error.name === "AbortError" ? error : new WireError(0);
      });
      finished = done;
      rest += done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end.
      const frames = rest.split(/\r\n\r\n|\n\n|\r\r(?!$)/);
      rest = frames.pop() ?? "";
      for (const frame of frames) {
        const event = eventOf(frame);
        if (event) yield event;
      }
    }
  } finally {
    // The reader left early: the connection is of no more use.
    if (!finished) reader.cancel().catch(() => {});
  }
}

function eventOf(frame: string): StreamEvent | undefined {
  const data = frame
    .split(/\r\n|\n|\r/)
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).replace(/^ /, ""))
    .join("\n");
  try {
    const event = JSON.parse(data);
    return typeof event?.type === "string" ? event : undefined;
  } catch {
    return undefined;
  }
}
