// The Markdown that Adaptive Cards document for a TextBlock: bold, italics, lists and links. Anything else
// is shown as it is written.

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

// A mark after a backslash is a character: kept out of the way as one that no text has.
const HIDDEN = 0xe000;
const hide = (text: string): string =>
  text.replace(/\\([\\`*_{}[\]()#+.!<>~|-])/g, (_, mark: string) =>
    String.fromCharCode(HIDDEN + mark.charCodeAt(0)),
  );
/** The characters again, for HTML: a bracket or an ampersand among them is no mark of that either. */
const unhide = (text: string): string =>
  text.replace(/[\ue000-\ue07f]/g, (mark) => `&#${mark.charCodeAt(0) - HIDDEN};`);

const emphasized = (html: string): string =>
  html
    .replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/gs, "<b>$1</b>")
    .replace(/(?<![\p{L}\p{N}_])_(?=\S)(.+?)(?<=\S)_(?![\p{L}\p{N}_])/gsu, "<i>$1</i>")
    .replace(/\*(?=\S)(.+?)(?<=\S)\*/gs, "<i>$1</i>");

/** One run of text as HTML; nothing of the text is left that is HTML itself. */
function inline(text: string): string {
  let out = "";
  let end = 0;
  const hidden = hide(text);
  for (const link of hidden.matchAll(/\[([^\]]+)\]\((https:\/\/[^\s()]+)\)/g)) {
    const [all, words = "", url = ""] = link;
    out += emphasized(escaped(hidden.slice(end, link.index)));
    out += `<a href="${escaped(url)}" target="_blank" rel="noopener">${emphasized(escaped(words))}</a>`;
    end = link.index + all.length;
  }
  out += emphasized(escaped(hidden.slice(end)));
  return out;
}

interface Item {
  depth: number;
  number?: number | undefined;
  lines: string[];
}

function listHtml(items: Item[]): string {
  const rows = items.map(({ depth, number, lines }) => {
    const mark = number === undefined ? "•" : `${number}.`;
    return `<div class="cards-item" style="margin-inline-start:${depth * 16}px"><span>${mark}</span><div>${lines.map(inline).join("<br>")}</div></div>`;
  });
  return rows.join("");
}

/** The HTML of a TextBlock's text. */
export function markdownHtml(text: string): string {
  const out: string[] = [];
  let items: Item[] = [];
  let words: string[] = [];
  const flush = () => {
    if (items.length > 0) out.push(`<div role="list">${listHtml(items)}</div>`);
    if (words.length > 0) out.push(words.map(inline).join("<br>"));
    items = [];
    words = [];
  };
  for (const line of text.split("\n")) {
    const found = /^(\s*)(?:[-*•]|(\d{1,9})[.)])\s+(.*)$/.exec(line);
    const last = items.at(-1);
    if (found) {
      if (words.length > 0) flush();
      const [, space = "", number, rest = ""] = found;
      items.push({
        depth: Math.min(space.length >> 1, 4),
        number: number === undefined ? undefined : Number(number),
        lines: [rest],
      });
    } else if (last && /^\s+\S/.test(line)) {
      last.lines.push(line.trim());
    } else {
      if (items.length > 0) flush();
      words.push(line);
    }
  }
  flush();
  return unhide(out.join(""));
}
