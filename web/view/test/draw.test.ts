import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { transformSync } from "esbuild";
import type { Action, DrawOptions, Origin } from "../src/context";
import { clear, draw, drawFault } from "../src/draw";
import { visible } from "../src/markup/card";
import { TYPES } from "../src/node";
import { MAX_DEPTH, MAX_NODES, readTree } from "../src/tree";
import { all, newRoot, one, send, settle, type } from "./dom";

type Tree = Record<string, unknown>;
const text = (value: unknown, more: Tree = {}): Tree => ({ type: "Text", value, ...more });
const card = (children: unknown, more: Tree = {}): Tree => ({ type: "Card", children, ...more });

function drawn(tree: unknown, more: DrawOptions = {}): HTMLElement {
  const root = newRoot();
  draw(root, tree, more);
  return root;
}

/** A handler that records the actions. */
function actor() {
  const done: [Action, Origin][] = [];
  let release = () => {};
  const onAction = (action: Action, from: Origin) => {
    done.push([action, from]);
    return new Promise<void>((resolve) => {
      release = resolve;
    });
  };
  return { done, onAction, release: () => release() };
}

const SAMPLES: Record<string, Tree> = {
  Badge: { label: "New", color: "info", variant: "solid", size: "lg", pill: true },
  Basic: { children: [text("x")], direction: "row", theme: "dark", gap: 2 },
  Box: { children: [text("x")], background: "surface-secondary", radius: "lg", padding: { x: 2 } },
  Button: { label: "Go", style: "primary", iconStart: "star", size: "sm", block: true },
  Caption: { value: "small", size: "sm", truncate: true },
  Card: { children: [text("x")], status: { text: "s", icon: "clock" }, confirm: { label: "OK" } },
  Chart: {
    data: [{ x: "a", y: 1 }],
    series: [{ type: "bar", dataKey: "y", label: "Y" }],
    xAxis: "x",
  },
  Checkbox: { name: "c", label: "Yes", defaultChecked: true },
  Col: { children: [text("x")], gap: 2 },
  DatePicker: { name: "d", defaultValue: "2027-03-18", clearable: true },
  Divider: { color: "strong", size: 2, spacing: 3, flush: true },
  Form: { children: [text("x")], onSubmitAction: { type: "a" } },
  Icon: { name: "star", color: "danger", size: "2xl" },
  Image: {
    src: "https://a.example/a.png",
    alt: "A",
    size: 40,
    fit: "contain",
    position: "top left",
  },
  Input: { name: "i", inputType: "email", required: true },
  Label: { value: "Name", fieldName: "i" },
  ListView: { children: [{ type: "ListViewItem", children: [text("x")] }], limit: 1 },
  ListViewItem: { children: [text("x")], onClickAction: { type: "a" } },
  Markdown: { value: "**bold**" },
  RadioGroup: { name: "r", options: [{ value: "1", label: "One" }], defaultValue: "1" },
  Row: { children: [text("x")], align: "baseline", justify: "between", wrap: "wrap" },
  Select: {
    name: "s",
    options: [{ value: "1", label: "One" }],
    clearable: true,
    defaultValue: "1",
  },
  Spacer: { minSize: 8 },
  Table: {
    children: [
      {
        type: "Table.Row",
        header: true,
        children: [{ type: "Table.Cell", children: [text("h")] }],
      },
    ],
  },
  "Table.Cell": { children: [text("x")], colSpan: 2, align: "end", vAlign: "center" },
  "Table.Row": { children: [{ type: "Table.Cell", children: [text("x")] }] },
  Text: { value: "words", weight: "bold", italic: true, maxLines: 2, streaming: true },
  Textarea: { name: "t", rows: 2, autoResize: true, maxRows: 4 },
  Title: { value: "Head", size: "3xl", textAlign: "center" },
  Transition: { children: text("x", { key: "k" }) },
};

test("a list without entries says so", () => {
  const status = { text: "Trails" };
  const list = (children: unknown[]) => drawn({ type: "ListView", status, children }).textContent;
  assert.equal(list([]), "TrailsNothing here");
  assert.equal(list([text("Lake")]), "TrailsLake");
});

test("a bare root with nothing in it says so", () => {
  const words = (children: unknown[]) => drawn({ type: "Basic", children }).textContent;
  assert.equal(words([]), "Nothing here");
  assert.equal(words([text("Pets")]), "Pets");
});

test("each of the 30 components draws something", () => {
  assert.equal(TYPES.length, 30);
  assert.deepEqual(Object.keys(SAMPLES).sort(), [...TYPES].sort());
  for (const name of TYPES) {
    const root = drawn(card([{ type: name, ...SAMPLES[name] }]));
    const body = one(root, ".wc-body");
    assert.ok(body.innerHTML.length > 10, name);
    assert.equal(root.querySelector(".wc-quiet"), null, name);
  }
});

test("values reach the page as text and styles, never as markup", () => {
  const evil = '<img src=x onerror="alert(1)">';
  const root = drawn(
    card([text(evil), { type: "Title", value: evil }, { type: "Badge", label: evil }]),
  );
  assert.equal(root.querySelector("img"), null);
  assert.equal(one(root, "h2").textContent, evil);
  const styled = drawn({ type: "Box", width: "10px;color:red", background: "url(javascript:1)" });
  assert.equal(one(styled, ".wc-box").getAttribute("style") ?? "", "");
  assert.equal(
    drawn({ type: "Image", src: "javascript:alert(1)", alt: "A" }).querySelector("img"),
    null,
  );
});

test("what is unknown says so and keeps its children", () => {
  const root = drawn(card([{ type: "Carousel", children: [text("inside")] }]));
  assert.match(one(root, ".wc-quiet").textContent ?? "", /Carousel/);
  assert.match(root.textContent ?? "", /inside/);
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.match(drawn(card([{ type: name }])).textContent ?? "", new RegExp(name));
  }
});

test("a broken tree is an honest card", () => {
  for (const tree of [null, undefined, 7, "x", [], {}, { children: [] }, { type: 0n }]) {
    assert.match(one(drawn(tree), "[role=alert]").textContent ?? "", /Not shown here/);
  }
  const root = newRoot();
  drawFault(root, "Something went wrong", "no flights");
  assert.match(root.textContent ?? "", /no flights/);
});

test("what breaks while it is drawn leaves the rest drawn, and is tried again", async () => {
  let broken = true;
  const trap = {
    type: "Badge",
    get label() {
      if (broken) throw new Error("broken");
      return "mended";
    },
  };
  const root = drawn(card([text("before"), trap, text("after")]));
  await settle();
  assert.match(root.textContent ?? "", /before.*Not shown here.*after/);
  broken = false;
  draw(root, card([text("before"), trap, text("after")]));
  assert.match(root.textContent ?? "", /before.*mended.*after/);
  broken = true;
  const whole = drawn(trap);
  await settle();
  assert.match(whole.textContent ?? "", /Not shown here.*broken/);
});

test("siblings have keys of their own, whatever the tree says", () => {
  const { root } = readTree(
    card([text("a"), ...["x", "x", "x+"].map((id) => ({ ...text(id), id }))]),
  );
  assert.deepEqual(
    root?.children.map(({ key }) => key),
    ["Text:0", "x", "x+", "x++"],
  );
});

test("the first title of a document is its main heading", () => {
  const titles = card([text("a"), { type: "Title", value: "b" }, { type: "Title", value: "c" }]);
  const levels = (options: DrawOptions) => {
    const found = drawn(titles, options).querySelectorAll("h1,h2");
    return [...found].map((one) => `${one.tagName} ${one.textContent}`);
  };
  assert.deepEqual(levels({ isDocument: true }), ["H1 b", "H2 c"]);
  assert.deepEqual(levels({}), ["H2 b", "H2 c"], "inside of another page");
});

test("trees are bounded in depth and number", () => {
  let deep: Tree = text("bottom");
  for (let n = 0; n < 500; n++) deep = { type: "Col", children: [deep] };
  assert.ok(readTree(deep).cut);
  assert.match(drawn(deep).textContent ?? "", /Not shown here: …/);
  const ring: Tree = { type: "Col" };
  ring.children = [ring];
  assert.ok(drawn(ring).querySelectorAll(".wc-col").length <= MAX_DEPTH + 1);
  // What is drawn for a list counts too.
  const options = Array.from({ length: MAX_NODES }, (_, n) => ({ value: `${n}`, label: "x" }));
  const selects = readTree(card([1, 2].map((n) => ({ type: "Select", name: `${n}`, options }))));
  assert.ok(selects.cut && selects.root?.children.length === 0);
  const wide = readTree(card(Array.from({ length: MAX_NODES + 10 }, () => text("x"))));
  assert.ok(wide.cut && (wide.root?.children.length ?? 0) < MAX_NODES);
  // Of a long table only the first rows are drawn at once.
  const row = { type: "Table.Row", children: [1, 2, 3, 4, 5].map(() => text("x")) };
  const rows = (count: number) =>
    readTree(card([{ type: "Table", children: Array(count).fill(row) }]));
  assert.ok(!rows(2000).cut && rows(2000).root?.children[0]?.children.length === 2000);
  assert.ok(rows(MAX_NODES).cut);
});

test("wrong types and mutated trees never throw", () => {
  const path = new URL("../../../target/tmp/peers/results.json", import.meta.url);
  const peers = existsSync(path)
    ? (JSON.parse(readFileSync(path, "utf8")) as { result: Tree }[]).map(
        ({ result }) => ((result._meta as Tree)?.["widgetcast/view"] as Tree)?.tree,
      )
    : [];
  const trees = [
    ...Object.entries(SAMPLES).map(([name, props]) => ({ type: name, ...props })),
    ...peers,
  ];
  const odd = [
    null,
    undefined,
    true,
    false,
    0,
    -1,
    1e99,
    Number.NaN,
    "",
    "x",
    " ",
    [],
    [[]],
    {},
    [null],
    { type: "Text" },
    { light: 1 },
  ];
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const mutate = (value: unknown): unknown => {
    if (random(9) === 0) return odd[random(odd.length)];
    if (Array.isArray(value)) return value.map(mutate);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === "type" && random(20) ? inner : mutate(inner),
      ]),
    );
  };
  const root = newRoot();
  let count = 0;
  for (const tree of trees) {
    for (let n = 0; n < 6; n++) {
      draw(root, card([mutate(tree)]));
      assert.doesNotMatch(
        root.textContent ?? "",
        /could not be (drawn|shown)/,
        JSON.stringify(tree).slice(0, 200),
      );
      count++;
    }
  }
  assert.ok(count >= 180);
  for (const name of TYPES) {
    for (const value of odd) {
      const props = Object.keys(SAMPLES[name] ?? {}).map((key) => [key, value]);
      draw(root, card([{ type: name, ...Object.fromEntries(props) }]));
      assert.doesNotMatch(
        root.textContent ?? "",
        /could not be (drawn|shown)/,
        `${name} ${String(value)}`,
      );
    }
  }
});

test("a list shows as many as its limit, then the rest", async () => {
  const cases: [unknown, number, number][] = [
    [3, 10, 3],
    [3, 2, 2],
    [3, 4, 4],
    ["auto", 6, 6],
    ["auto", 7, 5],
    [undefined, 40, 40],
    [0, 4, 1],
    ["many", 4, 4],
    [2.9, 4, 2],
  ];
  for (const [limit, total, want] of cases)
    assert.equal(visible(limit, total), want, `${limit} of ${total}`);

  const children = Array.from({ length: 9 }, (_, n) => ({
    type: "ListViewItem",
    children: [text(`row ${n}`)],
  }));
  const root = drawn({ type: "ListView", limit: 4, children });
  assert.equal(all(root, "li").length, 4);
  const more = one(root, "button");
  assert.equal(more.textContent, "5 more");
  more.click();
  await settle();
  assert.equal(all(root, "li").length, 9);
  assert.equal(root.querySelector("button"), null);
  assert.equal(document.activeElement, all(root, "li")[4], "the first new row has the focus");
});

test("required fields are marked where they are named, once and only to the eye", () => {
  const label = (fieldName: string, value: string) => ({ type: "Label", fieldName, value });
  const root = drawn(
    card([
      label("a", "Name"),
      { type: "Input", name: "a", required: true },
      label("b", "Nick name"),
      { type: "Input", name: "b" },
      label("c", "Mail *"),
      { type: "Textarea", name: "c", required: true },
      label("d", "Size"),
      { type: "RadioGroup", name: "d", required: true, options: [{ label: "S", value: "s" }] },
      label("e", "Motto"),
      { type: "Text", value: "", editable: { name: "e", required: true } },
      { type: "Checkbox", name: "f", label: "Agree", required: true },
    ]),
  );
  const words = all(root, "label").map((one) => one.textContent?.replace("\u00a0", " "));
  const want = ["Name *", "Nick name", "Mail *", "Size *", "S", "Motto *", "Agree *"];
  assert.deepEqual(words, want);
  for (const mark of all(root, ".wc-must")) assert.equal(mark.getAttribute("aria-hidden"), "true");
  const controls = all(root, "input,textarea") as HTMLInputElement[];
  assert.equal(controls.filter((one) => one.required).length, 5);
});

test("a form: values in every action, Enter sends, invalid fields do not", async () => {
  const { done, onAction, release } = actor();
  const tree = card(
    [
      { type: "Label", fieldName: "todo.title", value: "Title" },
      { type: "Input", name: "todo.title", required: true },
      { type: "Checkbox", name: "todo.done", label: "Done" },
      { type: "Button", label: "Preview", onClickAction: { type: "preview", payload: { id: 1 } } },
    ],
    {
      asForm: true,
      confirm: { label: "Save", action: { type: "save" } },
      cancel: { label: "No", action: { type: "no" } },
    },
  );
  const root = drawn(tree, { onAction });
  const input = one<HTMLInputElement>(root, "input[type=text]");
  assert.equal(one(root, "label").getAttribute("for"), input.id);
  const [preview, no, save] = all(root, "button");

  save?.click();
  assert.equal(done.length, 0, "a required field is empty");
  no?.click();
  assert.equal(done[0]?.[0].type, "no", "cancelling needs no valid form");
  release();
  await settle();

  type(input, "Milk");
  preview?.click();
  assert.deepEqual(done[1], [
    { type: "preview", payload: { id: 1, todo: { title: "Milk", done: false } } },
    { label: "Preview", type: "Button" },
  ]);
  await settle();
  assert.equal(preview?.getAttribute("aria-busy"), "true", "a button waits by itself");
  preview?.click();
  assert.equal(done.length, 2, "and is not pressed twice");
  release();
  await settle();
  assert.equal(preview?.hasAttribute("aria-busy"), false);

  send(input, "keydown", { key: "Enter" });
  assert.deepEqual(done[2]?.[0], {
    type: "save",
    payload: { todo: { title: "Milk", done: false } },
  });
  await settle();
  assert.ok(one(root, "section").hasAttribute("inert"), "confirming holds the whole card");
  release();
  await settle();
  assert.ok(!one(root, "section").hasAttribute("inert"));
});

test("a submit button sends the action of its form", () => {
  const { done, onAction } = actor();
  const root = drawn(
    card([
      {
        type: "Form",
        onSubmitAction: { type: "send", payload: { a: 1 } },
        children: [
          { type: "Input", name: "n", inputType: "number", defaultValue: "2" },
          { type: "Button", label: "Send", submit: true },
        ],
      },
    ]),
    { onAction },
  );
  one(root, "button").click();
  assert.deepEqual(done[0]?.[0], { type: "send", payload: { a: 1, n: 2 } });
});

test("a change acts with the new value, in a form or alone", () => {
  const { done, onAction } = actor();
  const options = [
    { value: "1", label: "One" },
    { value: "2", label: "Two" },
  ];
  const onChangeAction = { type: "changed", payload: { id: 1 } };
  const root = drawn(
    card([
      { type: "Select", name: "size", options, defaultValue: "1", onChangeAction },
      { type: "RadioGroup", name: "kind", options, onChangeAction },
      { type: "Checkbox", name: "on", label: "On", onChangeAction },
    ]),
    { onAction },
  );
  const select = one<HTMLSelectElement>(root, "select");
  select.value = "2";
  send(select, "change");
  assert.deepEqual(done[0]?.[0].payload, { id: 1, size: "2" });
  assert.deepEqual(done[0]?.[1], { label: "Two", type: "Select" });
  send(all(root, "input[type=radio]")[1] as HTMLElement, "change");
  assert.deepEqual(done[1]?.[0].payload, { id: 1, kind: "2" });
  const box = one<HTMLInputElement>(root, "input[type=checkbox]");
  box.checked = true;
  send(box, "change");
  assert.deepEqual(done[2]?.[0].payload, { id: 1, on: true });
});

test("a searched select filters, walks by keys and skips what is disabled", async () => {
  const { done, onAction } = actor();
  const options = Array.from({ length: 20 }, (_, n) => ({
    value: `${n}`,
    label: `Room ${n}`,
    disabled: n === 2,
  }));
  const root = drawn(
    card([{ type: "Select", name: "room", options, onChangeAction: { type: "x" } }]),
    { onAction },
  );
  one(root, "button[role=combobox]").click();
  await settle();
  assert.equal(all(root, "[role=option]").length, 20);
  const search = one(root, "input[role=combobox]");
  type(search, "room 2");
  await settle();
  assert.deepEqual(
    all(root, "[role=option]").map((option) => option.textContent),
    ["Room 2"],
  );
  send(search, "keydown", { key: "Enter" });
  assert.equal(done.length, 0, "it is disabled");
  type(search, "room 1");
  await settle();
  send(search, "keydown", { key: "ArrowDown" });
  await settle();
  send(search, "keydown", { key: "Enter" });
  await settle();
  assert.deepEqual(done[0]?.[0].payload, { room: "10" });
  assert.equal(root.querySelector("[role=listbox]"), null);
  assert.match(one(root, "button[role=combobox]").textContent ?? "", /Room 10/);
});

test("a second drawing updates in place and keeps what was typed", async () => {
  const tree = (title: string, first: string) =>
    card([
      { type: "Title", value: title, key: "title" },
      { type: "Input", name: "a", defaultValue: first },
      { type: "Input", name: "b", defaultValue: "B" },
    ]);
  const kept: Record<string, unknown>[] = [];
  const onValues = (values: Record<string, unknown>) => kept.push(values);
  const root = drawn(tree("One", "A"), { onValues });
  const head = one(root, "h2");
  const [a, b] = all(root, "input") as HTMLInputElement[];
  type(a as HTMLElement, "typed a");
  type(b as HTMLElement, "typed b");
  assert.deepEqual(kept.at(-1), { "0:a": ["typed a", "A"], "0:b": ["typed b", "B"] });
  type(a as HTMLElement, "A");
  assert.deepEqual(kept.at(-1), { "0:b": ["typed b", "B"] }, "a default is not kept");
  type(a as HTMLElement, "typed a");
  await settle();
  draw(root, tree("Two", "new default"), { onValues });
  assert.equal(one(root, "h2"), head);
  assert.equal(head.textContent, "Two");
  assert.equal(all(root, "input")[0], a);
  assert.equal(a?.value, "new default");
  assert.equal(b?.value, "typed b");

  const again = drawn(tree("Two", "A"), { values: JSON.parse(JSON.stringify(kept.at(-1))) });
  assert.deepEqual(
    (all(again, "input") as HTMLInputElement[]).map((input) => input.value),
    ["typed a", "typed b"],
    "and a reload brings it back",
  );
  clear(again);
  assert.equal(again.innerHTML, "");
});

test("an author's regular expression is never run by us", () => {
  const area = { type: "Textarea", name: "a", pattern: "(a+)+b", defaultValue: "a".repeat(40) };
  const run: string[] = [];
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function (text) {
    run.push(this.source);
    return exec.call(this, text);
  };
  try {
    assert.equal(one<HTMLTextAreaElement>(drawn(card([area])), "textarea").value.length, 40);
  } finally {
    RegExp.prototype.exec = exec;
  }
  assert.ok(run.length > 0);
  assert.ok(!run.some((source) => source.includes("(a+)+b")));
});

test("a password is sent, and never kept", async () => {
  const { done, onAction } = actor();
  const kept: Record<string, unknown>[] = [];
  const tree = card([
    { type: "Input", name: "user" },
    { type: "Input", name: "pass", inputType: "password" },
    { type: "Button", label: "Go", onClickAction: { type: "login" } },
  ]);
  const root = drawn(
    { ...tree, asForm: true },
    { onAction, onValues: (values) => kept.push(values) },
  );
  const [user, pass] = all(root, "input");
  type(pass as HTMLElement, "hunter2");
  type(user as HTMLElement, "ann");
  await settle();
  one(root, "button").click();
  assert.deepEqual(done[0]?.[0].payload, { user: "ann", pass: "hunter2" });
  assert.equal(done[0]?.[1].secret, true);
  assert.doesNotMatch(JSON.stringify(kept), /hunter2/);
  assert.match(JSON.stringify(kept), /ann/);
});

test("a list item is one button, beside those inside it", () => {
  const { done, onAction } = actor();
  const item = {
    type: "ListViewItem",
    onClickAction: { type: "open" },
    children: [text("Row"), { type: "Button", label: "Do", onClickAction: { type: "do" } }],
  };
  const root = drawn({ type: "ListView", children: [item] }, { onAction });
  const [hit, inner] = all(root, "button");
  assert.equal(hit?.contains(inner ?? null), false);
  hit?.click();
  inner?.click();
  assert.deepEqual(
    done.map(([{ type }]) => type),
    ["open", "do"],
  );
});

test("without a handler actions are inert", () => {
  const root = drawn(card([{ type: "Button", label: "Go", onClickAction: { type: "x" } }]));
  one(root, "button").click();
});

test("a picture that fails leaves its words", async () => {
  const root = drawn({ type: "Image", src: "https://a.example/a.png", alt: "The harbour" });
  send(one(root, "img"), "error");
  await settle();
  assert.equal(root.querySelector("img"), null);
  assert.equal(one(root, "[role=img]").getAttribute("aria-label"), "The harbour");
  assert.match(root.textContent ?? "", /The harbour/);
});

test("a transition fades what is new, not what is first", () => {
  const tree = (key: string, value: string) =>
    card([{ type: "Transition", children: text(value, { key }) }]);
  const root = drawn(tree("a", "one"));
  assert.equal(root.querySelector(".wc-fade"), null);
  draw(root, tree("a", "two"));
  assert.equal(root.querySelector(".wc-fade"), null);
  draw(root, tree("b", "three"));
  assert.equal(one(root, ".wc-fade").textContent, "three");
  draw(root, card([{ type: "Transition", children: null }]));
  assert.doesNotMatch(root.textContent ?? "", /three/);
});

test("a card that is collapsed opens", async () => {
  const root = drawn(card([text("hidden")], { collapsed: true, status: { text: "Sent" } }));
  assert.doesNotMatch(root.textContent ?? "", /hidden/);
  one(root, "button").click();
  await settle();
  assert.match(root.textContent ?? "", /hidden/);
});

test("the writing direction follows the locale", () => {
  assert.equal(one(drawn(text("x"), { locale: "ar-EG" }), ".wc").getAttribute("dir"), "rtl");
  assert.equal(one(drawn(text("x")), ".wc").getAttribute("dir"), "ltr");
});

test("on a ground of another brightness texts are those of the other theme", () => {
  const box = (background: unknown) => ({ type: "Box", background, children: [text("x")] });
  const themes = (theme: string, ...grounds: unknown[]) =>
    all(drawn(card(grounds.map(box), { theme })), ".wc-box").map(({ dataset }) => dataset.theme);
  const grounds = ["blue-100", "#fff8e0", "blue-500", "#111", "surface-secondary", "#fff8"];
  assert.deepEqual(themes("dark", ...grounds, { light: "#fff", dark: "#222" }), [
    "light",
    "light",
    ...Array(5).fill(undefined),
  ]);
  assert.deepEqual(themes("light", ...grounds), [
    undefined,
    undefined,
    undefined,
    "dark",
    undefined,
    undefined,
  ]);
  const pale = drawn(card([text("x")], { theme: "dark", background: "yellow-50" }));
  assert.equal(one(pale, ".wc-card").dataset.theme, "light");
});

test("the view speaks the language of the locale", async () => {
  const options = [{ value: "a", label: "A", description: "x" }];
  const tree = card([
    { type: "Select", name: "one", options, searchable: true },
    { type: "DatePicker", name: "day" },
    { type: "Chart", data: [], series: [], xAxis: "x" },
    { type: "Table", children: [] },
    { type: "Spaceship" },
  ]);
  for (const [locale, ...texts] of [
    ["de-CH", "Auswählen", "Datum auswählen", "Nichts vorhanden", "Hier nicht dargestellt"],
    ["ja", "選択", "日付を選択", "表示する内容がありません", "ここでは表示されません"],
    ["pl", "Choose", "Choose a date", "Nothing here", "Not shown here"],
    ["no locale", "Choose", "Choose a date", "Nothing here", "Not shown here"],
  ]) {
    const root = drawn(tree, { locale: locale as string });
    for (const text of texts) assert.ok(root.textContent?.includes(text), `${locale}: ${text}`);
  }
  const root = drawn(tree, { locale: "fr" });
  assert.ok(one(root, "table[aria-label=Tableau]"));
  one(root, "[role=combobox]").click();
  await settle();
  assert.equal(one(root, ".wc-search").getAttribute("placeholder"), "Rechercher");
});

test("no component has texts of its own: all are in i18n", () => {
  const found: string[] = [];
  for (const folder of ["../src", "../src/markup", "../../react/src/ui"])
    for (const name of readdirSync(new URL(folder, import.meta.url))) {
      if (!/\.tsx?$/.test(name)) continue;
      const source = readFileSync(new URL(`${folder}/${name}`, import.meta.url), "utf8");
      const { code } = transformSync(source, { loader: "tsx", jsx: "automatic", charset: "utf8" });
      const texts = code.matchAll(
        /(?:children: (?:\[\s*)?|\|\| |\?\? |(?:label|title|alt|placeholder|"aria-label"): )["`]([A-Z][^"`]*)/g,
      );
      for (const [, text = ""] of texts) found.push(`${name}: ${text}`);
    }
  assert.deepEqual(found, []);
});

test("every field has a name", () => {
  const fields = ["Input", "Textarea", "Select", "DatePicker", "Checkbox", "RadioGroup"];
  for (const name of fields) {
    const root = drawn(
      card([{ type: name, name: "booking.arrival_date", options: [{ value: "1", label: "One" }] }]),
    );
    assert.equal(one(root, "[aria-label]").getAttribute("aria-label"), "Arrival date", name);
    const labelled = drawn(
      card([
        { type: "Label", fieldName: "a", value: "A" },
        { type: name, name: "a", options: [{ value: "1", label: "One" }] },
      ]),
    );
    const id = one(labelled, "[aria-labelledby]").getAttribute("aria-labelledby");
    assert.equal(one(labelled, "label").id, id, name);
  }
});

test("a tree is read in the direction of its first letter, unless the locale has another", () => {
  const direction = (tree: Tree, locale = "en-US") =>
    drawn(tree, { locale }).querySelector(".wc")?.getAttribute("dir");
  assert.equal(direction(card([text("22 שבט"), text("Total")])), "rtl");
  assert.equal(direction(card([text("TLV")], { status: { text: "הזמנה 7" } })), "rtl");
  assert.equal(direction(card([text("Name: שלום")])), "ltr");
  assert.equal(direction(card([text("12")])), "ltr");
  assert.equal(direction(card([text("Total")]), "ar"), "rtl");
});
