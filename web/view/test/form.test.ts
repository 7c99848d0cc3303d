import assert from "node:assert/strict";
import { test } from "node:test";
import type { RenderContext } from "../src/context";
import { collect, merge } from "../src/form-value";
import { readTree } from "../src/tree";

const entry = (name: string, value: unknown) => ({ name, value });

test("values join the payload, and its own keys win", () => {
  const payload = { id: 7, todo: { id: 1 } };
  const merged = merge(payload, [
    entry("id", "typed"),
    entry("note", "hi"),
    entry("todo.title", "x"),
  ]);
  assert.deepEqual(merged, { id: 7, note: "hi", todo: { id: 1, title: "x" } });
  assert.deepEqual(payload, { id: 7, todo: { id: 1 } }, "the tree's payload is left alone");
});

test("dotted names nest, and never into what is no object", () => {
  const merged = merge({ a: 1 }, [entry("a.b", 2), entry("b.c.d", 3), entry("b.c.e", 4)]);
  assert.deepEqual(merged, { a: 1, b: { c: { d: 3, e: 4 } } });
});

test("no name reaches a prototype", () => {
  const names = ["__proto__.x", "constructor.prototype.x", "a.__proto__.x", "", "a..b", "."];
  assert.deepEqual(
    merge(
      {},
      names.map((name) => entry(name, 1)),
    ),
    {},
  );
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test("a payload that is no object stays, beside the values", () => {
  assert.equal(merge("x", []), "x");
  assert.equal(merge(undefined, []), undefined);
  assert.deepEqual(merge("x", [entry("a", 1)]), { value: "x", a: 1 });
  assert.deepEqual(merge(undefined, [entry("a", 1)]), { a: 1 });
});

test("a form gives the value of every field, typed or not", () => {
  const { root } = readTree({
    type: "Form",
    children: [
      { type: "Input", name: "name", defaultValue: "Ada" },
      { type: "Input", name: "count", inputType: "number", defaultValue: "3" },
      { type: "Input", name: "empty", inputType: "number" },
      { type: "Checkbox", name: "on", defaultChecked: true },
      { type: "Checkbox", name: "off" },
      { type: "Select", name: "room", defaultValue: "a", options: [] },
      { type: "RadioGroup", name: "none", options: [] },
      { type: "DatePicker", name: "day", defaultValue: "2027-03-18T10:00:00Z" },
      { type: "Col", children: [{ type: "Text", value: "T", editable: { name: "deep.text" } }] },
      { type: "Input", name: "disabled", defaultValue: "x", disabled: true },
      { type: "Text", value: "not a field" },
      { type: "Form", children: [{ type: "Input", name: "inner", defaultValue: "x" }] },
    ],
  });
  assert.ok(root);
  const context = {
    values: new Map([
      ["1:name", ["Grace", "Ada"]],
      ["1:day", ["2027-04-01", "2027-03-18"]],
      ["1:room", ["b", "an old default"]],
      ["2:count", [9, "3"]],
    ]),
  } as unknown as RenderContext;
  assert.deepEqual(merge(undefined, collect(root, context)), {
    name: "Grace",
    count: 3,
    on: true,
    off: false,
    room: "a",
    day: "2027-04-01T10:00:00Z",
    deep: { text: "T" },
  });
});
