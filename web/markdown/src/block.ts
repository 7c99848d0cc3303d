// Lines as blocks. Quotes and list items are read by the same reader from their own lines, to a bounded
// depth; below it their marks are text.

import { readInline } from "./inline";
import type { Align, Block, Inline, Item } from "./node";

const MAX_DEPTH = 12;

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}([-+*]|\d{1,9}[.)])( {1,4}|$)/;
const UNDERLINE = /^ {0,3}(={2,}|-{2,})\s*$/;
const START = /^ {0,3}(?:#{1,6}(?:\s|$)|>|(?:[-+*]|1[.)])\s+\S|`{3}|~{3})/;

/** Whether a line that would go on with a paragraph or a table begins a block instead. */
const startsBlock = (line: string): boolean => START.test(line) || RULE.test(line);

/** The character that items of one list share. */
const bullet = (item: RegExpExecArray | null): string | undefined => item?.[1]?.slice(-1);

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

/** The alignment of each column, if these lines are the head of a table. */
function columns(line: string, next: string): (Align | undefined)[] | undefined {
  if (!line.includes("|") || !/^[\s|:-]+$/.test(next) || !next.includes("-")) return undefined;
  const rule = cells(next);
  return rule.length === cells(line).length && rule.every((cell) => /^:?-+:?$/.test(cell))
    ? rule.map((cell) =>
        /^:.*:$/.test(cell)
          ? "center"
          : cell.endsWith(":")
            ? "end"
            : cell.startsWith(":")
              ? "start"
              : undefined,
      )
    : undefined;
}

interface Context {
  streaming: boolean;
  depth: number;
}

class BlockReader {
  #lines: string[];
  #context: Context;
  /** The index of the line that is read next. */
  #at = 0;

  constructor(lines: string[], context: Context) {
    this.#lines = lines;
    this.#context = context;
  }

  read(): Block[] {
    const out: Block[] = [];
    while (this.#more()) {
      if (this.#line().trim()) out.push(this.#block());
      else this.#at++;
    }
    return out;
  }

  #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  #next(): string {
    return this.#lines[this.#at + 1] ?? "";
  }

  #more(): boolean {
    return this.#at < this.#lines.length;
  }

  /** Only the end of the text can still grow. */
  #grows(): boolean {
    return this.#context.streaming && !this.#more();
  }

  #inline(source: string): Inline[] {
    return readInline(source, this.#grows());
  }

  #nested(lines: string[]): Block[] {
    return readBlocks(lines, { streaming: this.#grows(), depth: this.#context.depth + 1 });
  }

  #block(): Block {
    const line = this.#line();
    const fence = FENCE.exec(line);
    if (fence) return this.#code(fence);
    const heading = HEADING.exec(line);
    if (heading) return this.#heading(heading);
    if (RULE.test(line)) {
      this.#at++;
      return { type: "rule" };
    }
    if (this.#context.depth < MAX_DEPTH) {
      if (QUOTE.test(line)) return this.#quote();
      const item = ITEM.exec(line);
      if (item) return this.#list(item);
    }
    const aligns = columns(line, this.#next());
    return aligns ? this.#table(aligns) : this.#paragraph();
  }

  #code([, run = "", info = ""]: RegExpExecArray): Block {
    const start = ++this.#at;
    const isEnd = (line: string) => line.startsWith(run) && /^[`~]+$/.test(line);
    while (this.#more() && !isEnd(this.#line().trim())) this.#at++;
    const text = this.#lines.slice(start, this.#at).join("\n");
    this.#at++;
    return { type: "code", language: info.trim(), text };
  }

  #heading([marks, signs = ""]: RegExpExecArray): Block {
    const title = this.#line().slice(marks.length).trim();
    this.#at++;
    const children = this.#inline(title.replace(/(^|\s)#+$/, ""));
    return { type: "heading", level: signs.length, children };
  }

  #quote(): Block {
    const lines: string[] = [];
    for (; QUOTE.test(this.#line()); this.#at++) lines.push(this.#line().replace(QUOTE, ""));
    return { type: "quote", children: this.#nested(lines) };
  }

  #list(first: RegExpExecArray): Block {
    const items: Item[] = [];
    const sign = bullet(first);
    let loose = false;
    for (
      let mark: RegExpExecArray | null = first;
      mark && bullet(mark) === sign && !RULE.test(this.#line());
      mark = ITEM.exec(this.#line())
    ) {
      const { item, hasBlank, endsBlank } = this.#item(mark);
      items.push(item);
      loose ||= hasBlank || (endsBlank && bullet(ITEM.exec(this.#line())) === sign);
    }
    const number = Number.parseInt(first[1] ?? "", 10);
    const start = Number.isNaN(number) ? undefined : number;
    return { type: "list", start, loose, items };
  }

  /** One item: the line with its mark, what is indented as far, and lines that go on with its text. */
  #item(mark: RegExpExecArray): { item: Item; hasBlank: boolean; endsBlank: boolean } {
    const width = mark[0].length + (mark[2] ? 0 : 1);
    const task = /^\[([ xX])\]\s+(?=\S)/.exec(this.#line().slice(width));
    const lines = [this.#line().slice(width + (task?.[0].length ?? 0))];
    let hasBlank = false;
    let endsBlank = false;
    for (this.#at++; this.#more(); this.#at++) {
      const line = this.#line();
      const isIndented = line.search(/\S/) >= width;
      if (line.trim()) {
        if (!isIndented && (endsBlank || startsBlock(line) || ITEM.test(line))) break;
        hasBlank ||= endsBlank;
        endsBlank = false;
      } else endsBlank = true;
      lines.push(isIndented ? line.slice(width) : line.trimStart());
    }
    const done = task ? task[1] !== " " : undefined;
    return { item: { done, children: this.#nested(lines) }, hasBlank, endsBlank };
  }

  #table(aligns: (Align | undefined)[]): Block {
    const row = (line: string): Inline[][] =>
      cells(line)
        .slice(0, aligns.length)
        .map((cell) => this.#inline(cell));
    const head = row(this.#lines[this.#at++] ?? "");
    const rows: Inline[][][] = [];
    this.#at++;
    while (this.#line().trim() && !startsBlock(this.#line()))
      rows.push(row(this.#lines[this.#at++] ?? ""));
    return { type: "table", aligns, head, rows };
  }

  /** A paragraph, or a heading if it is underlined. */
  #paragraph(): Block {
    const lines: string[] = [];
    let level = 0;
    do {
      lines.push(this.#line().trimStart());
      this.#at++;
      const line = this.#line();
      if (UNDERLINE.test(line)) level = line.includes("=") ? 1 : 2;
      if (level || startsBlock(line) || columns(line, this.#next())) break;
    } while (this.#line().trim());
    if (level) this.#at++;
    const children = this.#inline(lines.join("\n").trimEnd());
    return level ? { type: "heading", level, children } : { type: "paragraph", children };
  }
}

export function readBlocks(lines: string[], context: Context): Block[] {
  return new BlockReader(lines, context).read();
}
