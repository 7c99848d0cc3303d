// Whatever the order in which the messages of both protocols arrive, the client agrees with a model.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type CallToolResult, createClient } from "@widgetcast/client";
import { createMockHost } from "@widgetcast/client/mock";
import { freshWindow } from "./dom";

type Event =
  | { by: "bridge" | "globals"; kind: "input" | "result"; value: number }
  | { by: "bridge"; kind: "partial" | "failure" | "cancel"; value: number }
  | { by: "globals"; kind: "theme"; value: number };

const KINDS: Pick<Event, "by" | "kind">[] = [
  { by: "bridge", kind: "input" },
  { by: "bridge", kind: "partial" },
  { by: "bridge", kind: "result" },
  { by: "bridge", kind: "failure" },
  { by: "bridge", kind: "cancel" },
  { by: "globals", kind: "input" },
  { by: "globals", kind: "result" },
  { by: "globals", kind: "theme" },
];

/** Numbers below a limit, the same for the same seed. */
const random = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * below);
};

/** What a page should be told after these events. */
function model(events: Event[]) {
  let [input, partial, result, reason, isWhole]: (number | undefined)[] = [];
  const globals: Record<string, number> = {};
  for (const { by, kind, value } of events) {
    // The globals repeat what they have, and repeat only what the bridge has said whole.
    if (by === "globals" && (globals[kind] === value || kind === "theme")) continue;
    if (by === "globals") globals[kind] = value;
    if (by === "globals" && isWhole) continue;
    if (kind === "input" && input !== value) [input, reason] = [value, undefined];
    if (kind === "partial") partial = value;
    if (kind === "cancel") reason = value;
    if (kind === "result") result = value;
    if (kind === "failure") result = -value;
    if (by === "bridge" && (kind === "result" || kind === "failure")) isWhole = 1;
  }
  if (result !== undefined && result < 0) return ["failed", -result];
  if (result !== undefined) return ["done", result, input];
  return reason === undefined ? ["waiting", input ?? partial] : ["cancelled", reason];
}

test("any order of messages", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const below = random(seed);
    freshWindow();
    const host = createMockHost({ openai: true });
    const client = createClient({ autoResize: false });
    await client.ready;
    const told = () => {
      const state = client.tool();
      if (state.status === "waiting") return ["waiting", state.input?.at];
      if (state.status === "cancelled") return ["cancelled", Number(state.reason)];
      if (state.status === "failed") return ["failed", Number(state.error.message)];
      return ["done", state.output?.at, state.input?.at];
    };
    const events: Event[] = [];
    for (let step = 0; step < 8; step++) {
      const event = { ...KINDS[below(KINDS.length)], value: 1 + below(2) } as Event;
      events.push(event);
      const { by, kind, value } = event;
      const at = { at: value };
      const failure = { isError: true, content: [{ type: "text", text: `${value}` }] };
      if (by === "globals") {
        if (kind === "input") host.openai?.set({ toolInput: at });
        else if (kind === "result") host.openai?.set({ toolOutput: at });
        else host.openai?.set({ theme: value > 1 ? "dark" : "light" });
      } else if (kind === "input") await host.input(at);
      else if (kind === "partial") await host.partial(at);
      else if (kind === "cancel") await host.cancel(`${value}`);
      else if (kind === "failure") await host.result(failure as CallToolResult);
      else await host.result({ structuredContent: at });
      assert.deepEqual(told(), model(events), `seed ${seed}: ${JSON.stringify(events)}`);
    }
    host.close();
  }
});
