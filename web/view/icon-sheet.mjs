// docs/icons.svg: the 64 named icons with their names, as the page draws them.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const COLUMNS = 8;
const CELL = { width: 116, height: 76 };

/** The notation of icon-data.json as SVG; see src/icon.tsx. */
function shapes(code) {
  const kind = code[0];
  const shape = (one) => {
    const [a, b, c, d, e] = one.slice(1).split(" ");
    if (one[0] === "o") {
      const dot = Number(c) <= 1 ? ' fill="#1b1b1f"' : "";
      return `<circle cx="${a}" cy="${b}" r="${c}"${dot}/>`;
    }
    if (one[0] === "r")
      return `<rect x="${a}" y="${b}" width="${c}" height="${d}" rx="${e ?? 0}"/>`;
    return `<path d="${one}"/>`;
  };
  const drawn = code.replace(/^[*!]/, "").split("|").map(shape).join("");
  if (kind === "!") return `<g fill="#1b1b1f" fill-rule="evenodd" stroke="none">${drawn}</g>`;
  return kind === "*" ? `<g fill="#1b1b1f">${drawn}</g>` : drawn;
}

export function iconSheet() {
  const icons = Object.entries(JSON.parse(readFileSync(join(here, "icon-data.json"), "utf8")));
  const rows = Math.ceil(icons.length / COLUMNS);
  const [width, height] = [COLUMNS * CELL.width, rows * CELL.height];
  const cells = icons.map(([name, code], index) => {
    const x = (index % COLUMNS) * CELL.width + CELL.width / 2;
    const y = Math.floor(index / COLUMNS) * CELL.height;
    return (
      `<g transform="translate(${x - 14} ${y + 12}) scale(1.1667)">${shapes(code)}</g>` +
      `<text x="${x}" y="${y + 60}">${name}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The icons and their names">`,
    `<style>text{font:11px ui-monospace,Menlo,Consolas,monospace;fill:#55555f;stroke:none;text-anchor:middle}</style>`,
    `<rect width="${width}" height="${height}" rx="12" fill="#fff"/>`,
    `<g fill="none" stroke="#1b1b1f" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round">`,
    ...cells,
    "</g></svg>",
    "",
  ].join("\n");
}
