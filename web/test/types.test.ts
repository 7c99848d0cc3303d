// What `widgetcast types` writes, as the compiler sees it: a right call compiles, wrong ones do not.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const binary = resolve(process.env.WIDGETCAST_BIN ?? join(web, "../target/debug/widgetcast"));
let dir: string;

before(() => {
  // Inside web/, so that the compiler finds the client by the paths of our tsconfig.
  dir = mkdtempSync(join(web, ".types-"));
  execFileSync(binary, ["types", "--out", join(dir, "tools.d.ts")], { stdio: "pipe" });
  const tsconfig = {
    extends: "../tsconfig.json",
    include: ["*.ts"],
    compilerOptions: {
      types: [],
      paths: { "@widgetcast/client": ["../client/src/index.ts"] },
    },
  };
  writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(tsconfig));
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** What the compiler says about a call. */
function compile(call: string): string {
  const code = `import { createClient } from "@widgetcast/client";\nconst client = createClient();\n${call}\nexport {};\n`;
  writeFileSync(join(dir, "call.ts"), code);
  const tsc = join(web, "node_modules/.bin/tsc");
  const run = spawnSync(tsc, ["--noEmit", "-p", dir], { encoding: "utf8" });
  return run.status === 0 ? "" : run.stdout + run.stderr;
}

const poll = `{ poll_id: "p", question: "Tea?", author: "Ann", closed: false, total_votes: 1,
  options: [{ id: "y", label: "Yes", percent: 100 }] }`;

test("a right call compiles", () => {
  assert.equal(compile(`await client.callTool("poll", ${poll});`), "");
});

test("an unknown tool does not", () => {
  assert.match(compile(`await client.callTool("pole", ${poll});`), /"pole"/);
});

test("a wrong argument does not", () => {
  assert.match(compile(`await client.callTool("poll", { ...${poll}, question: 7 });`), /number/);
});

test("a missing argument does not", () => {
  assert.match(compile(`await client.callTool("poll", { question: "Tea?" });`), /poll_id/);
});
