// Terminal text to runs of one style. Only SGR (colours and weights) and OSC 8 (links) mean
// something here; every other sequence is left out.

export interface Run {
  text: string;
  classes: string[];
  /** True colours; the sixteen named ones are classes, so that they follow the theme. */
  color?: string;
  background?: string;
  link?: string;
}

interface Style {
  on: Set<string>;
  front: Colour;
  back: Colour;
}
type Colour = { named: number } | { css: string } | undefined;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SEQUENCE = /\x1b\[([0-9;:]*)([A-Za-z])|\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b./g;
const LEVELS = [0, 95, 135, 175, 215, 255];
const FLAGS: Record<number, string> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
};
const OFF: Record<number, string[]> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
};

function indexed(n: number): Colour {
  if (n < 16) return { named: n };
  if (n > 231) {
    const grey = 8 + (n - 232) * 10;
    return { css: `rgb(${grey} ${grey} ${grey})` };
  }
  const part = (by: number) => LEVELS[Math.floor((n - 16) / by) % 6] ?? 0;
  return { css: `rgb(${part(36)} ${part(6)} ${part(1)})` };
}

/** Reads `5;n` or `2;r;g;b` after 38 or 48: the colour, and how many numbers it took. */
function extended(codes: number[], at: number): [Colour, number] {
  if (codes[at] === 5) return [indexed(Math.min(255, codes[at + 1] ?? 0)), 2];
  if (codes[at] === 2) {
    const parts = codes.slice(at + 1, at + 4).map((n) => Math.min(255, n));
    return [{ css: `rgb(${parts.join(" ")})` }, 4];
  }
  return [undefined, 1];
}

function change(style: Style, codes: number[]): void {
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const flag = FLAGS[code];
    if (code === 0) {
      style.on.clear();
      style.front = style.back = undefined;
    } else if (flag) style.on.add(flag);
    else if (OFF[code]) for (const name of OFF[code]) style.on.delete(name);
    else if (code >= 30 && code <= 37) style.front = { named: code - 30 };
    else if (code >= 90 && code <= 97) style.front = { named: code - 82 };
    else if (code >= 40 && code <= 47) style.back = { named: code - 40 };
    else if (code >= 100 && code <= 107) style.back = { named: code - 92 };
    else if (code === 39) style.front = undefined;
    else if (code === 49) style.back = undefined;
    else if (code === 38 || code === 48) {
      const [colour, taken] = extended(codes, at + 1);
      if (code === 38) style.front = colour;
      else style.back = colour;
      at += taken;
    }
  }
}

export function ansi(source: string): Run[] {
  const runs: Run[] = [];
  const style: Style = { on: new Set(), front: undefined, back: undefined };
  let link: string | undefined;
  let from = 0;
  const add = (text: string) => {
    if (text === "") return;
    const classes = [...style.on];
    const run: Run = { text, classes };
    if (style.front && "named" in style.front) classes.push(`f${style.front.named}`);
    else if (style.front) run.color = style.front.css;
    if (style.back && "named" in style.back) classes.push(`b${style.back.named}`);
    else if (style.back) run.background = style.back.css;
    if (link) run.link = link;
    runs.push(run);
  };
  for (const match of source.matchAll(SEQUENCE)) {
    add(source.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[2] === "m") change(style, (match[1] ?? "").split(/[;:]/).map(Number));
    else if (match[3]?.startsWith("8;")) {
      const url = match[3].split(";").slice(2).join(";");
      link = /^https?:\/\//i.test(url) ? url : undefined;
    }
  }
  add(source.slice(from));
  return runs;
}
