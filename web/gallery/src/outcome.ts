// What becomes of a call, as hosts tell a view: at once, late, in parts, as an error, or not at all.

import { type Dict, isDict, type Json } from "@widgetcast/schema";
import type { Conditions } from "./play";

/** How long a slow result takes, in milliseconds. */
export const SLOW = 2500;
const STEP = 600;

export interface Call {
  input: Json;
  result: Dict;
  conditions: Conditions;
}

/** The result as a host hands it on. */
export function handed({ result, conditions }: Call): Dict {
  if (conditions.outcome === "failing")
    return { isError: true, content: [{ type: "text", text: FAILURE }] };
  if (conditions.meta === "kept") return result;
  const { _meta, ...rest } = result;
  return rest;
}

export const FAILURE = "The service did not respond. (This failure is simulated.)";

/** The first members of the input, as a model writes them. */
export function partOf(input: Json, share: number): Dict {
  const members = isDict(input) ? Object.entries(input) : [];
  return Object.fromEntries(members.slice(0, Math.ceil(members.length * share)));
}

/** Tells a view about its call; gives what stops that. */
export function feed(send: (method: string, params: Dict) => void, call: Call): () => void {
  const timers: number[] = [];
  const later = (time: number, run: () => void) => timers.push(window.setTimeout(run, time));
  const partial = (share: number) =>
    send("ui/notifications/tool-input-partial", { arguments: partOf(call.input, share) });
  const all = () => send("ui/notifications/tool-input", { arguments: call.input });
  const done = () => send("ui/notifications/tool-result", handed(call));
  switch (call.conditions.outcome) {
    case "partial":
      partial(0.3);
      later(STEP, () => partial(0.6));
      break;
    case "cancelled":
      all();
      later(STEP, () => send("ui/notifications/tool-cancelled", { reason: "Stopped by the user" }));
      break;
    case "slow":
      all();
      later(SLOW, done);
      break;
    default:
      all();
      done();
  }
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
