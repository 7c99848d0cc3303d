// Markdown as a tree of blocks: what models write, not all of CommonMark. HTML is text.

import { type Inline, inline } from "./inline";

export type Align = "start" | "center" | "end";

export type Block =
  | { type: "heading"; level: number; kids: Inline[] }
  | { type: "paragraph"; kids: Inline[] }
  | { type: "code"; language: string; text: string }
  | { type: "quote"; kids: Block[] }
  | {
      type: "list";
      start: number | undefined;
      items: { done: boolean | undefined; kids: Block[] }[];
    }
  | { type: "table"; aligns: Align[]; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };

const DEEP = 10;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(\s+|$)/;
const DASHES = /^ {0,3}\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

export const markdown = (text: string): Block[] =>
  blocks(text.replace(/\r\n?/g, "\n").replace(/\t/g, "    ").split("\n"), 0);

function blocks(lines: readonly string[], depth: number): Block[] {
  const out: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] as string;
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    if (!line.trim()) at += 1;
    else if (fence) {
      const [, mark = "", language = ""] = fence;
      const end = lines.findIndex(
        (one, place) =>
          place > at && one.trim().startsWith(mark) && !one.trim().replace(/[`~]/g, ""),
      );
      // Without an end it is still being written.
      const stop = end < 0 ? lines.length : end;
      out.push({
        type: "code",
        language: language.trim(),
        text: lines.slice(at + 1, stop).join("\n"),
      });
      at = stop + 1;
    } else if (heading) {
      out.push({
        type: "heading",
        level: (heading[1] as string).length,
        kids: inline(heading[2] as string),
      });
      at += 1;
    } else if (RULE.test(line)) {
      out.push({ type: "rule" });
      at += 1;
    } else if (QUOTE.test(line) && depth < DEEP) {
      const start = at;
      while (at < lines.length && QUOTE.test(lines[at] as string)) at += 1;
      const inner = lines.slice(start, at).map((one) => one.replace(QUOTE, ""));
      out.push({ type: "quote", kids: blocks(inner, depth + 1) });
    } else if (ITEM.test(line) && depth < DEEP) {
      const list = listAt(lines, at, depth);
      out.push(list.block);
      at = list.end;
    } else if (
      line.includes("|") &&
      DASHES.test(lines[at + 1] ?? "") &&
      /[|:]/.test(lines[at + 1] ?? "")
    ) {
      const start = at;
      at += 2;
      while (at < lines.length && (lines[at] as string).includes("|")) at += 1;
      out.push(table(lines.slice(start, at)));
    } else {
      const start = at;
      at += 1;
      while (at < lines.length && !ends(lines, at, depth)) at += 1;
      const text = lines.slice(start, at).map((one) => one.trimStart());
      out.push({ type: "paragraph", kids: inline(text.join("\n").trimEnd()) });
    }
  }
  return out;
}

/** Whether a paragraph ends before this line. */
function ends(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] as string;
  if (!line.trim()) return true;
  if (depth < DEEP && (QUOTE.test(line) || ITEM.test(line))) return true;
  return [FENCE, HEADING, RULE].some((one) => one.test(line));
}

function listAt(lines: readonly string[], start: number, depth: number) {
  const [, indent = "", mark = ""] = ITEM.exec(lines[start] as string) as RegExpExecArray;
  const isOrdered = /\d/.test(mark);
  const items: { done: boolean | undefined; kids: Block[] }[] = [];
  let own: string[] = [];
  let inner = 0;
  let at = start;
  const close = () => {
    if (!own.length) return;
    const task = /^\[([ xX])\]\s+/.exec(own[0] as string);
    if (task) own[0] = (own[0] as string).slice(task[0].length);
    items.push({ done: task ? task[1] !== " " : undefined, kids: blocks(own, depth + 1) });
    own = [];
  };
  for (; at < lines.length; at += 1) {
    const line = lines[at] as string;
    const item = ITEM.exec(line);
    const depthOf = line.search(/\S/);
    if (item && (item[1] as string).length < indent.length + 2) {
      const isSame = /\d/.test(item[2] as string) === isOrdered && !RULE.test(line);
      if (!isSame || (item[1] as string).length < indent.length) break;
      close();
      inner = item[0].length;
      own.push(line.slice(inner));
    } else if (depthOf < 0) {
      // A blank line ends the list, unless what follows is still inside.
      const next = lines[at + 1] ?? "";
      const nextItem = ITEM.exec(next);
      if (!nextItem && next.search(/\S/) < indent.length + 2) break;
      own.push("");
    } else if (depthOf >= Math.min(inner, indent.length + 2))
      own.push(line.slice(Math.min(inner, depthOf)));
    else if (lines[at - 1]?.trim() && !ends(lines, at, depth)) own.push(line.trimStart());
    else break;
  }
  close();
  return {
    block: {
      type: "list",
      start: isOrdered ? Number.parseInt(mark, 10) : undefined,
      items,
    } as const,
    end: at,
  };
}

const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function table([head = "", dashes = "", ...rows]: string[]): Block {
  const names = cells(head);
  const aligns = cells(dashes).map((one): Align => {
    if (/^:.*:$/.test(one)) return "center";
    return one.endsWith(":") ? "end" : "start";
  });
  return {
    type: "table",
    aligns,
    head: names.map((one) => inline(one)),
    rows: rows.map((row) => {
      const own = cells(row);
      return names.map((_, at) => inline(own[at] ?? ""));
    }),
  };
}
