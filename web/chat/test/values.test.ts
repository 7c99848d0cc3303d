// Commands: what a message calls, what it lacks, which name it may have meant.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nearest } from "../src/complete";
import { begin, brief, callOf, messageOf, schemaOf, titleOf } from "../src/values";

test("a message calls a command with JSON, with pairs, with a text or with nothing", () => {
  assert.equal(callOf("hello /there"), undefined);
  assert.deepEqual(callOf("/poll "), { name: "poll", values: {} });
  assert.deepEqual(callOf('/w city="New York" days=3'), {
    name: "w",
    values: { city: "New York", days: "3" },
  });
  assert.deepEqual(callOf("/w Bad Ragaz"), { name: "w", values: { text: "Bad Ragaz" } });
  const call = { name: "w", values: { a: [1, { b: "\n" }] } };
  assert.deepEqual(callOf(messageOf(call)), call);
});

test("a command lacks the values that its schema requires and nobody gave", () => {
  const command = { name: "w", inputSchema: { required: ["city"], properties: { city: {} } } };
  assert.ok(schemaOf(command));
  assert.equal(schemaOf(command, { city: "Oslo" }), undefined);
  assert.equal(schemaOf(command, { text: "Oslo" }), undefined);
  assert.equal(schemaOf({ name: "w", inputSchema: { required: [] } }), undefined);
  assert.equal(schemaOf({ name: "w" }), undefined);
});

test("a form begins without numbers and choices that nobody has made", () => {
  const properties = {
    id: { type: "integer" },
    kind: { enum: ["a", "b"] },
    count: { type: "integer", default: 1 },
    name: { type: "string" },
  };
  const schema = { type: "object", properties, required: Object.keys(properties) };
  assert.deepEqual(begin(schema), { count: 1, name: "" });
});

test("titles of conversations differ by what people read in the values", () => {
  const values = {
    report_id: "R-1",
    logo: "data:image/png;base64,AAAA",
    number: 7,
    title: "Trade fair in Milan",
    rows: [1],
  };
  assert.equal(brief(values), "Trade fair in Milan");
  assert.equal(brief({ count: 3 }), "3");
  assert.equal(titleOf({ name: "e", title: "Expenses" }, values), "Expenses: Trade fair in Milan");
  assert.equal(titleOf({ name: "e" }, { rows: [] }), "");
});

test("a typo finds the commands whose name, part or beginning is near", () => {
  const commands = ["flight_tracker", "weather_current", "poll", "playlist"].map((name) => ({
    name,
  }));
  const near = (typed: string) => nearest(typed, commands).map(({ name }) => name);
  assert.deepEqual(near("fligt"), ["flight_tracker"]);
  assert.deepEqual(near("traker"), ["flight_tracker"]);
  assert.deepEqual(near("wether"), ["weather_current"]);
  assert.deepEqual(near("pol"), ["poll", "playlist"]);
  assert.deepEqual(near("zebra"), []);
});
