// Text inside a line of Markdown, as a tree. One pass; a search for an end that failed is not made
// again, so that a page of open brackets costs no more than a page of words.

import { pictureUrl, webUrl } from "../part/url";

export type Inline =
  | string
  | { type: "code"; text: string }
  | { type: "strong" | "em" | "del"; kids: Inline[] }
  | { type: "link"; url: string; kids: Inline[] }
  | { type: "image"; url: string | undefined; alt: string }
  | { type: "break" };

const DEEP = 8;
const MARK = /[\\`*_~[!<\n]|https?:\/\//g;
const SPACE = /\s/;
const WORD = /[\p{L}\p{N}]/u;

export function inline(text: string, depth = 0): Inline[] {
  const out: Inline[] = [];
  const hopeless = new Map<string, true>();
  let plain = "";
  let at = 0;
  const push = (part: Inline) => {
    if (plain) out.push(plain);
    plain = "";
    out.push(part);
  };
  const take = (length: number) => {
    plain += text.slice(at, at + length);
    at += length;
  };
  const find = (mark: string, from: number): number => {
    if (hopeless.has(mark)) return -1;
    const found = text.indexOf(mark, from);
    if (found < 0) hopeless.set(mark, true);
    return found;
  };

  while (at < text.length) {
    MARK.lastIndex = at;
    const next = MARK.exec(text)?.index ?? text.length;
    if (next > at) {
      take(next - at);
      continue;
    }
    const char = text[at] as string;
    const rest = text[at + 1] ?? "";
    if (char === "\\") {
      if (rest === "\n") {
        push({ type: "break" });
        at += 2;
      } else if (/[!-/:-@[-`{-~]/.test(rest)) {
        plain += rest;
        at += 2;
      } else take(1);
    } else if (char === "\n") {
      if (plain.endsWith("  ")) {
        plain = plain.trimEnd();
        push({ type: "break" });
        at += 1;
      } else take(1);
    } else if (char === "`") {
      const fence = /^`+/.exec(text.slice(at, at + 32))?.[0] ?? "`";
      const end = find(fence, at + fence.length);
      if (end < 0) take(fence.length);
      else {
        push({ type: "code", text: text.slice(at + fence.length, end).replace(/^ (.*) $/s, "$1") });
        at = end + fence.length;
      }
    } else if (char === "*" || char === "_" || char === "~") {
      const end = depth < DEEP ? closing(text, at, hopeless) : undefined;
      if (!end) take(runAt(text, at));
      else {
        const kids = inline(text.slice(at + end.size, end.at), depth + 1);
        if (char === "~") push({ type: "del", kids });
        else if (end.size === 3) push({ type: "strong", kids: [{ type: "em", kids }] });
        else push({ type: end.size === 2 ? "strong" : "em", kids });
        at = end.at + end.size;
      }
    } else if (char === "[" || (char === "!" && rest === "[")) {
      const isImage = char === "!";
      const link = linkAt(text, isImage ? at + 1 : at, find);
      if (!link || depth >= DEEP) take(isImage ? 2 : 1);
      else {
        const url = webUrl(link.url)?.href;
        if (isImage) push({ type: "image", url: pictureUrl(link.url), alt: link.label });
        else if (url) push({ type: "link", url, kids: inline(link.label, depth + 1) });
        // An address that must not be opened leaves its words behind.
        else for (const kid of inline(link.label, depth + 1)) push(kid);
        at = link.end;
      }
    } else if (char === "<") {
      const end = find(">", at);
      const url = end < 0 ? undefined : webUrl(text.slice(at + 1, end))?.href;
      if (url) {
        push({ type: "link", url, kids: [text.slice(at + 1, end)] });
        at = end + 1;
      } else take(1);
    } else if (char === "h") {
      const found = /^https?:\/\/[^\s<>"]+/.exec(text.slice(at, at + 2000))?.[0] ?? "";
      const shown = found.replace(/[.,;:!?'")\]*_~]+$/, "");
      const url = webUrl(shown)?.href;
      if (url) {
        push({ type: "link", url, kids: [shown] });
        at += shown.length;
      } else take(1);
    } else take(1);
  }
  if (plain) out.push(plain);
  return out;
}

function runAt(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

/** The end of an emphasis that starts here. */
function closing(text: string, start: number, hopeless: Map<string, true>) {
  const char = text[start] as string;
  const size = runAt(text, start);
  const key = `${char}${size}`;
  const isWord = char === "_" && WORD.test(text[start - 1] ?? "");
  if (size > 3 || (char === "~" && size !== 2) || isWord) return undefined;
  if (hopeless.has(key) || SPACE.test(text[start + size] ?? " ")) return undefined;
  for (let at = start + size; at < text.length; at += 1) {
    const here = text[at];
    if (here === "\\") at += 1;
    else if (here === "`") {
      const end = text.indexOf("`", at + 1);
      if (end > 0) at = end;
    } else if (here === char) {
      const length = runAt(text, at);
      const isInside = char === "_" && WORD.test(text[at + length] ?? "");
      if (length === size && !SPACE.test(text[at - 1] as string) && !isInside) return { at, size };
      at += length - 1;
    }
  }
  hopeless.set(key, true);
  return undefined;
}

/** `[label](address "title")`, brackets in the label balanced. */
function linkAt(text: string, start: number, find: (mark: string, from: number) => number) {
  const middle = find("](", start);
  if (middle < 0) return undefined;
  let depth = 0;
  let close = start;
  for (; close < text.length && close < start + 2000; close += 1) {
    if (text[close] === "\\") close += 1;
    else if (text[close] === "[") depth += 1;
    else if (text[close] === "]" && --depth === 0) break;
  }
  if (depth !== 0 || text[close + 1] !== "(") return undefined;
  let end = close + 2;
  for (depth = 1; end < text.length && end < close + 4000; end += 1) {
    if (text[end] === "(") depth += 1;
    else if (text[end] === ")" && --depth === 0) break;
  }
  if (depth !== 0) return undefined;
  const url = text
    .slice(close + 2, end)
    .trim()
    .replace(/\s+("[^"]*"|'[^']*')$/, "");
  return { label: text.slice(start + 1, close), url: url.replace(/^<(.*)>$/, "$1"), end: end + 1 };
}
