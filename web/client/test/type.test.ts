// Calls are checked by the compiler once the registry knows the tools, and free before.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../..", import.meta.url));

/** What the compiler says to a file, one line per fault. */
function compile(source: string): string[] {
  // Inside the workspace, where the imports resolve; a dot keeps it out of other globs.
  const folder = mkdtempSync(join(WEB, "client/.type-"));
  try {
    writeFileSync(join(folder, "main.ts"), source);
    const config = { extends: "../../tsconfig.json", include: ["main.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(WEB, "node_modules/.bin/tsc");
    const { stdout } = spawnSync(tsc, ["-p", folder, "--pretty", "false"], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => line.includes("error"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CLIENT = `import { createClient } from "@widgetcast/client";
const client = createClient();`;
const REGISTRY = `declare module "@widgetcast/client" {
  interface ToolRegistry {
    ferry: { input: { to: string }; output: { at: string } };
    now: { input: { zone?: string }; output: { at: string } };
  }
}`;

test("any call is right while the registry is empty", () => {
  const calls = `export const a = client.callTool("anything", { b: 1 });
    export const c = client.callTool("anything");`;
  assert.deepEqual(compile(`${CLIENT}\n${calls}`), []);
});

test("right calls of known tools", () => {
  const calls = `const ferry = await client.callTool("ferry", { to: "Vis" });
    export const at: string = ferry.at;
    export const now: string = (await client.callTool("now")).at;
    export const whole = client.callToolResult("any name", {});`;
  assert.deepEqual(compile(`${CLIENT}\n${REGISTRY}\n${calls}`), []);
});

test("wrong calls of known tools", () => {
  const calls = [
    'client.callTool("fery", { to: "Vis" });',
    'client.callTool("ferry", { too: "Vis" });',
    'client.callTool("ferry", { to: 1 });',
    'client.callTool("ferry");',
    'export const a: number = (await client.callTool("ferry", { to: "Vis" })).at;',
  ];
  const faults = compile([CLIENT, REGISTRY, ...calls].join("\n"));
  const lines = faults.map((fault) => Number(/\((\d+),/.exec(fault)?.[1]));
  assert.deepEqual(lines, [9, 10, 11, 12, 13], faults.join("\n"));
});
