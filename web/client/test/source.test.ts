// The types hold without casts: in each package one function takes what came over the wire for its type.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../..", import.meta.url));
const CAST = /\bas (?!const\b)|\bany\b|@ts-|noExplicitAny/;
const ALLOWED = /value as V;$/;

/** The lines of code with a cast; comments, imports and exports have other uses of the word. */
function casts(folder: string, skip: RegExp): string[] {
  const found: string[] = [];
  for (const name of readdirSync(join(WEB, folder), { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(name) || skip.test(name)) continue;
    for (const line of readFileSync(join(WEB, folder, name), "utf8").split("\n")) {
      const code = line.replace(/^\s*(\/?\*|\/\/).*|\s\/\/ .*/, "").replace(/"[^"]*"/g, '""');
      if (/^\s*(import|export) (type )?[*{]/.test(code)) continue;
      if (CAST.test(code)) found.push(`${name}: ${line.trim()}`);
    }
  }
  return found;
}

for (const [folder, skip] of [
  ["client/src", /^extract\//],
  ["react/src", /^ui\//],
] as const)
  test(`one cast in ${folder}`, () => {
    const found = casts(folder, skip);
    assert.equal(found.length, 1, found.join("\n"));
    assert.match(found[0] ?? "", ALLOWED);
  });
