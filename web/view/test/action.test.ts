import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ability, CallToolResult } from "@widgetcast/client";
import { type Host, message, perform, resultText } from "../src/action";
import type { Action } from "../src/context";

type Answer = CallToolResult | Error;

/** A host that can do what `abilities` says, and notes what it is asked. */
function host(abilities: Ability[], answer: Answer = { content: [] }, refuses: Ability[] = []) {
  const asked: unknown[][] = [];
  const note =
    (ability: Ability) =>
    async (...args: unknown[]) => {
      asked.push([ability, ...args]);
      if (refuses.includes(ability)) throw new Error("refused");
    };
  const it: Host = {
    hostContext: { locale: "en-GB" },
    can: (ability) => abilities.includes(ability),
    openLink: note("openLink"),
    sendMessage: note("sendMessage"),
    updateModelContext: note("updateModelContext"),
    callToolResult: async (...args) => {
      asked.push(["callTool", ...args]);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { it, asked };
}

const from = { label: "Track", type: "Button" };
const track: Action = { type: "order.track", payload: { id: 7 } };
const ALL: Ability[] = ["openLink", "callTool", "sendMessage", "updateModelContext"];
const said = 'I chose “Track”.\n\norder.track {"id":7}';
const failed = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text }],
});

test("1: a link opens", async () => {
  for (const type of ["open", "page.openUrl", "LINK", "show_url"]) {
    const { it, asked } = host(ALL);
    const action: Action = { type, payload: { url: "https://a.example/" }, handler: "client" };
    assert.deepEqual(await perform(it, action, from, new Set()), { kind: "link" });
    assert.deepEqual(asked, [["openLink", "https://a.example/"]]);
  }
});

test("1: what is no safe address, or no link by its type, is no link", async () => {
  for (const [type, url] of [
    ["open", "javascript:alert(1)"],
    ["open", undefined],
    ["order.show", "https://a.example/"],
  ]) {
    const { it, asked } = host(ALL);
    await perform(it, { type: type as string, payload: { url } }, from, new Set());
    assert.equal(asked[0]?.[0], "callTool");
  }
});

test("1: a host without links gets the address to read", async () => {
  for (const it of [host([]).it, host(["openLink"], undefined, ["openLink"]).it]) {
    const outcome = await perform(
      it,
      { type: "open", payload: { url: "https://a.example/" } },
      from,
      new Set(),
    );
    assert.ok(outcome.kind === "stuck" && outcome.text.includes("https://a.example/"));
  }
});

test("2: an action for the client is a message", async () => {
  const { it, asked } = host(ALL);
  assert.deepEqual(await perform(it, { ...track, handler: "client" }, from, new Set()), {
    kind: "message",
  });
  assert.deepEqual(asked, [["sendMessage", { type: "text", text: said }]]);
});

test("3: the tool of that name is called with the payload", async () => {
  const result: CallToolResult = { content: [{ type: "text", text: "ok" }] };
  for (const [type, payload, args] of [
    ["order.track", { id: 7 }, { id: 7 }],
    ["tool:order.track", { id: 7 }, { id: 7 }],
    ["order.track", undefined, {}],
    ["order.track", "x", { value: "x" }],
  ] as const) {
    const { it, asked } = host(ALL, result);
    const outcome = await perform(it, { type, payload }, from, new Set());
    assert.deepEqual(outcome, { kind: "result", result });
    assert.deepEqual(asked, [["callTool", "order.track", args]]);
  }
});

test("3: a failing tool is a result, a failing call says why", async () => {
  const result = failed("The parcel is lost");
  assert.deepEqual(await perform(host(ALL, result).it, track, from, new Set()), {
    kind: "result",
    result,
  });
  const outcome = await perform(host(ALL, new Error("timed out")).it, track, from, new Set());
  assert.deepEqual(outcome, { kind: "stuck", text: "timed out" });
});

test("3: a tool that the server does not know becomes a message, and is not asked for again", async () => {
  const unsupported = Object.assign(new Error("no"), { name: "NotSupportedError" });
  for (const answer of [
    new Error("Unknown tool: order.track"),
    new Error("MCP error -32602: Tool order.track not found"),
    failed("Unknown tool: order.track; did you mean order_status?"),
    failed("Tool order.track not found"),
    unsupported,
  ]) {
    const strange = new Set<string>();
    const { it, asked } = host(ALL, answer);
    assert.deepEqual(await perform(it, track, from, strange), { kind: "message" });
    assert.deepEqual(await perform(it, track, from, strange), { kind: "message" });
    assert.deepEqual(
      asked.map(([ability]) => ability),
      ["callTool", "sendMessage", "sendMessage"],
    );
  }
});

test("4: message, else model context, else the reader is told", async () => {
  const { it, asked } = host(["updateModelContext"]);
  assert.deepEqual(await perform(it, track, from, new Set()), { kind: "context" });
  assert.deepEqual(asked, [["updateModelContext", { content: [{ type: "text", text: said }] }]]);

  const refusing = host(["sendMessage", "updateModelContext"], undefined, ["sendMessage"]);
  assert.deepEqual(await perform(refusing.it, track, from, new Set()), { kind: "context" });

  const outcome = await perform(host([]).it, track, from, new Set());
  assert.equal(outcome.kind, "stuck");
});

test("a message says what was chosen", () => {
  assert.equal(message(track, from, "en"), said);
  assert.equal(message({ type: "x" }, { type: "Select" }, "en"), "x");
  assert.equal(message({ type: "x" }, from, "de"), "Ich habe „Track“ gewählt.\n\nx");
});

test("a password goes to tools alone", async () => {
  const secret = { ...from, secret: true };
  const { it, asked } = host(["sendMessage", "updateModelContext"]);
  assert.equal((await perform(it, track, secret, new Set())).kind, "stuck");
  assert.deepEqual(asked, []);
  assert.equal((await perform(host(ALL).it, track, secret, new Set())).kind, "result");
});

test("an error names places in words, not by pointers", () => {
  const cases = [
    [
      'the data does not fit order:\n- /rows/0/unit_price: must be a number, not "/a"\n- /name: is missing',
      'the data does not fit order:\n- Rows 1, Unit price: must be a number, not "/a"\n- Name: is missing',
    ],
    ["/shipTo/0/1/zip: is missing", "Ship To 1 2, Zip: is missing"],
    ["no file at /etc/hosts: ask again", "no file at /etc/hosts: ask again"],
  ] as const;
  for (const [text, words] of cases) {
    assert.equal(resultText(failed(text)), words);
    assert.equal(resultText({ content: [{ type: "text", text }] }), text, "not of a result");
  }
});
