import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Dict } from "@widgetcast/schema";
import { act, withoutBlanks } from "../src/act";
import type { Asked } from "../src/answer";
import { Consent, type Question } from "../src/consent";
import { hostOf } from "../src/hosts";
import { forget } from "../src/mcp";
import { cardPress, linkPress, slackPress, treePress } from "../src/press";
import { Traffic } from "../src/traffic";

const submit = { type: "button", action_id: "tool:order", value: '{"place":"A","dish":"none"}' };
const state: Dict = {
  b1: { "input:dish": { type: "static_select", selected_option: { value: "soup" } } },
  b2: {
    "input:note": { type: "plain_text_input", value: "Hot" },
    "input:empty": { type: "plain_text_input", value: null },
    "other:x": { type: "plain_text_input", value: "not a field" },
  },
  b3: { "input:day": { type: "datepicker", selected_date: "2027-03-09" } },
  b4: { "input:one": { type: "checkboxes", selected_options: [{ value: "true" }] } },
  b5: { "input:none": { type: "checkboxes", selected_options: [] } },
  b6: { "input:two": { type: "checkboxes", selected_options: [{ value: "a" }, { value: "b" }] } },
};

test("a button of Slack calls the tool of its id, and fields take precedence over its value", () => {
  const { name, params, meant } = slackPress(submit, state);
  assert.equal(name, "block_actions");
  assert.deepEqual(params, { actions: [submit], state: { values: state } });
  assert.deepEqual(meant, {
    kind: "call",
    tool: "order",
    input: {
      place: "A",
      dish: "soup",
      note: "Hot",
      day: "2027-03-09",
      one: "true",
      two: ["a", "b"],
    },
  });
});

test("a menu of Slack sends what its option carries", () => {
  const option = { text: { type: "plain_text", text: "B" }, value: '{"id":2}' };
  const action = { type: "static_select", action_id: "tool:pick", selected_option: option };
  assert.deepEqual(slackPress(action, {}).meant, { kind: "call", tool: "pick", input: { id: 2 } });
});

test("a second button of the same tool has a number, which is not part of the tool's name", () => {
  const action = { type: "button", action_id: "tool:pick#2", value: "{}" };
  assert.deepEqual(slackPress(action, {}).meant, { kind: "call", tool: "pick", input: {} });
});

test("what Slack cannot send calls nothing, and says why", () => {
  const meant = (action: Dict) => slackPress({ type: "button", ...action }, {}).meant;
  assert.match(JSON.stringify(meant({ action_id: "vote", value: "{}" })), /starts with tool:/);
  for (const value of ["[1]", "seven", "null", "{"])
    assert.match(JSON.stringify(meant({ action_id: "tool:a", value })), /not a JSON object/, value);
  assert.deepEqual(meant({ action_id: "tool:a" }), { kind: "call", tool: "a", input: {} });
});

test("a submission of a card calls the tool of its action, and dotted names nest", () => {
  const data = { action: "order", payload: { id: 7, to: { name: "Ada" } }, dish: "soup" };
  const more = { "to.street": "Elm", "to.name": "Eve", "to.constructor.x": "bad" };
  const press = (of: Dict) =>
    cardPress({ type: "Action.Submit", title: "Go", data: of, url: "" }).meant;
  assert.deepEqual(press({ ...data, ...more }), {
    kind: "call",
    tool: "order",
    input: { id: 7, to: { name: "Ada", street: "Elm" }, dish: "soup" },
  });
  assert.equal(press({ dish: "soup" }).kind, "nothing");
});

test("links are shown, and only those that lead somewhere", () => {
  const url = "https://a.example/x";
  const link = { kind: "link", url };
  assert.deepEqual(linkPress(url).meant, link);
  assert.deepEqual(slackPress({ type: "button", url }, {}).meant, link);
  assert.deepEqual(cardPress({ type: "Action.OpenUrl", title: "", data: null, url }).meant, link);
  assert.deepEqual(treePress({ type: "open_url", payload: { url } }).meant, link);
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "file:///etc", "blob:x"])
    assert.equal(linkPress(bad).meant.kind, "nothing", bad);
});

test("an action of ChatKit goes to the server, unless the page handles it", () => {
  const press = treePress({ type: "order", payload: { id: 7 } });
  assert.equal(press.name, "threads.custom_action");
  assert.deepEqual(press.meant, { kind: "call", tool: "order", input: { id: 7 } });
  const own = treePress({ type: "order", payload: { id: 7 }, handler: "client" });
  assert.equal(own.name, "onAction");
  assert.match(JSON.stringify(own.meant), /embedding page/);
});

test("a field that was left empty is absent for ChatKit, unless the tool wants it", () => {
  const schema = { inputSchema: { required: ["name"] } };
  assert.deepEqual(withoutBlanks({ name: "", note: "", id: 0 }, schema), { name: "", id: 0 });
});

Object.assign(globalThis, { location: new URL("http://127.0.0.1/") });
/** The tools that the server was told to run. */
let ran: [string, Dict][] = [];
let drawn: Dict = {};
globalThis.fetch = async (address, init) => {
  const body = JSON.parse(String(init?.body));
  if (String(address).endsWith("/gallery/draw")) {
    ran.push([body.tool, body.arguments]);
    return Response.json(drawn);
  }
  const readOnly = { annotations: { readOnlyHint: true } };
  const tools = [
    { name: "read", ...readOnly },
    { name: "order" },
    { name: "secret", ...readOnly, _meta: { ui: { visibility: ["model"] } } },
  ];
  return Response.json({ jsonrpc: "2.0", id: body.id, result: { tools } });
};

let asked: string[] = [];
let question: Question | undefined;
let traffic = new Traffic();
beforeEach(() => {
  forget();
  [ran, asked, question, traffic] = [[], [], undefined, new Traffic()];
  const result = { content: [{ type: "text", text: "Ordered" }] };
  drawn = { tree: { type: "Card" }, isError: false, text: "Ordered", result };
});

function pressed(tool: string) {
  const host = hostOf("slack");
  assert.ok(host);
  const consent = new Consent((one) => {
    question = one;
  });
  const onAsk = ({ text }: Asked) => asked.push(text);
  const action = { type: "button", action_id: `tool:${tool}`, value: '{"a":1}' };
  return act(slackPress(action, {}), { host, traffic, consent, onAsk });
}

const turns = async (until: () => unknown) => {
  for (let count = 0; count < 100 && !until(); count++)
    await new Promise((done) => setImmediate(done));
};

test("a press calls the tool once, and the timeline has the press, the call and the result", async () => {
  assert.deepEqual(await pressed("read"), drawn);
  assert.deepEqual(ran, [["read", { a: 1 }]]);
  assert.deepEqual(
    traffic.entries.map(({ from, to, message, answers }) => [from, to, message.method ?? answers]),
    [
      ["view", "host", "block_actions"],
      ["host", "server", "tools/call"],
      ["server", "host", "tools/call"],
    ],
  );
});

test("a press asks the person before a tool that does more than read", async () => {
  const waiting = pressed("order");
  await turns(() => question);
  assert.deepEqual([question?.tool, ran], ["order", []]);
  question?.decide(false);
  assert.equal(await waiting, undefined);
  assert.deepEqual(ran, []);
  assert.match(asked.join(), /denied the call/);
  const again = pressed("order");
  await turns(() => question);
  question?.decide(true);
  assert.deepEqual(await again, drawn);
  assert.deepEqual(ran, [["order", { a: 1 }]]);
});

test("a press of a tool that is not there, or for models alone, calls nothing", async () => {
  for (const tool of ["nothing", "secret"]) assert.equal(await pressed(tool), undefined);
  assert.deepEqual(ran, []);
  assert.match(asked.join(), /Unknown tool: nothing.*secret is not visible to views/);
});

test("an answer without a view, and one that failed, are said", async () => {
  drawn = { ...drawn, tree: null };
  assert.equal(await pressed("read"), undefined);
  assert.equal(asked.at(-1), "Ordered");
  drawn = { ...drawn, tree: { type: "Card" }, isError: true, text: "It is closed" };
  assert.equal(await pressed("read"), undefined);
  assert.equal(asked.at(-1), "It is closed");
});
