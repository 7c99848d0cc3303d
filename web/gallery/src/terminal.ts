// What a terminal shows, as DOM. `terminalStyle` is a text, so that a page can put both into a shadow root.

import { ansi } from "./ansi";

/** Characters that take two cells in a terminal, whatever their width in the fonts of a browser. */
const WIDE =
  /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6])/u;

function cells(character: string): HTMLElement {
  const made = document.createElement("span");
  made.className = "wide";
  made.textContent = character;
  return made;
}

export function drawTerminal(text: string): HTMLElement {
  const screen = document.createElement("pre");
  screen.className = "terminal";
  for (const run of ansi(text)) {
    const part = document.createElement(run.link ? "a" : "span");
    part.className = run.classes.join(" ");
    for (const [at, words] of run.text.split(WIDE).entries()) {
      if (at % 2 === 0) part.append(words);
      else part.append(cells(words));
    }
    if (run.color) part.style.color = run.color;
    if (run.background) part.style.background = run.background;
    if (part instanceof HTMLAnchorElement && run.link) {
      part.href = run.link;
      part.target = "_blank";
      part.rel = "noreferrer";
    }
    screen.append(part);
  }
  return screen;
}

const INK = [
  "#8d8d98",
  "#ff8a8a",
  "#79d79f",
  "#ecc26c",
  "#8fb4ff",
  "#d7a3ff",
  "#71d0dc",
  "#b9b9c4",
];
const GROUND = [
  "#3d3d46",
  "#a52b35",
  "#1d7144",
  "#855708",
  "#2a57b8",
  "#7a3bab",
  "#14697a",
  "#d9d9e0",
];
const colours = INK.map(
  (ink, index) =>
    `.f${index},.f${index + 8}{color:${ink}}.b${index},.b${index + 8}{background:${GROUND[index]}}`,
).join("");

export const terminalStyle = `
.terminal{margin:0;overflow-x:auto;color:#e4e4ea;font:13px/1.35 ui-monospace,"SF Mono","JetBrains Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;white-space:pre;scrollbar-width:thin}
.terminal .wide{display:inline-block;width:2ch}
.terminal a{color:inherit}.bold{font-weight:700}.dim{color:#9c9ca8}.italic{font-style:italic}.underline{text-decoration:underline}.strike{text-decoration:line-through}
.inverse{background:#e4e4ea;color:#16161b}
${colours}.f8{color:#b9b9c4}.f15,.b1,.b2,.b3,.b4,.b5,.b6{color:#fff}.b7,.b15{color:#16161b}
`;
