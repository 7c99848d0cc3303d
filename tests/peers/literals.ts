// Values held against a type: each is written as a literal of that type into a virtual file that the
// compiler checks, so that a missing, misspelt or surplus key is an error.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.cwd(), "check.ts"));
const ts = require("typescript");

export type Case = { name: string; value: unknown };

/** The cases of a file: a list of values, or of objects with a name and the value under `key`. */
export function read(file: string, key: string): Case[] {
  const cases: unknown[] = JSON.parse(readFileSync(file, "utf8"));
  return cases.map((entry, index) => {
    const named = entry as { name: string; [key: string]: unknown };
    const isNamed = typeof named.name === "string" && key in named;
    return isNamed ? { name: named.name, value: named[key] } : { name: String(index), value: entry };
  });
}

/** What the compiler says about the cases; `prelude` declares the type `Wanted`. */
export function check(prelude: string, cases: Case[]): string[] {
  const file = path.join(process.cwd(), "cases.virtual.ts");
  const starts: number[] = [];
  let source = prelude;
  cases.forEach(({ value }, index) => {
    starts.push(source.length);
    source += `export const c${index}: Wanted = ${JSON.stringify(value)};\n`;
  });
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [] as string[],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
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
