// The transcript of the official server, which lies next to the checkout, and streams in odd pieces.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { StreamEvent } from "../src/protocol";
import { readEvents } from "../src/wire";

const SHARED = fileURLToPath(new URL("../../../../shared/chatkit/", import.meta.url));

export interface Exchange {
  name: string;
  request: { type: string; params: Record<string, unknown> };
  content_type: string;
  body: string;
}

export const skip = existsSync(SHARED) ? false : "there is no ../shared/chatkit";
const read = (name: string) => JSON.parse(readFileSync(SHARED + name, "utf8"));
export const transcript = (): Exchange[] => read("transcript.json");
export const eventSchema = () => read("ThreadStreamEvent.schema.json");

export function streamOf(text: string, size = 7): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

export async function eventsOf(text: string, size?: number): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of readEvents(streamOf(text, size))) events.push(event);
  return events;
}
