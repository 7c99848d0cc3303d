// Slack's Block Kit as DOM: all blocks that the server emits, in the manner of Slack's documented look.
// Text is only ever set as text, and links lead to web, mail and telephone addresses alone, so blocks from outside are
// harmless. `slackStyle` is a text, so that a page can put both into a shadow root.

import { type Controls, drawControl, type OnPress, type Place } from "./slack-control";
import { coloured, element, type Json, list, object, text } from "./slack-part";
import { svg } from "./svg";

/** A message with its blocks; `onPress` is told of its buttons and menus, and of the links in its text. */
export function drawSlack(blocks: unknown, sender = "Widgetcast", onPress?: OnPress): HTMLElement {
  const message = element("article", "slack-message");
  const controls: Controls = { fields: [], onPress };
  const avatar = element("div", "slack-avatar");
  avatar.textContent = sender.slice(0, 1);
  const body = element("div", "slack-body");
  const name = element("div", "slack-sender");
  name.append(element("b", "", sender), element("span", "slack-app", "APP"));
  body.append(name, ...list(blocks).map((block, index) => drawBlock(block, index, controls)));
  message.append(avatar, body);
  return message;
}

function drawBlock(block: Json, index: number, controls: Controls): HTMLElement {
  const place: Place = { controls, block: text(block.block_id) || `block-${index}` };
  const kind = text(block.type);
  const made = element("div", `slack-${kind.replaceAll("_", "-")}`);
  switch (kind) {
    case "header":
      made.textContent = coloured(text(object(block.text).text));
      made.setAttribute("role", "heading");
      made.setAttribute("aria-level", "3");
      return made;
    case "divider":
      return element("hr", "slack-divider");
    case "section":
      return drawSection(block, made, place);
    case "context":
      made.dir = "auto";
      made.append(...list(block.elements).map(drawContext));
      return made;
    case "actions":
      made.append(...list(block.elements).map((item) => drawElement(item, place)));
      return made;
    case "input":
      return drawInput(block, made, place);
    case "image":
      made.append(drawImage(block));
      return made;
    case "markdown":
      made.append(...drawMarkdown(text(block.text)));
      return made;
    case "table":
    case "data_table":
      made.append(drawTable(block));
      return made;
    case "data_visualization":
      return drawChart(block, made);
    case "card":
      return drawCard(block, made, place);
    case "carousel":
      made.append(
        ...list(block.elements).map((card) => drawCard(card, element("div", "slack-card"), place)),
      );
      return made;
    default:
      made.textContent = kind;
      return made;
  }
}

function drawSection(block: Json, made: HTMLElement, place: Place): HTMLElement {
  const words = element("div", "slack-words");
  if (block.text) words.append(...drawText(block.text));
  const fields = list(block.fields);
  if (fields.length > 0) {
    const grid = element("div", "slack-fields");
    for (const field of fields) {
      const cell = element("div", "");
      cell.append(...drawText(field));
      grid.append(cell);
    }
    words.append(grid);
  }
  made.append(words);
  if (block.accessory) {
    const beside = element("div", "slack-accessory");
    beside.append(drawElement(object(block.accessory), place));
    made.append(beside);
  }
  return made;
}

function drawContext(item: Json): HTMLElement {
  if (item.type === "image") return drawImage(item);
  const words = element("span", "");
  words.append(...drawText(item));
  return words;
}

function drawImage(item: Json): HTMLElement {
  const image = document.createElement("img");
  image.alt = text(item.alt_text);
  const url = text(item.image_url);
  image.referrerPolicy = "no-referrer";
  if (url.startsWith("https://")) image.src = url;
  return image;
}

/** An image, or a control. */
const drawElement = (item: Json, place: Place): HTMLElement =>
  item.type === "image" ? drawImage(item) : drawControl(item, place);

function drawInput(block: Json, made: HTMLElement, place: Place): HTMLElement {
  const name = text(object(block.label).text);
  const label = element("div", "slack-label", name);
  if (block.optional === true) label.append(element("span", "slack-optional", " (optional)"));
  made.append(label, drawControl(object(block.element), { ...place, label: name }));
  return made;
}

const STYLES: [style: string, tag: string][] = [
  ["code", "code"],
  ["strike", "s"],
  ["italic", "i"],
  ["bold", "b"],
];

/** What is in a cell: its text, or rich text with links, emoji and styles. */
function drawRich(part: Json): Node[] {
  if (Array.isArray(part.elements)) return list(part.elements).flatMap(drawRich);
  const name = text(part.name);
  const words = coloured(text(part.text) || (name && `:${name}:`) || text(part.url));
  let made: Node = document.createTextNode(words);
  const within = (parent: HTMLElement) => {
    parent.append(made);
    made = parent;
  };
  for (const [style, tag] of STYLES)
    if (object(part.style)[style] === true) within(document.createElement(tag));
  if (FOLLOWED.test(text(part.url))) within(anchor(text(part.url)));
  return [made];
}

function drawTable(block: Json): HTMLElement {
  const table = element("table", "");
  const rows: unknown[] = Array.isArray(block.rows) ? block.rows : [];
  rows.forEach((row, index) => {
    const line = element("tr", "");
    for (const cell of list(row)) {
      const made = element(index === 0 ? "th" : "td", "");
      made.append(...drawRich(cell));
      if (cell.type === "raw_number") made.className = "number";
      line.append(made);
    }
    table.append(line);
  });
  return table;
}

const COLORS = ["#1264a3", "#2eb67d", "#ecb22e", "#e01e5a", "#7c3aed", "#616061"];

/** A chart: bars, lines or areas over an axis with three marks, and a legend where there are several. */
function drawChart(block: Json, made: HTMLElement): HTMLElement {
  made.append(element("b", "", text(block.title)));
  const chart = object(block.chart);
  const all = list(chart.series);
  const series = all.map((one) => list(one.data).map((point) => Number(point.value) || 0));
  const top = niceTop(Math.max(...series.flat()));
  const frame = element("div", "slack-chart");
  const axis = element("div", "slack-axis");
  for (const mark of [top, top / 2, 0]) axis.append(element("span", "", mark.toLocaleString("en")));
  const area = element("div", "slack-plot");
  const labels = list(all[0]?.data).map((point) => text(point.label));
  const isBars = chart.type !== "line" && chart.type !== "area";
  labels.forEach((label, index) => {
    const column = element("div", "slack-column");
    const bars = element("div", "slack-bars");
    for (const [at, one] of isBars ? series.entries() : []) {
      const bar = element("i", "");
      bar.style.height = `${(Math.max(0, one[index] ?? 0) / top) * 100}%`;
      bar.style.background = color(at);
      bars.append(bar);
    }
    column.append(bars, element("span", "", label));
    area.append(column);
  });
  if (!isBars) area.append(drawLines(series, top, chart.type === "area"));
  frame.append(axis, area);
  made.append(frame);
  if (all.length > 1) made.append(drawLegend(all.map((one) => text(one.name))));
  return made;
}

const color = (index: number): string => COLORS[index % COLORS.length] ?? "#616061";

/** The end of an axis: the next of 1, 2, 4, 5, 8 and 10 times a power of ten. */
function niceTop(most: number): number {
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 5, 8].find((step) => step * power >= most) ?? 10) * power;
}

/** Each series as a line, with what is below it where the chart is one of areas. */
function drawLines(series: number[][], top: number, isArea: boolean): SVGElement {
  const drawing = svg("svg", {
    viewBox: "0 0 100 100",
    preserveAspectRatio: "none",
    class: "slack-lines",
  });
  series.forEach((values, index) => {
    const place = (value: number, at: number) =>
      `${((at + 0.5) / values.length) * 100},${100 - (Math.max(0, value) / top) * 100}`;
    const points = values.map(place);
    const from = points[0]?.split(",")[0] ?? "0";
    const to = points[points.length - 1]?.split(",")[0] ?? "100";
    const stroke = color(index);
    if (isArea) {
      const below = `${from},100 ${points.join(" ")} ${to},100`;
      drawing.append(svg("polygon", { points: below, fill: stroke, "fill-opacity": "0.25" }));
    }
    const line = { points: points.join(" "), fill: "none", stroke, "stroke-width": "2" };
    drawing.append(svg("polyline", { ...line, "vector-effect": "non-scaling-stroke" }));
  });
  return drawing;
}

function drawLegend(names: string[]): HTMLElement {
  const legend = element("div", "slack-legend");
  names.forEach((name, index) => {
    const entry = element("span", "");
    const mark = element("i", "");
    mark.style.background = color(index);
    entry.append(mark, name);
    legend.append(entry);
  });
  return legend;
}

function drawCard(card: Json, made: HTMLElement, place: Place): HTMLElement {
  if (card.hero_image) made.append(drawImage(object(card.hero_image)));
  const parts: [string, unknown][] = [
    ["b", card.title],
    ["span", card.subtitle],
    ["p", card.body],
  ];
  for (const [tag, part] of parts) {
    if (!part) continue;
    const words = element(tag, "");
    words.append(...drawText(part));
    made.append(words);
  }
  const actions = list(card.actions);
  if (actions.length > 0) {
    const row = element("div", "slack-actions");
    row.append(...actions.map((item) => drawElement(item, place)));
    made.append(row);
  }
  return made;
}

/** A text object: plain, or mrkdwn. */
function drawText(value: unknown): Node[] {
  const object_ = object(value);
  const words = text(object_.text);
  if (object_.type !== "mrkdwn") return [document.createTextNode(coloured(words))];
  const drawLines = (part: string) =>
    part
      .split("\n")
      .flatMap((line, index) => [
        ...(index > 0 ? [document.createElement("br")] : []),
        ...drawMrkdwn(line),
      ]);
  // Every other part is the code between two fences, whose own line breaks go with them.
  return words
    .split(/\n?```\n?([\s\S]*?)\n?```\n?/)
    .flatMap((part, at) =>
      at % 2 ? [element("pre", "", entities(part))] : part ? drawLines(part) : [],
    );
}

const MARKS: [mark: string, tag: string][] = [
  ["*", "b"],
  ["_", "i"],
  ["~", "s"],
  ["`", "code"],
];

/** The addresses that Slack follows. */
const FOLLOWED = /^(https?:\/\/|mailto:|tel:)/;

function anchor(url: string, words = ""): HTMLAnchorElement {
  const made = document.createElement("a");
  made.href = url;
  made.rel = "noreferrer";
  made.textContent = words;
  return made;
}

/** One line of mrkdwn: marks around words, and `<url|label>`; everything else is text. */
function drawMrkdwn(line: string): Node[] {
  const out: Node[] = [];
  let plain = "";
  const flush = () => {
    if (plain) out.push(document.createTextNode(decode(plain)));
    plain = "";
  };
  for (let at = 0; at < line.length; ) {
    const rest = line.slice(at);
    const [all, url = "", label] = /^<([^|>]+)(?:\|([^>]*))?>/.exec(rest) ?? [];
    if (all && FOLLOWED.test(url)) {
      flush();
      out.push(anchor(entities(url), decode(label || url)));
      at += all.length;
      continue;
    }
    const found = MARKS.find(([mark]) => rest.startsWith(mark));
    const starts = at === 0 || !/[\p{L}\p{N}]/u.test(line[at - 1] ?? "");
    const end = found ? rest.indexOf(found[0], 1) : -1;
    if (found && starts && end > 1) {
      flush();
      const marked = document.createElement(found[1]);
      const inner = rest.slice(1, end);
      marked.append(...(found[0] === "`" ? [decode(inner)] : drawMrkdwn(inner)));
      out.push(marked);
      at += end + 1;
      continue;
    }
    plain += line[at];
    at += 1;
  }
  flush();
  return out;
}

/** A text of mrkdwn as it is shown. */
const decode = (words: string): string => coloured(entities(words));

/** The three entities that mrkdwn has. */
function entities(words: string): string {
  return words.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** A markdown block: code, headings, lists, quotations, tables and marks; everything else is text. */
const drawMarkdown = (source: string): HTMLElement[] =>
  source
    .split(/^```[^\n]*\n([\s\S]*?)\n?^```$/m)
    .flatMap((part, at) => (at % 2 ? [element("pre", "", part)] : drawMarkdownLines(part)));

function drawMarkdownLines(source: string): HTMLElement[] {
  const out: HTMLElement[] = [];
  let table: HTMLElement | undefined;
  for (const line of source.split("\n")) {
    if (!line.trim().startsWith("|")) {
      table = undefined;
      if (line.trim()) out.push(drawMarkdownLine(line));
      continue;
    }
    if (/^[\s|:-]+$/.test(line)) continue;
    const row = element("tr", "");
    const tag = table ? "td" : "th";
    for (const words of line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")) {
      const cell = element(tag, "");
      cell.append(...drawMarks(words.trim()));
      row.append(cell);
    }
    if (!table) {
      table = element("table", "");
      out.push(table);
    }
    table.append(row);
  }
  return out;
}

function drawMarkdownLine(line: string): HTMLElement {
  const heading = /^#+ (.*)/.exec(line);
  const item = /^(\s*)([-*]|\d+\.) (.*)/.exec(line);
  const quote = /^> ?(.*)/.exec(line);
  const name = heading ? "slack-strong" : item ? "slack-item" : quote ? "slack-quote" : "";
  const made = element("div", name);
  const mark = item ? (item[2]?.endsWith(".") ? `${item[2]} ` : "• ") : "";
  made.append(mark, ...drawMarks(heading?.[1] ?? item?.[3] ?? quote?.[1] ?? line));
  return made;
}

/** Bold, italic, code and links of Markdown. */
function drawMarks(words: string): Node[] {
  const parts = words.split(
    /(\*\*[^*]+\*\*|\*[^*]+\*|~~[^~]+~~|`[^`]+`|\[[^\]]+\]\((?:https?:\/\/|mailto:|tel:)[^)\s]+\))/,
  );
  return parts.map((part) => {
    const link = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(part);
    if (link) return anchor(link[2] ?? "", link[1]);
    if (/^\*\*.+\*\*$/.test(part)) return element("b", "", part.slice(2, -2));
    if (/^\*.+\*$/.test(part)) return element("i", "", part.slice(1, -1));
    if (/^~~.+~~$/.test(part)) return element("s", "", part.slice(2, -2));
    if (/^`.+`$/.test(part)) return element("code", "", part.slice(1, -1));
    return document.createTextNode(part);
  });
}

/** The look; within `.slack-dark` it is dark. */
export const slackStyle = `
.slack-message{display:flex;gap:8px;padding:8px 20px;font:15px/22px Lato,"Slack-Lato",Inter,Arial,sans-serif;color:#1d1c1d;background:#fff;max-width:680px;box-sizing:border-box;font-variant-numeric:tabular-nums}
.slack-avatar{flex:none;width:36px;height:36px;border-radius:8px;background:#5b3fd6;color:#fff;font-weight:700;display:grid;place-items:center}
.slack-body{flex:1;min-width:0;display:flex;flex-direction:column;gap:8px}
.slack-body :is(div,p,th,td,button),.slack-context>span{unicode-bidi:plaintext}
.slack-sender{display:flex;gap:6px;align-items:center;margin-bottom:-4px}
.slack-app{font-size:10px;line-height:14px;padding:0 3px;border-radius:2px;background:rgba(29,28,29,.13);color:#616061}
.slack-header{font-size:18px;line-height:24px;font-weight:800;margin-top:4px;overflow-wrap:anywhere}
.slack-divider{border:0;border-top:1px solid rgba(29,28,29,.13);margin:4px 0;width:100%}
.slack-section{display:flex;gap:16px;justify-content:space-between;align-items:flex-start}
.slack-words{min-width:0;flex:1;overflow-wrap:anywhere}
.slack-fields{display:grid;grid-template-columns:1fr 1fr;gap:8px 16px}
.slack-accessory{flex:none}.slack-accessory img{width:88px;height:88px;object-fit:cover;border-radius:8px}
.slack-context{display:flex;flex-wrap:wrap;gap:2px 8px;align-items:center;font-size:13px;line-height:18px;color:#616061}
.slack-context img{width:20px;height:20px;border-radius:4px;object-fit:cover}
.slack-actions{display:flex;flex-wrap:wrap;gap:8px}
.slack-button,.slack-menu{font:700 15px/22px inherit;font-family:inherit;font-size:15px;padding:4px 12px;min-height:36px;border:1px solid rgba(29,28,29,.3);border-radius:8px;background:#fff;color:inherit;max-width:100%;text-align:start;box-sizing:border-box}
.slack-button{font-weight:700;cursor:pointer}.slack-button.primary{background:#007a5a;border-color:#007a5a;color:#fff}
.slack-button.danger{background:#e01e5a;border-color:#e01e5a;color:#fff}
.slack-menu{position:relative;display:inline-flex;padding:0;font-weight:400}.slack-menu::after{content:"▾";position:absolute;right:12px;top:6px;pointer-events:none}
.slack-menu select{appearance:none;flex:1;min-width:0;padding:4px 32px 4px 12px;border:0;border-radius:8px;background:none;color:inherit;font:inherit;text-overflow:ellipsis;cursor:pointer}.slack-menu option{color:#1d1c1d;background:#fff}
.slack-input .slack-menu{width:100%}
.slack-message :focus-visible{outline:2px solid #1264a3;outline-offset:2px}
.slack-label{font-weight:700;margin-bottom:4px}.slack-optional{font-weight:400;color:#616061}
.slack-field{display:block;box-sizing:border-box;width:100%;min-height:36px;margin:0;padding:6px 12px;border:1px solid rgba(29,28,29,.3);border-radius:8px;background:none;color:inherit;font:inherit}
.slack-field::placeholder{color:#616061;opacity:1}.slack-field.tall{min-height:80px;max-height:320px;resize:vertical;field-sizing:content}.empty{color:#616061!important}
.slack-options label{display:flex;gap:8px;align-items:flex-start;padding:2px 0}.slack-options input{margin:4px 0 0;accent-color:#1264a3}
.slack-options small{display:block;color:#616061}
.slack-data-table,.slack-table{overflow-x:auto}.slack-message table{border-collapse:collapse;width:100%}
.slack-message th,.slack-message td{border:1px solid rgba(29,28,29,.13);padding:4px 8px;text-align:start;vertical-align:top;white-space:pre-line}
.slack-message th{background:rgba(29,28,29,.04)}.slack-message .number{text-align:right}
.slack-image img{max-width:360px;width:100%;border-radius:8px}
.slack-message code{color:#c01343;background:rgba(29,28,29,.04);border:1px solid rgba(29,28,29,.13);border-radius:3px;padding:1px 3px;font-size:12px}
.slack-message pre{margin:4px 0;padding:8px;border:1px solid rgba(29,28,29,.13);border-radius:4px;background:rgba(29,28,29,.04);font-size:12px;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}.slack-dark .slack-message pre{border-color:#35373b;background:#222529}
.slack-message a{color:#1264a3}
.slack-card{border:1px solid rgba(29,28,29,.13);border-radius:12px;padding:12px;display:flex;flex-direction:column;gap:4px;max-width:320px;min-width:220px}
.slack-card img{width:100%;border-radius:8px}.slack-card p{margin:0}.slack-carousel{display:flex;gap:8px;overflow-x:auto}
.slack-data-visualization{border:1px solid rgba(29,28,29,.13);border-radius:12px;padding:12px}
.slack-chart{display:flex;gap:8px;margin-top:8px;height:170px}.slack-axis{display:flex;flex-direction:column;justify-content:space-between;font-size:11px;line-height:16px;color:#616061;text-align:right;padding-bottom:8px;margin-top:-8px}
.slack-plot{position:relative;flex:1;min-width:0;display:flex;gap:4px}.slack-lines{position:absolute;inset:0 0 16px;width:100%;height:calc(100% - 16px)}
.slack-column{flex:1;min-width:0;display:flex;flex-direction:column;font-size:11px;line-height:16px;text-align:center;color:#616061}
.slack-bars{flex:1;display:flex;gap:2px;align-items:flex-end;margin:0 -2px;padding:0 2px;background:linear-gradient(rgba(128,128,128,.3) 1px,transparent 1px) 0 0/100% 50%;border-bottom:1px solid rgba(128,128,128,.5)}.slack-bars i{flex:1;border-radius:3px 3px 0 0}
.slack-column span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;margin:0 -2px}.slack-legend{display:flex;flex-wrap:wrap;gap:2px 12px;margin-top:6px;font-size:12px;color:#616061}.slack-legend i{display:inline-block;width:10px;height:10px;border-radius:2px;margin-right:5px}
.slack-strong{font-weight:700;margin-top:4px}.slack-markdown{display:flex;flex-direction:column;gap:4px}
.slack-quote{border-left:4px solid #ddd;padding-left:8px}.slack-dark .slack-quote{border-color:#35373b}
.slack-dark .slack-message{background:#1a1d21;color:#d1d2d3;color-scheme:dark}
.slack-dark .slack-button,.slack-dark .slack-menu{background:#1a1d21;border-color:#797c81}.slack-dark .slack-button.primary{background:#007a5a;border-color:#007a5a}
.slack-dark .slack-button.danger{background:#e01e5a;border-color:#e01e5a}
.slack-dark .slack-field{border-color:#797c81}.slack-dark .slack-field::placeholder{color:#ababad}.slack-dark .slack-menu option{color:#d1d2d3;background:#1a1d21}.slack-dark .slack-divider,.slack-dark th,.slack-dark td,.slack-dark .slack-card,.slack-dark .slack-data-visualization{border-color:#35373b}
.slack-dark .slack-context,.slack-dark .slack-optional,.slack-dark small,.slack-dark .slack-column,.slack-dark .slack-axis,.slack-dark .slack-legend{color:#ababad}.slack-dark .empty{color:#ababad!important}
.slack-dark th{background:#222529}.slack-dark .slack-app{background:#35373b;color:#ababad}.slack-dark .slack-message a{color:#1d9bd1}
`;
