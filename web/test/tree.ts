// The results that the Rust tests wrote: every widget of the gallery, and the corpus where it is.

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export type Tree = Record<string, unknown>;
export interface Result {
  content: { type: string; [key: string]: unknown }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}
export interface Case {
  name: string;
  /** Of the corpus of foreign widgets, which not every machine has. */
  foreign: boolean;
  result: Result;
  tree: Tree;
}

const path =
  process.env.WIDGETCAST_RESULTS ??
  fileURLToPath(new URL("../../target/tmp/peers/results.json", import.meta.url));

export function cases(): Case[] {
  if (!existsSync(path))
    throw new Error(`${path} is absent: run \`cargo test\` first, it writes it`);
  const read = JSON.parse(readFileSync(path, "utf8")) as { name: string; result: Result }[];
  return read.map(({ name, result }) => {
    const view = result._meta?.["widgetcast/view"] as { tree?: Tree } | undefined;
    if (!view?.tree) throw new Error(`${name} has no tree in _meta["widgetcast/view"]`);
    return { name, foreign: name.includes("__"), result, tree: view.tree };
  });
}

/** A result as our server gives it. */
export function result(tree: unknown, text = "As text", more: Partial<Result> = {}): Result {
  return {
    content: [{ type: "text", text }],
    _meta: { "widgetcast/view": { uri: "ui://widgets/test/1", state: "0".repeat(24), tree } },
    ...more,
  };
}

/** The origins of every picture in a tree, as the server declares them. */
export function origins(value: unknown): string[] {
  const found = JSON.stringify(value).match(/https?:\/\/[^/"\\\s]+/g) ?? [];
  return [...new Set(found)];
}
