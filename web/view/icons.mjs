// The icons of lucide (ISC, see NOTICE) in three forms: icon-data.json, the icons that every page
// carries (`node view/icons.mjs` writes it), icon-drawings.ts, and icons.tsv, all of them, from which the server takes
// those that a tree names.

import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const lucide = dirname(createRequire(import.meta.url).resolve("lucide-static/package.json"));
const json = (name) => JSON.parse(readFileSync(join(lucide, name), "utf8"));

/** `m1 2 3 4` → `M1 2l3 4`: only the first of joined paths may start with a small m. */
function absolute(path) {
  const start = /^m(-?(?:\d+\.?\d*|\.\d+))[ ,]?(-?(?:\d+\.?\d*|\.\d+))[ ,]?/.exec(path);
  if (!start) return path;
  const rest = path.slice(start[0].length);
  return `M${start[1]}${start[2].startsWith("-") ? "" : " "}${start[2]}${/^[a-z]/i.test(rest) ? "" : "l"}${rest}`;
}

/** The page's notation: paths joined in one, `o` a circle, `r` a rectangle. */
function compact(nodes) {
  const paths = [];
  const shapes = [];
  for (const [tag, a] of nodes) {
    // A hundredth of a unit is less than anyone sees, and digits do not compress.
    if (tag === "path") paths.push(absolute(a.d).replace(/(\.\d\d)\d+/g, "$1"));
    else if (tag === "line") paths.push(`M${a.x1} ${a.y1}L${a.x2} ${a.y2}`);
    else if (tag === "circle") shapes.push(`o${a.cx} ${a.cy} ${a.r}`);
    else if (tag === "rect")
      shapes.push(`r${[a.x, a.y, a.width, a.height, a.rx ?? a.ry ?? 0].join(" ")}`);
    else throw new Error(`no notation for <${tag}>`);
  }
  return [paths.join(""), ...shapes].filter(Boolean).join("|");
}

// Every lucide icon is drawn by its outline; the few `fill` attributes are on dots that the
// outline covers anyway, and a view accepts shapes only.
const bare = (nodes) => nodes.map(([tag, { fill, key, ...shape }]) => [tag, shape]);

/** The numbers of a drawing to a tenth: on a grid of 24 nobody sees more, and it compresses better. */
export function roundDrawing(drawing) {
  return drawing.replace(/([a-z])([^a-z|]*)/gi, (_, command, rest) => {
    // The flags of an arc, its fourth and fifth numbers, may stand without a space.
    const arc = /a/i.test(command);
    const numbers = [];
    for (let at = 0, n = 0; at < rest.length; n++) {
      const next =
        arc && n % 7 > 2 && n % 7 < 5 ? /[\s,]*([01])/y : /[\s,]*(-?(?:\d+\.?\d*|\.\d+))/y;
      next.lastIndex = at;
      const found = next.exec(rest);
      if (!found) break;
      at = next.lastIndex;
      numbers.push(String(Math.round(found[1] * 10) / 10 || 0).replace(/^(-?)0\./, "$1."));
    }
    const text = numbers.join(" ");
    // Circles and rectangles, which are split at their spaces, stay as they are.
    if (/[or]/.test(command)) return command + text;
    return command + text.replace(/ -/g, "-").replace(/(\.\d+) (?=\.)/g, "$1");
  });
}

/** Writes icon-data.json, and icon-drawings.ts for what names its icons in code. */
export async function writePageIcons() {
  const nodes = json("icon-nodes.json");
  const source = await readFile(join(here, "src/markup/icon-name.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts" });
  const { LUCIDE, DRAWN, FILLED } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  const page = { ...DRAWN };
  for (const [name, from] of Object.entries(LUCIDE)) {
    if (!nodes[from]) throw new Error(`lucide has no icon ${from}`);
    page[name] = (FILLED.includes(name) ? "*" : "") + compact(nodes[from]);
  }
  const sorted = Object.fromEntries(Object.entries(page).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeIfNew("icon-data.json", `${JSON.stringify(sorted, null, 2)}\n`);
  const lines = Object.entries(sorted).map(([name, drawing]) => {
    // `~` mirrors it where text runs from right to left.
    const turns = /^(chevron|arrow)-(left|right)$/.test(name) ? "~" : "";
    return `export const ${camel(name)}: string = ${JSON.stringify(turns + roundDrawing(drawing))};\n`;
  });
  const head =
    "// Written by icons.mjs: each icon as a constant, so that a bundle has those alone that it uses.\n\n";
  await writeIfNew("icon-drawings.ts", head + lines.join(""));
}

/** `write-alt2` → `writeAlt2` */
const camel = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

// Only if it differs: other processes may be reading it.
async function writeIfNew(name, text) {
  const file = join(here, name);
  if ((await readFile(file, "utf8").catch(() => "")) !== text) await writeFile(file, text);
}

/**
 * Every icon as one line of text, sorted by name in byte order: the name, a tab, and its nodes
 * `[[tag,{attribute:value}],…]`; or, for a former name, the present one instead of the nodes.
 */
export function allIcons() {
  const nodes = json("icon-nodes.json");
  const lines = new Map(
    Object.entries(nodes).map(([name, icon]) => [name, JSON.stringify(bare(icon))]),
  );
  // The font keeps the former names: they have the code point of the present one.
  const points = json("font/codepoints.json");
  const present = new Map(Object.keys(nodes).map((name) => [points[name], name]));
  for (const [name, point] of Object.entries(points)) {
    if (!lines.has(name) && present.has(point)) lines.set(name, present.get(point));
  }
  const names = [...lines.keys()].sort();
  return names.map((name) => `${name}\t${lines.get(name)}\n`).join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writePageIcons();
