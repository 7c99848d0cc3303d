import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  blank,
  chosen,
  type Dict,
  drop,
  field,
  fit,
  type Json,
  kindName,
  pointer,
  put,
  resolve,
  type Schema,
  same,
  shift,
  steps,
} from "@widgetcast/schema";
import { ansi } from "../src/ansi";
import type { Finding } from "../src/api";
import { command, quoted } from "../src/command";
import { excerpt, summary } from "../src/finding";
import { brief, fault, lineOf, places, Shortener, tokens } from "../src/json";

const of = (schema: Schema) => field(schema, schema);

test("every kind of schema gets its control", () => {
  const kinds: [Schema, string, string][] = [
    [{ type: "string" }, "text", "string"],
    [{ type: "string", format: "date" }, "text", "date"],
    [{ type: "string", format: "date-time" }, "text", "date-time"],
    [{ type: "string", format: "email" }, "text", "email"],
    [{ type: "string", format: "uri" }, "text", "uri"],
    [{ type: "string", format: "ipv4" }, "text", "string"],
    [{ type: "number" }, "number", "number"],
    [{ type: "integer" }, "number", "integer"],
    [{ type: "boolean" }, "flag", "boolean"],
    [{ enum: ["a", 1, null] }, "enum", "enum"],
    [{ const: 4 }, "const", "const"],
    [{ type: "array", items: { type: "string" } }, "array", "list"],
    [{ type: "array", prefixItems: [{}], items: {} }, "json", "json"],
    [{ type: "array" }, "json", "json"],
    [{ type: "object", properties: { a: {} } }, "object", "object"],
    [{ properties: { a: {} } }, "object", "object"],
    [{ type: "object" }, "json", "json"],
    [{ type: "object", additionalProperties: { type: "string" } }, "json", "json"],
    [{ properties: { a: {} }, additionalProperties: { type: "string" } }, "json", "json"],
    [{ properties: { a: {} }, additionalProperties: false }, "object", "object"],
    [{ oneOf: [{ type: "string" }, { type: "number" }] }, "choice", "one of"],
    [{ oneOf: [{ const: "a" }, { const: "b" }] }, "enum", "enum"],
    [{ type: ["string", "number"] }, "choice", "one of"],
    [{}, "choice", "any"],
    [{ description: "Anything" }, "choice", "any"],
    [{ not: {} }, "json", "json"],
  ];
  for (const [schema, kind, name] of kinds) {
    const one = of(schema);
    assert.equal(one.kind, kind, JSON.stringify(schema));
    assert.equal(kindName(one), name, JSON.stringify(schema));
  }
});

test("a value without a schema has the control of its type, at first that of a text", () => {
  const any = of({});
  assert.ok(any.kind === "choice");
  const types = ["a", 1, true, [1], { a: 1 }].map(
    (value) => any.options[chosen(value, any, {})]?.label,
  );
  assert.deepEqual(types, ["string", "number", "boolean", "array", "object"]);
  assert.equal(blank({}, {}), "");
});

test("null is told apart however it is written", () => {
  const ways: Schema[] = [
    { type: ["string", "null"] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { oneOf: [{ const: null }, { type: "string" }] },
  ];
  for (const schema of ways) {
    const one = of(schema);
    assert.equal(one.kind, "text", JSON.stringify(schema));
    assert.equal(one.nullable, true, JSON.stringify(schema));
  }
  const choice = of({ enum: ["a", null] });
  assert.ok(choice.kind === "enum" && choice.nullable && choice.values.length === 1);
  assert.equal(of({ type: "string" }).nullable, false);
});

test("references and allOf are followed, also in circles", () => {
  const root: Schema = {
    $defs: {
      name: { type: "string", description: "inner", maxLength: 300 },
      "a/b": { type: "integer" },
      node: { type: "object", properties: { next: { $ref: "#/$defs/node" } }, required: ["next"] },
      self: { $ref: "#/$defs/self" },
      round: { anyOf: [{ $ref: "#/$defs/round" }] },
    },
  };
  const named = field({ $ref: "#/$defs/name", description: "outer" }, root);
  assert.ok(named.kind === "text" && named.long);
  assert.equal(named.description, "outer");
  assert.equal(field({ $ref: "#/$defs/a~1b" }, root).kind, "number");
  assert.equal(field({ $ref: "https://example.com/x" }, root).kind, "json");
  assert.equal(field({ $ref: "#/$defs/self" }, root).kind, "json");
  assert.equal(field({ $ref: "#/$defs/round" }, root).kind, "json");
  assert.equal(fit("x", { $ref: "#/$defs/round" }, root), 0);
  assert.ok(JSON.stringify(blank({ $ref: "#/$defs/node" }, root)).length < 500);
  const both = resolve(
    {
      allOf: [
        { type: "object", properties: { a: {} }, required: ["a"] },
        { properties: { b: {} }, required: ["b"] },
      ],
    },
    root,
  );
  assert.deepEqual(Object.keys(both.properties as Dict), ["a", "b"]);
  assert.deepEqual(both.required, ["a", "b"]);
});

test("a blank value has what is required and the defaults", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      title: { type: "string" },
      size: { enum: ["s", "m"] },
      many: { type: "integer", minimum: 3 },
      on: { type: "boolean" },
      kind: { const: "x" },
      list: { type: "array", minItems: 2, items: { type: "number" } },
      gone: { type: "string" },
      said: { type: "string", default: "hi" },
    },
    required: ["title", "size", "many", "on", "kind", "list"],
  };
  assert.deepEqual(blank(schema, schema), {
    title: "",
    size: "s",
    many: 3,
    on: false,
    kind: "x",
    list: [0, 0],
    said: "hi",
  });
});

test("the alternative that a value is of is found", () => {
  const member = (kind: string, more: Dict): Schema => ({
    type: "object",
    properties: { kind: { const: kind }, ...more },
    required: ["kind"],
  });
  const schema: Schema = {
    oneOf: [
      { type: "string" },
      member("card", { title: { type: "string" } }),
      member("list", { items: { type: "array", items: {} } }),
    ],
  };
  const choice = of(schema);
  assert.ok(choice.kind === "choice");
  assert.deepEqual(
    choice.options.map((option) => option.label),
    ["string", "card", "list"],
  );
  const values: [Json, number][] = [
    ["a", 0],
    [{ kind: "card", title: "x" }, 1],
    [{ kind: "list", items: [] }, 2],
    [{ kind: "list" }, 2],
  ];
  for (const [value, at] of values) assert.equal(chosen(value, choice, schema), at);
});

test("values are changed by copying", () => {
  const value: Json = { a: { b: [1, 2, 3] }, c: { d: 1 } };
  const next = put(value, ["a", "b", 1], 9) as Dict;
  assert.deepEqual(next, { a: { b: [1, 9, 3] }, c: { d: 1 } });
  assert.equal(next.c, (value as Dict).c);
  assert.deepEqual(value, { a: { b: [1, 2, 3] }, c: { d: 1 } });
  assert.deepEqual(put(undefined, ["x", "y"], 1), { x: { y: 1 } });
  assert.deepEqual(drop(value, ["a", "b", 0]), { a: { b: [2, 3] }, c: { d: 1 } });
  assert.deepEqual(drop(value, ["a"]), { c: { d: 1 } });
  assert.deepEqual(drop(value, ["no", "such"]), value);
  assert.deepEqual(shift([1, 2, 3], 0, 1), [2, 1, 3]);
  assert.deepEqual(shift([1, 2, 3], 2, -1), [1, 3, 2]);
  assert.deepEqual(shift([1, 2, 3], 2, 1), [1, 2, 3]);
  const odd = put({}, ["__proto__", "x"], 1);
  assert.deepEqual(Object.keys(odd as Dict), ["__proto__"]);
  assert.equal(({} as Dict).x, undefined);
  assert.ok(same({ a: [1, { b: null }] }, { a: [1, { b: null }] }));
  assert.ok(!same({ a: 1 }, { b: 1 }) && !same([1], { 0: 1 }) && !same(null, {}));
});

test("pointers escape and come back", () => {
  for (const path of [[], ["a"], ["a/b", "~", "c~1"], ["list", 3, ""]])
    assert.deepEqual(steps(pointer(path)), path.map(String));
  assert.equal(pointer(["a/b", "~"]), "/a~1b/~0");
});

test("tokens give the text back, and places point at lines", () => {
  const source = '{\n  "a": [1, -2.5e3, true],\n  "b\\"/": {"c": "x: y", "d": null}\n}';
  assert.equal(
    tokens(source)
      .map((token) => token.text)
      .join(""),
    source,
  );
  const kinds = tokens(source).filter((token) => token.kind !== "plain");
  assert.deepEqual(
    kinds.map((token) => token.kind),
    ["key", "number", "number", "word", "key", "key", "string", "key", "word"],
  );
  const known = places(source);
  assert.equal(lineOf(source, known, ""), 0);
  assert.equal(lineOf(source, known, "/a/2"), 1);
  assert.equal(lineOf(source, known, '/b"~1/c'), 2);
  assert.equal(lineOf(source, known, '/b"~1/c/no/such'), 2);
  assert.equal(lineOf(source, known, "/missing"), 0);
  for (const half of ['{"a": ', "[1, 2", '{"a"', '"x', "", "[,]", "{{}}"]) {
    assert.equal(
      tokens(half)
        .map((token) => token.text)
        .join(""),
      half,
    );
    places(half);
  }
});

test("of a picture in JSON only the start is shown", () => {
  const uri = `data:image/svg+xml,${"%3C".repeat(500)}`;
  const shown = brief(JSON.stringify({ src: uri, alt: "data: a word", next: 1 }));
  const start = uri.slice(0, 39);
  assert.deepEqual(JSON.parse(shown), {
    src: `${start}… (1,519 characters)`,
    alt: "data: a word",
    next: 1,
  });
  const short = JSON.stringify({ src: "data:image/png;base64,AAAA", text: "x".repeat(500) });
  assert.equal(brief(short), short);
});

test("JSON to edit is short, and what was cut is put back", () => {
  const uri = (end: string) => `data:image/svg+xml,<svg a="1" b="${"x".repeat(200)}">${end}`;
  const escaped = `data:image/svg+xml,<svg xmlns=\\\\"\\\\"${"\\".repeat(200)}"`;
  const source = JSON.stringify(
    { a: uri("1"), b: uri("2"), c: uri("1"), d: escaped, e: 1 },
    null,
    2,
  );
  const short = new Shortener();
  const shown = short.shorten(source);
  assert.ok(shown.length < 500, shown);
  assert.equal(short.restore(shown), source);
  const lines = (text: string) => text.split("\n").length;
  assert.equal(lines(shown), lines(source));
  assert.equal(short.shorten(source), shown, "each has one short form");
  const edited = shown.replace('"e": 1', '"e": 2').replace(/"a": .*\n/, "");
  assert.deepEqual(JSON.parse(short.restore(edited)), {
    b: uri("2"),
    c: uri("1"),
    d: escaped,
    e: 2,
  });
  const other = '"data:image/png;base64,… (9 characters)"';
  assert.equal(short.restore(other), other);
});

test("a fault in JSON has a line", () => {
  assert.equal(fault('{"a": 1}'), undefined);
  assert.equal(fault('{\n  "a": 1,\n  "b": x\n}')?.line, 2);
  assert.equal(fault('{\n"a": 1\n')?.line, 2);
  const said: [string, string][] = [
    ["", "expected a value, but the text ends"],
    ["{a: 1}", 'expected a key in "double quotes"'],
    ['{"a": 1,}', 'expected a key in "double quotes"'],
    ['{"a" 1}', "expected `:`"],
    ["[1 2]", "expected `,` or `]`"],
    ["[1", "expected `,` or `]`, but the text ends"],
    ['"x', "the string is not closed, or contains an invalid character"],
    ["01", "expected a value"],
    ["nul", "expected a value"],
    ["1 2", "unexpected text after the value"],
  ];
  for (const [source, message] of said) assert.equal(fault(source)?.message, message, source);
  for (const good of ["1e5", "-0.5", '[{"a":[]},{},"\\u00e9"]', " null "])
    assert.ok(places(good).size > 0 && !fault(good), good);
});

test("terminal colours become runs, other sequences go", () => {
  assert.deepEqual(ansi("a\x1b[1;31mb\x1b[22mc\x1b[0md"), [
    { text: "a", classes: [] },
    { text: "b", classes: ["bold", "f1"] },
    { text: "c", classes: ["f1"] },
    { text: "d", classes: [] },
  ]);
  assert.deepEqual(ansi("\x1b[97;44mx\x1b[m y"), [
    { text: "x", classes: ["f15", "b4"] },
    { text: " y", classes: [] },
  ]);
  assert.deepEqual(ansi("\x1b[38;2;1;2;3;48;5;232mx"), [
    { text: "x", classes: [], color: "rgb(1 2 3)", background: "rgb(8 8 8)" },
  ]);
  assert.deepEqual(ansi("\x1b]8;;https://a.b/c\x1b\\go\x1b]8;;\x1b\\\x1b[2K."), [
    { text: "go", classes: [], link: "https://a.b/c" },
    { text: ".", classes: [] },
  ]);
  assert.equal(ansi("\x1b]8;;javascript:alert(1)\x07x")[0]?.link, undefined);
});

test("every gallery widget has a form in which its sample fits", () => {
  const folder = new URL("../../../crates/cli/widgets/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".widget"));
  assert.ok(files.length > 20);
  const raw: string[] = [];
  const walk = (value: Json | undefined, schema: Json | undefined, root: Schema, at: string) => {
    const one = field(schema, root);
    if (value === undefined || value === null) return;
    assert.ok(fit(value, schema, root) >= 0, `${at} does not fit ${one.kind}`);
    if (one.kind === "json") raw.push(at);
    if (one.kind === "array")
      for (const [index, item] of (value as Json[]).entries())
        walk(item, one.items, root, `${at}/${index}`);
    if (one.kind === "object")
      for (const member of one.members)
        walk((value as Dict)[member.name], member.schema, root, `${at}/${member.name}`);
    if (one.kind === "choice") walk(value, one.options[chosen(value, one, root)]?.schema, root, at);
  };
  for (const name of files) {
    const widget = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    walk(widget.sample, widget.jsonSchema, widget.jsonSchema, name);
  }
  assert.deepEqual(raw, [], "these are edited as JSON only");
});

test("a name that is taken does not count as a broken file", () => {
  const one = (file: string, severity: Finding["severity"], broken: boolean): Finding => ({
    ...{ file, severity, broken, line: 1, tool: null, code: "x", message: "no, no" },
    excerpt: `${severity}[x]: ${file}:1:1: no, no\n   |\n 1 | a\n   | ^`,
  });
  const broken = one("a", "error", true);
  const taken = one("b", "error", false);
  assert.equal(summary([broken, broken, taken]), "1 file is broken, 1 other error");
  assert.equal(summary([taken, taken, one("c", "warning", false)]), "2 errors, 1 warning");
  assert.equal(summary([broken, one("d", "error", true)]), "2 files are broken");
  assert.equal(excerpt(broken), "   |\n 1 | a\n   | ^");
  assert.equal(excerpt({ ...broken, excerpt: "other" }), "other");
});

test("a command adds the server that runs, or there is none", () => {
  const widget = { name: "a", title: "A", description: "", readOnly: true, drawn: true } as const;
  const index = (dir: string | null, kind: "widget" | "tool", name = "Widgetcast") => ({
    name,
    version: "1",
    endpoint: "/mcp",
    drafts: false,
    dir,
    tools: [{ ...widget, kind }],
    findings: [],
  });
  const url = "http://127.0.0.1:8000/mcp";
  assert.equal(
    command("cursor", index("/home/ada/my cards", "widget"), url),
    "widgetcast install cursor '/home/ada/my cards' --write",
  );
  const running = `widgetcast install zed --http ${url} --write`;
  assert.equal(command("zed", index("/cards", "tool"), url), running);
  // An app has more than its directory: hooks, accounts, data.
  assert.equal(command("zed", index("/cards", "widget", "helpdesk"), url), running);
  // Claude Desktop only starts programs.
  assert.equal(command("claude", index("/cards", "tool"), url), undefined);
  assert.equal(command("claude", index(null, "widget", "helpdesk"), url), undefined);
  assert.equal(command("claude", index(null, "widget"), url), "widgetcast install claude --write");
  assert.equal(quoted("it's"), "'it'\\''s'");
});
