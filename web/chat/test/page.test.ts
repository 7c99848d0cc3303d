// Drafts, completion, the list of conversations, and the words of the page.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { words } from "@widgetcast/i18n/chat";
import { transformSync } from "esbuild";
import { complete, queryOf, step } from "../src/complete";
import { createDrafts, NO_DRAFT } from "../src/draft";
import { createHistory } from "../src/history";
import { createDrawings, lucideIn } from "../src/lucide";
import { around } from "../src/snippet";
import type { Wire } from "../src/wire";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test("drafts are kept by conversation, also after a reload", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const drafts = createDrafts(storage);
  const file = { type: "file" as const, id: "f", name: "a.txt", mime_type: "text/plain" };
  drafts.write(undefined, { text: "new one", attachments: [] });
  drafts.write("t", { text: "of t", attachments: [file] });
  const later = createDrafts(storage);
  assert.equal(later.read().text, "new one");
  assert.deepEqual(later.read("t"), { text: "of t", attachments: [file] });
  assert.deepEqual(later.read("other"), NO_DRAFT);
  later.write("t", NO_DRAFT);
  assert.equal(kept.size, 1, "what is empty is not stored");
  kept.set("widgetcast.chat.draft.odd", "{");
  assert.deepEqual(later.read("odd"), NO_DRAFT);
});

test("a full or missing storage costs no draft while the page is open", () => {
  const full = createDrafts({
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => {},
  });
  for (const drafts of [full, createDrafts(undefined)]) {
    drafts.write("t", { text: "a", attachments: [] });
    assert.equal(drafts.read("t").text, "a");
  }
});

test("completion", () => {
  assert.equal(queryOf("/", 1), "");
  assert.equal(queryOf("/fli", 4), "fli");
  assert.equal(queryOf("/flight rest", 3), "fl");
  assert.equal(queryOf("/flight rest", 9), undefined);
  assert.equal(queryOf("a /fli", 6), undefined);
  assert.equal(queryOf("", 0), undefined);
  assert.deepEqual(complete("/fli", "flight_tracker"), { text: "/flight_tracker ", caret: 16 });
  assert.deepEqual(complete("/fli HA 417", "poll"), { text: "/poll HA 417", caret: 6 });
  assert.deepEqual(complete("HA 417", "poll"), { text: "/poll HA 417", caret: 6 });
  assert.deepEqual(
    [step(0, 1, 3), step(2, 1, 3), step(0, -1, 3), step(-1, -1, 3), step(0, 1, 0)],
    [1, 0, 2, 2, -1],
  );
});

test("the list comes in pages, without doubles; a late search does not replace a newer one", async () => {
  const row = (id: string) => ({ id, created_at: "", items: { data: [], has_more: false } });
  const pages = [
    { data: [row("c"), row("b")], has_more: true, after: "b" },
    { data: [row("b"), row("a")], has_more: false },
  ];
  const asked: unknown[] = [];
  const waiting: ((found: unknown[]) => void)[] = [];
  const wire = {
    ask: async (_: string, params: unknown) => {
      asked.push(params);
      const page = pages.shift();
      if (!page) throw new Error("no more");
      return page;
    },
    search: () => new Promise((done) => waiting.push(done as never)),
  } as unknown as Wire;
  const history = createHistory(wire);
  await history.more();
  await history.more();
  const ids = () => history.state.threads.map(({ id }) => id).join("");
  assert.equal(ids(), "cba");
  assert.deepEqual(asked[1], { limit: 30, order: "desc", after: "b" });
  assert.equal(history.state.after, undefined);
  history.put({ ...row("d"), title: "D" });
  history.put({ ...row("b"), title: "B" });
  assert.equal(ids(), "dcba");
  history.remove("c");
  assert.equal(ids(), "dba");
  history.rename("a", "A");
  assert.deepEqual(
    history.state.threads.map(({ title }) => title),
    ["D", "B", "A"],
  );
  await history.more();
  assert.ok(history.state.isBroken);

  const first = history.search("o");
  const second = history.search("os");
  waiting[1]?.([{ id: "new", created_at: "" }]);
  waiting[0]?.([{ id: "old", created_at: "" }]);
  await Promise.all([first, second]);
  assert.equal(history.state.found?.[0]?.id, "new");
  await history.search(" ");
  assert.equal(history.state.found, undefined);
});

test("every phrase is used, and the page has no words beside them", () => {
  const sources = readdirSync(at("../src/ui")).map((name) => [
    name,
    readFileSync(at(`../src/ui/${name}`), "utf8"),
  ]);
  const all = sources.map(([, source]) => source).join("\n");
  // Those of notes and looks are named by their state.
  const named = /^(cut|notSent|stopped|system|light|dark)$/;
  const idle = Object.keys(words).filter((key) => !named.test(key) && !all.includes(`"${key}"`));
  assert.deepEqual(idle, []);
  const found: string[] = [];
  for (const [name = "", source = ""] of sources) {
    const { code } = transformSync(source, { loader: "tsx", jsx: "automatic", charset: "utf8" });
    const texts = code.matchAll(
      /(?:children: (?:\[\s*)?|(?:label|title|alt|placeholder|"aria-label"): )"([^"]*)"/g,
    );
    for (const [, text = ""] of texts) if (/\p{L}{2}/u.test(text)) found.push(`${name}: ${text}`);
  }
  assert.deepEqual(found, []);
});

test("a search shows the match, and what is just before it", () => {
  const text = "We spoke of many things, and then of the ferry to Vis, at length.";
  assert.deepEqual(around(text, " Ferry "), ["…then of the ", "ferry", " to Vis, at length."]);
  assert.deepEqual(around("Lunch", "lunch"), ["", "Lunch", ""]);
  assert.deepEqual(around("Lunch", "dinner"), ["Lunch", "", ""]);
  assert.equal(around(`${"x".repeat(50)}y`, "y")[0].length, 25);
});

test("lucide icons come from the server's list, which is read once", async () => {
  const tree = { type: "Card", children: [{ type: "Icon", name: "lucide:ship" }, "lucide: no"] };
  assert.deepEqual(lucideIn(tree), ["lucide:ship"]);
  assert.deepEqual(lucideIn({ type: "Card" }), []);
  let loads = 0;
  const drawingsOf = createDrawings(async () => {
    loads += 1;
    return 'anchor\t[["path",{"d":"a"}]]\nship\t[["path",{"d":"b"}]]\n';
  });
  const ship = { "lucide:ship": [["path", { d: "b" }]] };
  assert.deepEqual(await drawingsOf(["lucide:ship", "lucide:nothing"]), ship);
  assert.deepEqual(await drawingsOf(["lucide:ship"]), ship);
  assert.equal(loads, 1);
  assert.deepEqual(await createDrawings(() => Promise.reject(Error()))(["lucide:ship"]), {});
});
