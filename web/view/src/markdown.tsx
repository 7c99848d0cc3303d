// Markdown as vnodes: the everyday part of CommonMark, and GFM's tables, task lists, strike-through
// and bare links. HTML stays text. The text is untrusted, so every step is linear in its length:
// no regular expression here can backtrack over more than one run, nesting is bounded, and so is
// the list of open marks. Blocks are keyed by place: a growing text changes its last one.

import { type ComponentChild, Fragment, isValidElement, type VNode } from "preact";
import { text } from "./prop";

type Piece = ComponentChild;
type OnLink = ((url: string) => void) | undefined;

/** A mark that waits for its end: `*`, `_`, `~`, `[` or `![`. */
interface Mark {
  sign: string;
  count: number;
  /** Its place among the pieces. */
  at: number;
  /** It could also have ended something, which CommonMark makes a difference of. */
  both: boolean;
}

const NESTING = 12;
const OPEN = 32;

const ADDRESS = "[^\\s<>()[\\]`]";
const TOKEN = new RegExp(
  [
    "\\\\[!-/:-@[-`{-~\\n]|`+|\\*+|_+|~+|!?\\[|\\]|\\n|<br ?/?>",
    "&(?:amp|lt|gt|quot|nbsp|#39);",
    "<(?:https?:|mailto:)[^\\s<>]*>",
    // A bare link ends before the signs that end a sentence, and holds whole parentheses only.
    `(?<!\\w)(?:https?://|www\\.)(?:${ADDRESS}|\\(${ADDRESS}*\\))*(?:[^\\s<>()[\\]\`?!.,:;*_~'"]|\\(${ADDRESS}*\\))`,
    "(?<![\\w.+-])[\\w.+-]{1,64}@(?:[\\w-]{1,63}\\.)+[a-z]{2,63}",
  ].join("|"),
  "gi",
);
const TARGET =
  /\(\s{0,9}<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s{1,9}(?:"[^"]*"|'[^']*'))?\s{0,9}\)/y;
const LINK = /^(https?:\/\/[^/]|mailto:.)[^\s\p{Cc}\\<>"]*$/iu;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: "\u00a0",
  "#39": "'",
};

function anchor(address: string, label: Piece[], onLink: OnLink): VNode {
  const href = address.replace(/\\(?=[!-/:-@[-`{-~])/g, "").replace(/&amp;/g, "&");
  if (!LINK.test(href)) return <Fragment>{label}</Fragment>;
  const open = (event: Event): void => {
    event.preventDefault();
    onLink?.(href);
  };
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" onClick={open}>
      {label.length > 0 ? label : href}
    </a>
  );
}

function emphasis(sign: string, count: number, pieces: Piece[]): VNode {
  const Tag = sign === "~" ? "del" : count > 1 ? "strong" : "em";
  return <Tag>{pieces}</Tag>;
}

// Space, punctuation, other. Punctuation is only ASCII: with all of Unicode, **「…」** before a
// letter would not be bold.
const kind = (sign = " "): number => (sign.trim() ? (/[!-/:-@[-`{-~]/.test(sign) ? 1 : 2) : 0);

function inline(written: string, onLink: OnLink, live: boolean): Piece[] {
  let source = written;
  if (live) {
    // The marks at the end of a text that still grows are about to be completed.
    let end = source.length;
    while ("*_~`".includes(source[end - 1] ?? " ")) end--;
    source = source.slice(0, end).replace(/\]\([^()\s]*$/, "");
  }
  const out: Piece[] = [];
  const marks: Mark[] = [];
  let at = 0;
  const open = (sign: string, count: number, both: boolean): void => {
    if (marks.length === OPEN) marks.shift();
    marks.push({ sign, count, at: out.length, both });
    out.push(sign.repeat(count));
  };

  // Each run of backticks ends at the next run of its length.
  const ends = new Map<number, number>();
  const runs = new Map<number, number>();
  for (const { 0: run, index } of source.matchAll(/`+/g)) {
    ends.set(runs.get(run.length) ?? -1, index);
    runs.set(run.length, index);
  }

  const mark = (run: string, from: number): void => {
    const sign = run.charAt(0);
    const before = kind(source[from - 1]);
    const after = kind(source[at]);
    const word = sign === "_" && before + after > 3;
    const opens = !word && after > (before > 1 ? 1 : 0);
    const closes = !word && before > (after > 1 ? 1 : 0);
    let count = run.length;
    const odd = count > 3 || (sign === "~" && count !== 2);
    while (closes && !odd && count > 0) {
      const found = marks.findLastIndex(
        (m) =>
          m.sign === sign && !((m.both || opens) && (m.count + count) % 3 === 0 && count % 3 !== 0),
      );
      const start = marks[found];
      if (!start) break;
      const used = Math.min(2, start.count, count);
      const pieces = out.splice(start.at + 1);
      start.count -= used;
      count -= used;
      out[start.at] = sign.repeat(start.count);
      marks.length = start.count > 0 ? found + 1 : found;
      out.push(emphasis(sign, used, pieces));
    }
    if (count > 0 && opens && !odd) open(sign, count, closes);
    else out.push(sign.repeat(count));
  };

  const bracket = (): void => {
    const found = marks.findLastIndex((m) => m.sign.endsWith("["));
    const start = marks[found];
    TARGET.lastIndex = at;
    const target = start && TARGET.exec(source);
    if (start) marks.length = found;
    if (!target) {
      out.push("]");
      return;
    }
    at = TARGET.lastIndex;
    // No link inside a link. A picture is a link too: most hosts forbid to load it.
    const label = out
      .splice(start.at + 1)
      .map((piece) => (isValidElement(piece) && piece.type === "a" ? piece.props.children : piece));
    out[start.at] = anchor(target[1] ?? "", label, onLink);
  };

  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
    const [token] = match;
    const from = match.index;
    if (from > at) out.push(source.slice(at, from));
    at = from + token.length;
    const first = token.charAt(0);
    const inner = token.slice(1, -1);
    if (first === "\\") out.push(token[1] === "\n" ? <br /> : token[1]);
    else if (first === "`") {
      const end = ends.get(from) ?? (live ? source.length : 0);
      if (end) {
        const code = source.slice(at, end).replace(/\n/g, " ");
        out.push(<code>{code.trim() && /^ .* $/.test(code) ? code.slice(1, -1) : code}</code>);
        at = end + token.length;
      } else out.push(token);
    } else if ("*_~".includes(first)) mark(token, from);
    else if (token.endsWith("[")) open(token, 1, false);
    else if (first === "]") bracket();
    else if (first === "&") out.push(ENTITIES[inner.toLowerCase()]);
    else if (/^<br/i.test(token)) out.push(<br />);
    else if (first === "\n") out.push(source.slice(from - 2, from) === "  " ? <br /> : "\n");
    else if (first === "<") out.push(anchor(inner, [inner], onLink));
    else {
      const scheme = /^www/i.test(token) ? "https://" : /^https?:/i.test(token) ? "" : "mailto:";
      out.push(anchor(scheme + token, [token], onLink));
    }
    TOKEN.lastIndex = at;
  }
  out.push(source.slice(at));
  if (live) {
    for (const { at: start, sign, count } of marks.reverse()) {
      const pieces = out.splice(start + 1);
      out[start] = sign.endsWith("[") ? pieces : emphasis(sign, count, pieces);
    }
  }
  return out;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}([-+*]|\d{1,9}[.)])( {1,4}|$)/;
const START = /^ {0,3}(?:#{1,6}(?:\s|$)|>|(?:[-+*]|1[.)])\s+\S|`{3}|~{3})/;

const starts = (line: string): boolean => START.test(line) || RULE.test(line);

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/\\\|/g, "|"));
}

/** The alignment of each column, if these lines are the head of a table. */
function columns(line: string, next: string): string[] | undefined {
  if (!line.includes("|") || !/^[\s|:-]+$/.test(next) || !next.includes("-")) return undefined;
  const rule = cells(next);
  return rule.length === cells(line).length && rule.every((cell) => /^:?-+:?$/.test(cell))
    ? rule.map((cell) => (/^:.*:$/.test(cell) ? "center" : cell.endsWith(":") ? "end" : "start"))
    : undefined;
}

function blocks(lines: string[], onLink: OnLink, live: boolean, depth = 0, tight = false): VNode[] {
  const out: VNode[] = [];
  let i = 0;
  const row = (): string => lines[i] ?? "";
  const more = (): boolean => i < lines.length;
  const words = (source: string): Piece[] => inline(source, onLink, live && !more());
  const nested = (inner: string[], close = false): VNode[] =>
    blocks(inner, onLink, live && !more(), depth + 1, close);
  while (more()) {
    const line = row();
    const key = out.length;
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    const align = columns(line, lines[i + 1] ?? "");
    i++;
    if (!line.trim()) continue;
    if (fence) {
      const [, run = "", info = ""] = fence;
      const code: string[] = [];
      for (; more() && !(row().trim().startsWith(run) && /^[`~]+$/.test(row().trim())); i++) {
        code.push(row());
      }
      i++;
      out.push(
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre key={key} tabIndex={0}>
          <code data-lang={info.trim() || undefined}>{code.join("\n")}</code>
        </pre>,
      );
    } else if (heading) {
      const title = line.slice(heading[0].length).trim();
      out.push(head(heading[1]?.length ?? 1, words(title.replace(/(^|\s)#+$/, "")), key));
    } else if (RULE.test(line)) {
      out.push(<hr key={key} />);
    } else if (depth < NESTING && QUOTE.test(line)) {
      const inner = [line.replace(QUOTE, "")];
      for (; QUOTE.test(row()); i++) inner.push(row().replace(QUOTE, ""));
      out.push(<blockquote key={key}>{nested(inner)}</blockquote>);
    } else if (depth < NESTING && item) {
      const items: VNode[] = [];
      const sign = item[1]?.slice(-1);
      let next: RegExpExecArray | null = item;
      let loose = false;
      i--;
      while (next && next[1]?.slice(-1) === sign && !RULE.test(row())) {
        const width = next[0].length + (next[2] ? 0 : 1);
        const task = /^\[([ xX])\]\s+(?=\S)/.exec(row().slice(width));
        const inner = [row().slice(width + (task?.[0].length ?? 0))];
        let empty = false;
        for (i++; more(); i++) {
          const own = row().search(/\S/) >= width;
          if (row().trim()) {
            if (!own && (empty || starts(row()) || ITEM.test(row()))) break;
            loose ||= empty;
            empty = false;
          } else empty = true;
          inner.push(own ? row().slice(width) : row().trimStart());
        }
        next = ITEM.exec(row());
        loose ||= empty && next?.[1]?.slice(-1) === sign;
        const [first, ...rest] = nested(inner, true);
        items.push(
          <li key={items.length} class={task ? "wc-task" : undefined}>
            {task ? (
              <label>
                <input type="checkbox" disabled checked={task[1] !== " "} />
                <span>{first}</span>
              </label>
            ) : (
              first
            )}
            {rest}
          </li>,
        );
      }
      const number = Number.parseInt(item[1] ?? "", 10);
      const List = number >= 0 ? "ol" : "ul";
      out.push(
        <List key={key} class={loose ? "wc-loose" : undefined} start={number || undefined}>
          {items}
        </List>,
      );
    } else if (align) {
      const cut = (source: string): Piece[][] => cells(source).slice(0, align.length).map(words);
      const titles = cut(line);
      const rows: Piece[][][] = [];
      for (i++; row().trim() && !starts(row()); ) rows.push(cut(lines[i++] ?? ""));
      out.push(table(titles, rows, align, key));
    } else {
      const said = [line.trimStart()];
      let level = 0;
      for (; row().trim(); i++) {
        if (/^ {0,3}(={2,}|-{2,})\s*$/.test(row())) level = row().includes("=") ? 1 : 2;
        if (level || starts(row()) || columns(row(), lines[i + 1] ?? "")) break;
        said.push(row().trimStart());
      }
      if (level) i++;
      const pieces = words(said.join("\n").trimEnd());
      if (level) out.push(head(level, pieces, key));
      else out.push(tight ? <span key={key}>{pieces}</span> : <p key={key}>{pieces}</p>);
    }
  }
  return out;
}

// The widget and the conversation around it have the first two levels.
function head(level: number, pieces: Piece[], key: number): VNode {
  const Tag = `h${Math.min(6, level + 2)}` as "h3";
  return (
    <Tag key={key} class={`wc-h${level}`}>
      {pieces}
    </Tag>
  );
}

function table(titles: Piece[][], rows: Piece[][][], align: string[], key: number): VNode {
  const line = (cut: Piece[][], Cell: "th" | "td", n: number): VNode => (
    <tr key={n}>
      {cut.map((cell, column) => (
        <Cell
          key={column}
          scope={Cell === "th" ? "col" : undefined}
          style={{ textAlign: align[column] }}
        >
          {cell}
        </Cell>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <div key={key} class="wc-scroll" tabIndex={0}>
      <table>
        <thead>{line(titles, "th", 0)}</thead>
        <tbody>{rows.map((cut, n) => line(cut, "td", n))}</tbody>
      </table>
    </div>
  );
}

export function Markdown(props: {
  value: string;
  streaming?: boolean | undefined;
  onLink?: OnLink;
}): VNode {
  const lines = text(props.value)
    .trimEnd()
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^\s+/, (pad) => pad.replace(/\t/g, "    ")));
  return <div class="wc-md">{blocks(lines, props.onLink, props.streaming === true)}</div>;
}

export const markdownCss = `
.wc-md{font-size:16px;line-height:1.5;overflow-wrap:anywhere;min-width:0}
.wc-md :where(h3,h4,h5,h6,p,ul,ol,pre,blockquote){margin:0;font-size:1em}
.wc-md :where(h3,h4,h5,h6){font-weight:600;line-height:1.3}
.wc-md>*+*,.wc-md blockquote>*+*,.wc-md .wc-loose>*+*{margin-top:.75em}
.wc-md .wc-h1{font-size:1.4em}.wc-md .wc-h2{font-size:1.2em}.wc-md .wc-h3{font-size:1.08em}
.wc-md>*+[class^=wc-h]{margin-top:1.25em}.wc-md>[class^=wc-h]+*{margin-top:.4em}
.wc-md :where(ul,ol){padding-inline-start:1.5em}.wc-md :where(li+li,li>*+*){margin-top:.3em}
.wc-md li>span{display:block}
.wc-md li::marker{color:var(--wc-text-2);font-variant-numeric:tabular-nums}
.wc-md .wc-task{list-style:none;margin-inline-start:-1.4em}
.wc-md label{display:flex;gap:.5em}
.wc-md input{flex:none;appearance:none;margin:.42em 0 0;width:1em;height:1em;border:1.5px solid var(--wc-text-3);border-radius:4px;font:700 .8em/1 var(--wc-font);text-align:center}
.wc-md input:checked{background:var(--wc-text);border-color:var(--wc-text)}
.wc-md input:checked:before{content:"✓";color:var(--wc-surface)}
.wc-md blockquote{padding-inline-start:1em;border-inline-start:3px solid var(--wc-border);color:var(--wc-text-2)}
.wc-md hr{border:0;border-top:1px solid var(--wc-border);margin-block:1.25em}
.wc-md a{color:inherit;text-decoration:underline var(--wc-text-3);text-underline-offset:.2em}
.wc-md a:hover{text-decoration-color:currentColor}
.wc-md code{font:.875em var(--wc-mono);background:var(--wc-surface-2);border-radius:4px;padding:.1em .3em}
.wc-md pre{overflow-x:auto;background:var(--wc-surface-2);border-radius:8px;padding:.7em .9em}
.wc-md pre code{padding:0;white-space:pre;line-height:1.5}
.wc-md .wc-scroll{overflow-x:auto}
.wc-md table{border-collapse:collapse;font-size:.875em;font-variant-numeric:tabular-nums;overflow-wrap:normal;min-width:100%}
.wc-md :is(th,td){padding:.5em 0;padding-inline-end:1em;border-bottom:1px solid var(--wc-border);vertical-align:top}
.wc-md :is(th,td):last-child{padding-inline-end:0}
.wc-md th{font-weight:600;color:var(--wc-text-2);white-space:nowrap}
.wc-md tr:last-child>td{border:0}
`;
