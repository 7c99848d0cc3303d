// A second opinion on Block Kit output: the types of Slack's own TypeScript package.
//
// Usage: npx tsx check.ts <file>, a JSON list whose entries are block lists or {"name", "blocks"}.
// Each list is written as a literal of type `KnownBlock[]` into a virtual file that the compiler
// checks, so that a missing, misspelt or surplus key is an error.
// Needs: npm install @slack/types@3.2.0 typescript@5.9.3 tsx@4, run from where they are installed.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "check.ts"));
const ts = require("typescript");

// @slack/types 3.2.0 has no data_visualization; its documented shape stands in.
const PRELUDE = `
import type { KnownBlock } from "@slack/types";
type Point = { label: string; value: number };
type Visualization = {
  type: "data_visualization"; block_id?: string; title: string;
  chart: {
    type: "bar" | "line" | "area"; series: { name: string; data: Point[] }[];
    axis_config: { categories: string[]; x_label?: string; y_label?: string };
  } | { type: "pie"; segments: Point[] };
};
type Blocks = (KnownBlock | Visualization)[];
`;

type Case = { name: string; blocks: unknown[] };

function read(file: string): Case[] {
  const cases: (Case | unknown[])[] = JSON.parse(readFileSync(file, "utf8"));
  return cases.map((entry, index) =>
    Array.isArray(entry) ? { name: String(index), blocks: entry } : entry,
  );
}

function check(cases: Case[]): string[] {
  const file = path.join(process.cwd(), "blocks.virtual.ts");
  const starts: number[] = [];
  let source = PRELUDE;
  cases.forEach(({ blocks }, index) => {
    starts.push(source.length);
    source += `export const c${index}: Blocks = ${JSON.stringify(blocks)};\n`;
  });
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [] as string[] };
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (name: string, ...rest: unknown[]) =>
    path.resolve(name) === file
      ? ts.createSourceFile(name, source, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map((found: any) => {
    const index = starts.filter((start) => start <= (found.start ?? 0)).length - 1;
    const words = ts.flattenDiagnosticMessageText(found.messageText, "\n  ");
    return `case ${cases[index]?.name ?? "setup"}: ${words}`;
  });
}

const cases = read(process.argv[2]);
const faults = check(cases);
faults.forEach((fault) => console.error(fault));
const blocks = cases.reduce((sum, { blocks }) => sum + blocks.length, 0);
console.log(`@slack/types: ${cases.length} cases, ${blocks} blocks, ${faults.length} faults`);
process.exitCode = faults.length ? 1 : 0;
