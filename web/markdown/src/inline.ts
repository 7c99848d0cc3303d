// The inside of a paragraph, a heading or a cell: emphasis, code, links, images, line breaks.
// One pass over the tokens of the text; marks wait in a list of bounded length until they are closed.

import type { Inline } from "./node";

/** A mark that waits for its end: `*`, `_`, `~`, `[` or `![`. */
interface OpenMark {
  sign: string;
  count: number;
  /** Its index in the output. */
  index: number;
  /** It could also have closed something, which CommonMark distinguishes. */
  both: boolean;
}

const MAX_OPEN = 32;

const ADDRESS = "[^\\s<>()[\\]`]";
const TOKEN = new RegExp(
  [
    "\\\\[!-/:-@[-`{-~\\n]|`+|\\*+|_+|~+|!?\\[|\\]|\\n|<br ?/?>",
    "&(?:amp|lt|gt|quot|nbsp|#39);",
    "<(?:https?:|mailto:|tel:)[^\\s<>]*>",
    // A bare link ends before the signs that end a sentence, and holds whole parentheses only.
    `(?<!\\w)(?:https?://|www\\.)(?:${ADDRESS}|\\(${ADDRESS}*\\))*(?:[^\\s<>()[\\]\`?!.,:;*_~'"]|\\(${ADDRESS}*\\))`,
    "(?<![\\w.+-])[\\w.+-]{1,64}@(?:[\\w-]{1,63}\\.)+[a-z]{2,63}",
  ].join("|"),
  "gi",
);
/** `(address "title")` after a label. */
const TARGET =
  /\(\s{0,9}<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s{1,9}(?:"[^"]*"|'[^']*'))?\s{0,9}\)/y;
const LINK = /^(https?:\/\/[^/]|(?:mailto|tel):.)[^\s\p{Cc}\\<>"]*$/iu;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: "\u00a0",
  "#39": "'",
};

/** Whether a link may lead there. */
export const isLink = (url: string): boolean => LINK.test(url);

/** The text of nodes without their marks. */
export function textOf(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return node;
      if (node.type === "break") return " ";
      return node.type === "code" ? node.text : textOf(node.children);
    })
    .join("");
}

const unescaped = (address: string): string =>
  address.replace(/\\(?=[!-/:-@[-`{-~])/g, "").replace(/&amp;/g, "&");

/** A link, or only its label if it may not lead there. */
function link(address: string, label: Inline[]): Inline[] {
  const url = unescaped(address);
  return isLink(url) ? [{ type: "link", url, children: label.length > 0 ? label : [url] }] : label;
}

/** Links inside a link leave their labels behind. */
function withoutLinks(nodes: Inline[]): Inline[] {
  return nodes.flatMap((node): Inline | Inline[] => {
    if (typeof node === "string" || !("children" in node)) return node;
    return node.type === "link"
      ? node.children
      : { ...node, children: withoutLinks(node.children) };
  });
}

function emphasis(sign: string, count: number, children: Inline[]): Inline {
  return { type: sign === "~" ? "del" : count > 1 ? "strong" : "em", children };
}

// Space, punctuation, other. Punctuation is only ASCII: with all of Unicode, **「…」** before a
// letter would not be bold.
const charClass = (char = " "): number => (char.trim() ? (/[!-/:-@[-`{-~]/.test(char) ? 1 : 2) : 0);

/** A growing text without the marks at its end, which are about to be completed. */
function withoutOpenEnd(source: string): string {
  let end = source.length;
  while ("*_~`".includes(source[end - 1] ?? " ")) end--;
  return source.slice(0, end).replace(/\]\([^()\s]*$/, "");
}

/** Where each run of backticks ends: at the next run of its length. */
function codeEnds(source: string): Map<number, number> {
  const ends = new Map<number, number>();
  const last = new Map<number, number>();
  for (const { 0: run, index } of source.matchAll(/`+/g)) {
    ends.set(last.get(run.length) ?? -1, index);
    last.set(run.length, index);
  }
  return ends;
}

class InlineReader {
  #out: Inline[] = [];
  #open: OpenMark[] = [];
  /** The end of the last token. */
  #at = 0;
  #source: string;
  #streaming: boolean;
  #codeEnds: Map<number, number>;

  constructor(source: string, streaming: boolean) {
    this.#source = source;
    this.#streaming = streaming;
    this.#codeEnds = codeEnds(source);
  }

  read(): Inline[] {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(this.#source); match; match = TOKEN.exec(this.#source)) {
      const { 0: token, index } = match;
      if (index > this.#at) this.#out.push(this.#source.slice(this.#at, index));
      this.#at = index + token.length;
      this.#token(token, index);
      TOKEN.lastIndex = this.#at;
    }
    this.#out.push(this.#source.slice(this.#at));
    if (this.#streaming) this.#closeAll();
    return this.#out;
  }

  #token(token: string, from: number): void {
    const first = token.charAt(0);
    const inner = token.slice(1, -1);
    if (first === "\\") this.#out.push(token[1] === "\n" ? { type: "break" } : (token[1] ?? ""));
    else if (first === "`") this.#code(token, from);
    else if ("*_~".includes(first)) this.#emphasis(token, from);
    else if (token.endsWith("[")) this.#openMark(token, 1, false);
    else if (first === "]") this.#closeBracket();
    else if (first === "&") this.#out.push(ENTITIES[inner.toLowerCase()] ?? token);
    else if (/^<br/i.test(token)) this.#out.push({ type: "break" });
    else if (first === "\n") {
      const isHard = this.#source.slice(from - 2, from) === "  ";
      this.#out.push(isHard ? { type: "break" } : "\n");
    } else if (first === "<") this.#out.push(...link(inner, [inner]));
    else {
      const scheme = /^www/i.test(token) ? "https://" : /^https?:/i.test(token) ? "" : "mailto:";
      this.#out.push(...link(scheme + token, [token]));
    }
  }

  #code(run: string, from: number): void {
    const end = this.#codeEnds.get(from) ?? (this.#streaming ? this.#source.length : 0);
    if (!end) {
      this.#out.push(run);
      return;
    }
    const code = this.#source.slice(this.#at, end).replace(/\n/g, " ");
    const isPadded = code.trim() && /^ .* $/.test(code);
    this.#out.push({ type: "code", text: isPadded ? code.slice(1, -1) : code });
    this.#at = end + run.length;
  }

  #openMark(sign: string, count: number, both: boolean): void {
    if (this.#open.length === MAX_OPEN) this.#open.shift();
    this.#open.push({ sign, count, index: this.#out.length, both });
    this.#out.push(sign.repeat(count));
  }

  /** A run of `*`, `_` or `~`: it closes what it can, and what is left of it may open. */
  #emphasis(run: string, from: number): void {
    const sign = run.charAt(0);
    const before = charClass(this.#source[from - 1]);
    const after = charClass(this.#source[this.#at]);
    const isInWord = sign === "_" && before + after > 3;
    const opens = !isInWord && after > (before > 1 ? 1 : 0);
    const closes = !isInWord && before > (after > 1 ? 1 : 0);
    const isText = run.length > 3 || (sign === "~" && run.length !== 2);
    let count = run.length;
    while (closes && !isText && count > 0) {
      const used = this.#closeEmphasis(sign, count, opens);
      if (!used) break;
      count -= used;
    }
    if (count > 0 && opens && !isText) this.#openMark(sign, count, closes);
    else this.#out.push(sign.repeat(count));
  }

  /** Closes the nearest mark of this sign, and gives how many signs that took. */
  #closeEmphasis(sign: string, count: number, opens: boolean): number {
    const found = this.#open.findLastIndex(
      (mark) =>
        mark.sign === sign &&
        !((mark.both || opens) && (mark.count + count) % 3 === 0 && count % 3 !== 0),
    );
    const start = this.#open[found];
    if (!start) return 0;
    const used = Math.min(2, start.count, count);
    const children = this.#out.splice(start.index + 1);
    start.count -= used;
    this.#out[start.index] = sign.repeat(start.count);
    this.#open.length = start.count > 0 ? found + 1 : found;
    this.#out.push(emphasis(sign, used, children));
    return used;
  }

  #closeBracket(): void {
    const found = this.#open.findLastIndex((mark) => mark.sign.endsWith("["));
    const start = this.#open[found];
    TARGET.lastIndex = this.#at;
    const target = start && TARGET.exec(this.#source);
    if (start) this.#open.length = found;
    if (!target) {
      this.#out.push("]");
      return;
    }
    this.#at = TARGET.lastIndex;
    const address = target[1] ?? "";
    const label = withoutLinks(this.#out.splice(start.index + 1));
    this.#out.length = start.index;
    if (start.sign === "[") for (const node of link(address, label)) this.#out.push(node);
    else this.#out.push({ type: "image", url: unescaped(address), children: label });
  }

  #closeAll(): void {
    for (const { index, sign, count } of this.#open.reverse()) {
      const children = this.#out.splice(index + 1);
      this.#out.length = index;
      if (sign.endsWith("[")) for (const node of children) this.#out.push(node);
      else this.#out.push(emphasis(sign, count, children));
    }
  }
}

export function readInline(source: string, streaming = false): Inline[] {
  return new InlineReader(streaming ? withoutOpenEnd(source) : source, streaming).read();
}
