// Parses, validates and renders Adaptive Cards with Microsoft's own library, npm `adaptivecards`
// (3.0.6), and fails on every error and every warning.
//
//     node tests/adaptive/check.mjs cards.json
//
// The file holds a list of cards, or of {name, card}. The library is looked up from the working
// directory, or from $ADAPTIVECARDS (a folder that has it in its node_modules).

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

// The renderer builds DOM nodes. Whether it gets through is all that is asked here, so a node
// that accepts everything will do; jsdom would be a hundred packages for the same answer.
class Node {
  constructor(tagName) {
    this.tagName = tagName;
    this.childNodes = [];
    this.attributes = {};
    this.style = { setProperty() {}, removeProperty() {} };
    this.classList = { add() {}, remove() {}, contains: () => false };
  }
  get children() { return this.childNodes; }
  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  appendChild(child) { this.childNodes.push(child); child.parentElement = this; return child; }
  append(...all) { all.forEach((child) => this.appendChild(child)); }
  insertBefore(child) { return this.appendChild(child); }
  removeChild(child) { this.childNodes = this.childNodes.filter((c) => c !== child); return child; }
  remove() {}
  setAttribute(name, value) { this.attributes[name] = String(value); }
  getAttribute(name) { return this.attributes[name] ?? null; }
  removeAttribute(name) { delete this.attributes[name]; }
  addEventListener() {}
  getElementsByTagName() { return []; }
  querySelectorAll() { return []; }
  getBoundingClientRect() { return { width: 0, height: 0, top: 0, left: 0 }; }
  focus() {}
}
globalThis.HTMLElement = Node;
globalThis.Node = Node;
for (const name of ["Button", "Input", "Anchor", "Image", "Select", "TextArea", "Div"]) {
  globalThis[`HTML${name}Element`] = Node;
}
globalThis.document = {
  createElement: (name) => new Node(name),
  createElementNS: (_, name) => new Node(name),
  createTextNode: (text) => Object.assign(new Node("#text"), { textContent: text }),
  createDocumentFragment: () => new Node("#fragment"),
  getElementsByTagName: () => [],
  body: new Node("body"),
};
globalThis.window = {
  document: globalThis.document,
  addEventListener() {},
  getComputedStyle: () => ({ getPropertyValue: () => "" }),
  requestAnimationFrame() {},
};

const from = resolve(process.env.ADAPTIVECARDS ?? process.cwd(), "x.js");
const AC = createRequire(from)("adaptivecards/dist/adaptivecards.js");

// Markdown itself is not under test: the text is taken as it is.
AC.AdaptiveCard.onProcessMarkdown = (text, result) => {
  result.outputHtml = text;
  result.didProcess = false;
};

function check(json) {
  const problems = [];
  const context = new AC.SerializationContext(AC.Versions.v1_5);
  const card = new AC.AdaptiveCard();
  card.parse(json, context);
  for (let at = 0; at < context.eventCount; at++) {
    const event = context.getEventAt(at);
    // An element of the current schema that this library does not know: it takes the fallback.
    if (/Unknown element type "(Icon|Badge|ProgressBar|Chart\.[\w.]+)"/.test(event.message)) continue;
    problems.push(`${AC.ValidationEvent[event.event]}: ${event.message}`);
  }
  problems.push(...withoutFallback(json));
  for (const event of card.validateProperties().validationEvents) {
    problems.push(`${AC.ValidationEvent[event.event]}: ${event.message}`);
  }
  const warn = console.warn;
  console.warn = (...words) => problems.push(`warning: ${words.join(" ")}`);
  try {
    if (!card.render()) problems.push("nothing was rendered");
  } catch (error) {
    problems.push(`render: ${error.stack}`);
  } finally {
    console.warn = warn;
  }
  // What the parser does not know it drops without an event: compare what went in and came out.
  const kept = JSON.stringify(card.toJSON());
  for (const text of texts(json.body)) {
    if (!kept.includes(JSON.stringify(text).slice(1, -1))) problems.push(`dropped: ${text}`);
  }
  return problems;
}

const NEWER = /^(Icon|Badge|ProgressBar|Chart\..+)$/;

function* withoutFallback(value) {
  if (!value || typeof value !== "object") return;
  if (NEWER.test(value.type) && !value.fallback) yield `${value.type} has no fallback`;
  for (const inner of Object.values(value)) yield* withoutFallback(inner);
}

function* texts(value) {
  if (Array.isArray(value)) for (const item of value) yield* texts(item);
  else if (NEWER.test(value?.type)) yield* texts(value.fallback);
  else if (value && typeof value === "object") {
    for (const [key, inner] of Object.entries(value)) {
      if (key === "data") continue;
      if (["text", "title", "label", "url"].includes(key) && typeof inner === "string") yield inner;
      else yield* texts(inner);
    }
  }
}

const file = process.argv[2];
if (!file) {
  console.error("usage: node check.mjs cards.json");
  process.exit(2);
}
const cases = JSON.parse(readFileSync(file, "utf8"));
let failed = 0;
cases.forEach((entry, index) => {
  const { name, card } = entry.card ? entry : { name: `card ${index}`, card: entry };
  const problems = check(card);
  if (problems.length > 0) {
    failed += 1;
    console.error(`${name}:\n  ${problems.join("\n  ")}`);
  }
});
console.log(`${cases.length} cards, ${failed} with problems`);
process.exit(failed > 0 ? 1 : 0);
