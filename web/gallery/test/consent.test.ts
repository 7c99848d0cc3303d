import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Dict } from "@widgetcast/schema";
import { type Asked, answer } from "../src/answer";
import { Consent, type Question } from "../src/consent";
import { hostOf } from "../src/hosts";
import { forget } from "../src/mcp";
import { DEFAULT_PLAY } from "../src/play";
import { Traffic } from "../src/traffic";

const readOnly = { annotations: { readOnlyHint: true } };
const TOOLS: Dict[] = [
  { name: "read", ...readOnly },
  { name: "write" },
  { name: "erase", annotations: { readOnlyHint: "true" } },
  { name: "secret", ...readOnly, _meta: { ui: { visibility: ["model"] } } },
  { name: "shared", ...readOnly, _meta: { ui: { visibility: ["app"] } } },
  { name: "widgetcast_state", _meta: { ui: { visibility: ["app"] } } },
];
Object.assign(globalThis, { location: new URL("http://127.0.0.1/") });
/** The tools that the server was told to run. */
let ran: string[] = [];
globalThis.fetch = async (_, init) => {
  const { id, method, params } = JSON.parse(String(init?.body));
  if (method === "tools/call") ran.push(params.name);
  const result = method === "tools/list" ? { tools: TOOLS } : { content: [] };
  return Response.json({ jsonrpc: "2.0", id, result });
};

let asked: Asked[] = [];
let question: Question | undefined;
let consent = new Consent(() => {});
beforeEach(() => {
  forget();
  [ran, asked, question] = [[], [], undefined];
  consent = new Consent((one) => {
    question = one;
  });
});

function call(name: unknown, input: Dict = { a: 1 }): Promise<Dict> {
  const host = hostOf("claude");
  assert.ok(host);
  const props = {
    host,
    conditions: DEFAULT_PLAY.conditions,
    theme: "light" as const,
    width: 400,
    mode: "inline" as const,
    tool: "read",
    traffic: new Traffic(),
    consent,
    onAsk: (one: Asked) => asked.push(one),
  };
  return answer("tools/call", { name: name as string, arguments: input }, props);
}

async function questioned(): Promise<Question> {
  for (let turns = 0; turns < 100 && !question; turns++)
    await new Promise((done) => setImmediate(done));
  assert.ok(question, "the person is asked");
  return question;
}

test("a tool that only reads runs at once, and is noted", async () => {
  await call("read");
  await call("shared");
  assert.deepEqual(ran, ["read", "shared"]);
  assert.equal(asked[0]?.text, 'read {"a":1}');
  assert.equal(question, undefined);
});

test("the state of a view is kept without a word", async () => {
  await call("widgetcast_state");
  assert.deepEqual([ran, asked], [["widgetcast_state"], []]);
});

test("a tool that is not for views, or not there, is refused", async () => {
  await assert.rejects(call("secret"), { code: -32602, message: "secret is not visible to views" });
  await assert.rejects(call("nothing"), { code: -32602, message: "Unknown tool: nothing" });
  await assert.rejects(call(["write"]), { code: -32602 });
  assert.deepEqual(ran, []);
  assert.equal(asked[0]?.text, 'Refused: secret {"a":1}');
});

test("any other tool waits for the user, and runs once", async () => {
  for (const name of ["write", "erase"]) {
    ran = [];
    const waiting = call(name);
    const one = await questioned();
    assert.deepEqual([one.tool, JSON.parse(one.input), ran], [name, { a: 1 }, []]);
    one.decide(true);
    one.decide(true);
    await waiting;
    assert.deepEqual(ran, [name]);
    assert.equal(question, undefined);
  }
});

test("a question that is decided says nothing about the next", async () => {
  const first = call("write");
  const old = await questioned();
  old.decide(true);
  await first;
  const second = call("erase");
  const next = await questioned();
  old.decide(true);
  assert.equal(question, next, "it still waits");
  next.decide(false);
  await assert.rejects(second);
  assert.deepEqual(ran, ["write"]);
});

test("not now is an error, and so is a view that went away", async () => {
  for (const end of [(one: Question) => one.decide(false), () => consent.drop()]) {
    const waiting = call("write");
    end(await questioned());
    await assert.rejects(waiting, { code: -32000, message: "The user denied the call" });
  }
  assert.deepEqual(ran, []);
  assert.match(asked[0]?.text ?? "", /^Refused: write/);
});

test("one question at a time; the others are refused as busy", async () => {
  const first = call("write");
  await questioned();
  await assert.rejects(call("erase"), /^Error: Busy: write is waiting/);
  await assert.rejects(call("write"), /^Error: Busy/);
  (await questioned()).decide(true);
  await first;
  assert.deepEqual(ran, ["write"]);
});

test("nobody is asked about what is too long to be shown", async () => {
  await assert.rejects(call("write", { text: "x".repeat(20_000) }), /too long to show/);
  assert.deepEqual([ran, question], [[], undefined]);
});
