// What a host does not show of a result, or does not do.

import { type Dict, isDict, type Json, steps } from "@widgetcast/schema";
import type { Drawing, Loss } from "./api";
import { type Host, missing } from "./hosts";
import { shownBy } from "./paint";
import { plural } from "./part";
import { type Conditions, modeOf } from "./play";

// A card has the actions of its two buttons next to its children.
const ACTIONS = /"(on\w+A|a)ction":\{/;

/** What of the result this host does not show, or not do. */
export function lossesOf(
  host: Host,
  drawing: Drawing,
  conditions: Conditions,
  hasPage: boolean,
): Loss[] {
  const losses = [...(shownBy(host, drawing)?.losses ?? [])];
  if (hasPage && !host.isFrame && !drawing.tree)
    losses.push({ path: "", reason: "The tool's custom page is not shown, only its text" });
  const acts = ACTIONS.test(JSON.stringify(drawing.tree) ?? "");
  const [cannotCall, cannotSay] = ["call", "message"].map((one) => host.lacks.includes(one));
  if (host.isFrame && acts && cannotCall && cannotSay)
    losses.push({
      path: "",
      reason: "Buttons do nothing: views here can neither call tools nor send messages",
    });
  else if (host.isFrame && acts && (cannotCall || cannotSay))
    losses.push({ path: "", reason: `Views here do not support ${missing(host).join(" or ")}` });
  if (host.isFrame && conditions.mode !== modeOf(host, conditions))
    losses.push({ path: "", reason: `This host has no ${conditions.mode} mode` });
  if (host.surface === "slack-blocks" && conditions.meta === "stripped")
    losses.push({
      path: "/_meta",
      reason: "Blocks are sent in _meta; without it, only the text is shown",
    });
  return losses;
}

/** `DatePicker` in words: `date picker`. */
const kindOf = (node: Dict): string =>
  String(node.type)
    .replace(/\./g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();

/** The words by which a person knows a component: its own, or the first in it. */
function wordsOf(node: Json | undefined): string | undefined {
  if (!isDict(node)) return undefined;
  const own = [node.label, node.alt, node.value, node.name].find((one) => one && !isDict(one));
  if (typeof own === "string") return own.length > 40 ? `${own.slice(0, 39)}…` : own;
  const children = Array.isArray(node.children) ? node.children : [node.children];
  for (const child of children) {
    const words = wordsOf(child);
    if (words) return words;
  }
  return undefined;
}

/** The component at a pointer, or around it, and its words; nothing if the pointer leads elsewhere. */
function componentAt(tree: Json, path: string): { kind: string; words?: string } | undefined {
  let at: Json | undefined = tree;
  let kind: string | undefined;
  let words: string | undefined;
  for (const step of steps(path)) {
    at = Array.isArray(at) ? at[Number(step)] : isDict(at) ? at[step] : undefined;
    if (at === undefined) return undefined;
    // An option has words, and no type.
    const own = wordsOf(at);
    if (isDict(at) && typeof at.type === "string" && /^[A-Z]/.test(at.type)) {
      kind = kindOf(at);
      words = own;
    } else words = own ?? words;
  }
  return kind === undefined ? undefined : { kind, ...(words && { words }) };
}

export interface Line {
  /** What is concerned, in words; nothing if that is the whole. */
  what: string;
  reason: string;
  /** Where in the tree. */
  paths: string[];
}

const many = (kind: string): string => (/(x|s|ch)$/.test(kind) ? `${kind}es` : `${kind}s`);

/** Losses as people read them: those with the same reason in one line. */
export function linesOf(losses: Loss[], tree: Json): Line[] {
  const reasons = new Map<string, string[]>();
  for (const { path, reason } of losses)
    reasons.set(reason, [...(reasons.get(reason) ?? []), path]);
  return [...reasons].map(([reason, paths]) => {
    const found = paths.flatMap((path) => componentAt(tree, path) ?? []);
    const [first] = found;
    const isOneKind = found.every(({ kind }) => kind === first?.kind);
    const what = !first
      ? ""
      : found.length > 1
        ? plural(found.length, "", isOneKind ? many(first.kind) : "parts")
        : first.words
          ? `${first.kind} “${first.words}”`
          : first.kind;
    return { what: what.charAt(0).toUpperCase() + what.slice(1), reason, paths };
  });
}
