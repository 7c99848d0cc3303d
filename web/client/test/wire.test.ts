import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { VERSION } from "@widgetcast/client/wire";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test("wire.ts holds literals alone, sorted by name", () => {
  const lines = read("../src/wire.ts").split("\n");
  const names = lines
    .filter((line) => line && !line.startsWith("//"))
    .map((line) => /^export const ([A-Z_]+) = "[^"\\]+";$/.exec(line)?.[1] ?? line);
  assert.deepEqual(names, [...names].sort());
  assert.ok(names.length > 30);
});

test("the published packages have the version of the project", () => {
  for (const path of ["../package.json", "../../react/package.json"]) {
    const { version, dependencies = {} } = JSON.parse(read(path));
    assert.equal(version, VERSION, path);
    for (const used of Object.values(dependencies)) assert.equal(used, VERSION, path);
  }
});
