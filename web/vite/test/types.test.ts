// The types of tools, as the program `widgetcast types` writes them from the same list.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { declare } from "../src/types";

const read = (name: string) =>
  readFileSync(new URL(`../../../fixtures/types/${name}`, import.meta.url), "utf8");

test("the same text as in Rust", () => {
  assert.equal(declare(JSON.parse(read("tools.json"))), read("tools.d.ts"));
});

test("a schema without an end ends", () => {
  let schema: unknown = { type: "string" };
  for (let depth = 0; depth < 100; depth += 1) schema = { properties: { a: schema } };
  assert.match(declare([{ name: "deep", inputSchema: schema }]), /a\?: unknown/);
});
