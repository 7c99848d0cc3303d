import assert from "node:assert/strict";
import { test } from "node:test";
import type { Dict } from "@widgetcast/schema";
import type { Drawing, Shown } from "../src/api";
import { asCommand, asCurl, asTypeScript } from "../src/copyable";
import { fitted } from "../src/fit";
import { FIRST_HOSTS, HOSTS, hostOf } from "../src/hosts";
import { MAX_LINK, placeOf, readLink, writeLink } from "../src/link";
import { linesOf, lossesOf } from "../src/loss";
import { handed, partOf } from "../src/outcome";
import { DEFAULT_PLAY, localeOf, modeOf, type Play, readPlay, writePlay } from "../src/play";
import { type Declaration, declarationOf, withRefused } from "../src/policy";
import { Traffic } from "../src/traffic";
import "../src/lazy/schemas";

const host = (id: string) => {
  const found = hostOf(id);
  assert.ok(found, id);
  return found;
};

test("ten hosts are drawn at first, each with a look of its own", () => {
  assert.equal(FIRST_HOSTS.length, 10);
  assert.equal(new Set(HOSTS.map(({ look }) => JSON.stringify(look))).size, HOSTS.length);
  for (const { id, width, look } of HOSTS) {
    assert.ok(width >= 300 && width <= 1200, id);
    for (const colour of [look.page, look.ink, look.bubble, look.line, look.accent])
      assert.match(colour, /^(#[0-9a-f]{6}|light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\))$/, id);
  }
});

test("a link is read as it was written, whatever the words", () => {
  const play: Play = {
    hosts: ["claude", "slack"],
    only: "slack",
    conditions: { ...DEFAULT_PLAY.conditions, theme: "dark", meta: "stripped" },
  };
  const input = { name: "Zoë 🦊 日本", "__proto__ x": [1, null, { a: "</script>" }] };
  const hash = writeLink("a b/ü?", input, play);
  assert.match(hash ?? "", /^#\/[\w%]+\?play=[\w-]+$/);
  const place = placeOf(hash ?? "");
  assert.equal(place?.name, "a b/ü?");
  assert.deepEqual(readLink(place?.play ?? ""), { input, play });
  assert.deepEqual(readPlay(writePlay(DEFAULT_PLAY)), DEFAULT_PLAY);
});

test("a link is bounded, both ways", () => {
  assert.equal(writeLink("a", { text: "x".repeat(MAX_LINK) }, DEFAULT_PLAY), undefined);
  assert.throws(() => readLink("a".repeat(MAX_LINK + 1)), /too long/);
});

test("what is wrong with a link is said", () => {
  const word = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const cases: [string, RegExp][] = [
    ["", /damaged/],
    ["####", /damaged/],
    ["_w", /damaged/],
    [word(null), /damaged/],
    [word([]), /damaged/],
    [word({}), /hosts is missing/],
    [word({ hosts: "claude" }), /hosts is missing/],
    [word({ hosts: ["__proto__"] }), /unknown host "__proto__"/],
    [word({ hosts: ["claude"], only: "slack" }), /not one of its hosts/],
    [word({ hosts: ["claude"], constructor: "x" }), /unknown option "constructor"/],
    [word({ hosts: ["claude"], locale: { a: 1 } }), /locale cannot be/],
    [word({ hosts: ["claude"], input: "x" }), /not an object/],
  ];
  for (const [text, words] of cases) assert.throws(() => readLink(text), words, text);
});

test("conditions hold for hosts as far as these can follow", () => {
  const { conditions } = DEFAULT_PLAY;
  const full = { ...conditions, mode: "fullscreen" as const };
  assert.equal(modeOf(host("claude"), full), "fullscreen");
  assert.equal(modeOf(host("vscode"), full), "inline");
  assert.equal(localeOf({ ...conditions, direction: "rtl" }), "en-Arab");
  assert.equal(localeOf({ ...conditions, direction: "rtl", locale: "he-IL" }), "he-IL");
  assert.equal(localeOf({ ...conditions, direction: "ltr", locale: "he-IL" }), "he-Latn");
  assert.equal(localeOf({ ...conditions, direction: "ltr" }), "en-US");
  assert.equal(localeOf({ ...conditions, locale: "ar-EG" }), "ar-EG");
});

test("a drawing is made smaller, and where that is too small, narrower", () => {
  assert.deepEqual(fitted(400, 500), { width: 400, zoom: 1 });
  assert.deepEqual(fitted(500, 450), { width: 500, zoom: 0.9 });
  assert.deepEqual(fitted(720, 400), { width: 500, zoom: 0.8 });
});

test("what a host cannot show or do is a loss", () => {
  const { conditions } = DEFAULT_PLAY;
  const tree = { type: "Card", children: [{ type: "Button", onClickAction: { type: "x" } }] };
  const drawing = { tree, surfaces: [] as Shown[] } as unknown as Drawing;
  const reasons = (id: string, of = drawing, change = {}) =>
    lossesOf(host(id), of, { ...conditions, ...change }, true).map(({ reason }) => reason);
  assert.deepEqual(reasons("claude"), []);
  assert.match(reasons("goose").join(), /Buttons do nothing/);
  assert.match(reasons("vscode").join(), /do not support sending chat messages/);
  assert.match(reasons("vscode", drawing, { mode: "pip" }).join(), /no pip mode/);
  assert.match(reasons("slack", drawing, { meta: "stripped" }).join(), /sent in _meta/);
  const asked = { type: "Card", confirm: { label: "Yes", action: { type: "x" } }, children: [] };
  assert.match(reasons("goose", { ...drawing, tree: asked }).join(), /Buttons do nothing/);
  assert.deepEqual(reasons("goose", { ...drawing, tree: { type: "Card", children: [] } }), []);
  const ofPage = { ...drawing, tree: null };
  assert.deepEqual(reasons("claude", ofPage), []);
  assert.match(reasons("slack", ofPage).join(), /custom page is not shown/);
});

test("losses name components in words, and the same reason once", () => {
  const image = { type: "Image", src: "x" };
  const tree = {
    type: "Card",
    children: [
      { ...image, alt: "Portrait" },
      { type: "Table.Row", children: [image, { type: "Text", value: "w".repeat(99) }, image] },
      { type: "Select", name: "day", options: [{ label: "Sunday" }] },
      { type: "DatePicker", name: "from", onChangeAction: { type: "x" } },
      { type: "Checkbox" },
      { type: "Checkbox" },
    ],
  };
  const lines = (...paths: string[]) =>
    linesOf(
      paths.map((path) => ({ path, reason: "gone" })),
      tree,
    ).map(({ what }) => what);
  assert.deepEqual(lines("/children/0"), ["Image “Portrait”"]);
  assert.deepEqual(lines("/children/0/alt"), ["Image “Portrait”"]);
  assert.deepEqual(lines("/children/1"), [`Table row “${"w".repeat(39)}…”`]);
  assert.deepEqual(lines("/children/1/children/0"), ["Image"]);
  assert.deepEqual(lines("/children/2/options/0"), ["Select “Sunday”"]);
  assert.deepEqual(lines("/children/3/onChangeAction"), ["Date picker “from”"]);
  assert.deepEqual(lines("/children/0", "/children/1/children/0"), ["2 images"]);
  assert.deepEqual(lines("/children/4", "/children/5"), ["2 checkboxes"]);
  assert.deepEqual(lines("/children/0", "/children/2"), ["2 parts"]);
  assert.deepEqual(lines("", "/_meta", "/children/9"), [""]);
  const other = linesOf([...["a", "b", "a"].map((reason) => ({ path: "", reason }))], null);
  assert.deepEqual(
    other.map(({ reason }) => reason),
    ["a", "b"],
  );
});

test("a host may fail, or take _meta away", () => {
  const { conditions } = DEFAULT_PLAY;
  const result = { content: [], _meta: { a: 1 } };
  const call = { input: {}, result, conditions };
  assert.equal(handed(call), result);
  const stripped = { ...call, conditions: { ...conditions, meta: "stripped" as const } };
  assert.deepEqual(handed(stripped), { content: [] });
  const failing = { ...call, conditions: { ...conditions, outcome: "failing" as const } };
  assert.equal(handed(failing).isError, true);
  assert.deepEqual(partOf({ a: 1, b: 2, c: 3 }, 0.5), { a: 1, b: 2 });
});

test("what a policy refused has the line that allows it", () => {
  const line = (directive: string, address: string, isWidget = false) =>
    declarationOf({ directive, address }, isWidget).line;
  assert.equal(line("connect-src", "https://a.example/x?y"), '.connect(["https://a.example"])');
  assert.equal(line("font-src", "https://a.example/f"), '.resource(["https://a.example"])');
  assert.equal(line("frame-src", "https://a.example"), '.frame(["https://a.example"])');
  assert.equal(
    line("img-src", "https://a.example/i", true),
    'image_origins = ["https://a.example"] under [settings] in widgetcast.toml, or serve --image-origin https://a.example',
  );
  assert.equal(line("script-src", "eval"), undefined);
  assert.equal(line("img-src", "blob"), undefined);
});

test("what a policy refused is listed once each, up to a bound", () => {
  let all: Declaration[] = [];
  const refuse = (address: string) => {
    all = withRefused(all, { directive: "img-src", address }, false);
  };
  for (let index = 0; index < 1000; index++) refuse(`https://a${index >> 1}.example/x`);
  assert.equal(all.length, 60);
  assert.equal(new Set(all.map(({ text }) => text)).size, 60);
});

const request: Dict = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "poll", arguments: { a: "it's" }, _meta: { b: 1 } },
};

test("a request is copied as words that a shell reads as one", () => {
  const url = "http://127.0.0.1:8000/mcp";
  assert.equal(
    asCommand(url, request),
    `widgetcast call poll --server ${url} --data '{"a":"it'\\''s"}'`,
  );
  assert.equal(asCommand(url, { ...request, method: "tools/list" }), undefined);
  const named = (name: string) => asCommand(url, { ...request, params: { name } });
  assert.equal(named("--help"), `widgetcast call --server ${url} --data '{}' -- --help`);
  assert.equal(named("a/b.c-d_E9"), `widgetcast call a/b.c-d_E9 --server ${url} --data '{}'`);
  for (const name of ["", "a b", "a\n", "$(x)", "ü", "a".repeat(129)])
    assert.equal(named(name), undefined, name);
  const curl = asCurl(url, request);
  assert.match(curl, /-H 'mcp-name: poll' \\\n/);
  assert.match(curl, /"arguments":\{"a":"it'\\''s"\}/);
  assert.match(asTypeScript(url, request), /client\.callTool\(\{\n {2}"name": "poll"/);
  assert.doesNotMatch(asTypeScript(url, request), /_meta/);
});

test("an answer is judged by what it answers", () => {
  const check = globalThis.widgetcastSchemas?.check;
  assert.ok(check);
  const traffic = new Traffic();
  const add = (from: "view" | "host", message: Dict) => {
    traffic.add("claude", from, from === "view" ? "host" : "view", { jsonrpc: "2.0", ...message });
    const entry = traffic.entries.at(-1);
    assert.ok(entry);
    return check(entry.message, entry.answers);
  };
  const open = { method: "ui/open-link", params: { url: "https://a.example" } };
  assert.equal(add("view", { id: 1, ...open }), undefined);
  assert.equal(add("host", { id: 1, result: {} }), undefined);
  assert.match(add("view", { id: 2, method: "ui/open-link", params: {} }) ?? "", /params\.url/);
  assert.match(add("view", { id: 3, method: "ui/nothing" }) ?? "", /no schema/);
  add("view", { id: 4, method: "tools/call", params: { name: "a" } });
  assert.match(add("host", { id: 4, result: { content: 7 } }) ?? "", /content/);
  const context = { containerDimensions: { width: 720, maxHeight: 500 }, theme: "dark" };
  const changed = { method: "ui/notifications/host-context-changed" };
  assert.equal(add("host", { ...changed, params: context }), undefined);
  assert.ok(add("host", { ...changed, params: { ...context, theme: "sepia" } }));
});

test("the timeline is bounded", () => {
  const traffic = new Traffic();
  for (let id = 0; id < 1000; id++)
    traffic.add("claude", "view", "host", { jsonrpc: "2.0", id, method: "ping" });
  assert.equal(traffic.entries.length, 400);
  assert.equal(traffic.entries.at(-1)?.message.id, 999);
});

test("the timeline is bounded in characters, and keeps what a long message is", () => {
  const traffic = new Traffic();
  const last = () => traffic.entries.at(-1);
  const add = (message: Dict) => traffic.add("claude", "view", "host", message);
  add({ jsonrpc: "2.0", id: 1, method: "ui/message", params: { text: "x".repeat(1e6) } });
  assert.equal(last()?.isCut, true);
  assert.match(JSON.stringify(last()?.message.params), /… \(1000000 characters\)/);
  add({ jsonrpc: "2.0", id: 2, method: "ui/message", params: { list: Array(1e5).fill(7) } });
  assert.deepEqual(last()?.message, { jsonrpc: "2.0", id: 2, method: "ui/message" });
  const round: Dict = { jsonrpc: "2.0", id: 3, method: "m".repeat(1e6) };
  round.params = round;
  add(round);
  assert.equal(String(last()?.message.method).length, 200);
  const short = { jsonrpc: "2.0", method: "ping", params: { list: Array(15_000).fill(7) } };
  for (let count = 0; count < 400; count++) add(short);
  assert.equal(last()?.isCut, false);
  const size = traffic.entries.reduce((sum, one) => sum + JSON.stringify(one.message).length, 0);
  assert.ok(size <= 4 * 1024 * 1024 && size > 3.9 * 1024 * 1024, `${size}`);
});

test("requests that are never answered are forgotten", () => {
  const traffic = new Traffic();
  for (let id = 0; id < 1000; id++)
    traffic.add("claude", "view", "host", { jsonrpc: "2.0", id, method: "ping" });
  assert.equal(traffic.waiting, 400);
  traffic.add("claude", "host", "view", { jsonrpc: "2.0", id: 999, result: {} });
  assert.equal(traffic.entries.at(-1)?.answers, "ping");
});

test("a press in a drawing is no message of MCP", () => {
  const traffic = new Traffic();
  traffic.press("slack", "block_actions", { text: "Yes" });
  const [entry] = traffic.entries;
  assert.equal(entry?.isInteraction, true);
  assert.equal("jsonrpc" in (entry?.message ?? {}), false);
});
