// What each picture of the documentation is made from. `npm run pictures` records a hash of it in
// pictures.json, and a test compares: pixels differ with the fonts of a machine, sources do not.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const RECORD = join(root, "web/test/pictures.json");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

export interface Picture {
  /** Its path below docs/, without the extension. */
  name: string;
  /** The widget in it. */
  widget?: string;
  /** The starter in it. */
  starter?: string;
  /** The files and folders that decide how it looks. */
  sources: string[];
}

const VIEW = ["web/view/src/markup", "web/theme/src"];
const OWN: Picture[] = [
  {
    name: "gallery",
    sources: [
      ...VIEW,
      "fixtures/cases/flight_tracker/sample",
      "crates/core/src/surface/hosts.json",
      "web/gallery/src/style",
      "web/gallery/src/slack-part.ts",
      "web/gallery/src/slack.ts",
      "web/gallery/src/terminal.ts",
      "web/gallery/src/lazy/cards.ts",
      "web/test/gallery-picture.ts",
    ],
  },
  {
    name: "pictures/page-app",
    sources: [
      ...VIEW,
      "crates/cli/starters/app/src",
      "crates/cli/starters/app/react",
      "web/react/src/ui",
      "web/gallery/src/style",
    ],
  },
  {
    name: "pictures/page-helpdesk",
    sources: [
      ...VIEW,
      "examples/helpdesk/web/pages",
      "web/react/src/ui",
      "web/test/helpdesk-sample.ts",
    ],
  },
];

/** A widget around a part of one: the root, or children of a card. */
function around(part: string): string {
  const [by, head] = part.startsWith("- ") ? ["    ", "  type: Card\n  children:\n"] : ["  ", ""];
  return `version: "1.0"\nname: Part\nwidget:\n${head}${part.replace(/^/gm, by)}\n`;
}

/** The pictures of a page: each shows the YAML before it, or a starter. */
function picturesOf(page: string): Picture[] {
  const text = read(`docs/${page}`);
  return [...text.matchAll(/\]\((pictures\/([\w-]+))\.png\)/g)].map(
    ({ 1: name = "", 2: id = "" }) => {
      const starter = /^starter-(\w+)$/.exec(id)?.[1];
      if (starter)
        return { name, starter, sources: [...VIEW, `crates/cli/starters/${starter}.widget`] };
      const before = text.slice(0, text.indexOf(`(${name}.png)`));
      const block = before.slice(before.lastIndexOf("```yaml\n") + 8).split("\n```")[0] ?? "";
      return { name, widget: block.startsWith("# ") ? block : around(block), sources: VIEW };
    },
  );
}

export const PICTURES: Picture[] = [...picturesOf("widgets.md"), ...picturesOf("icons.md"), ...OWN];

export const pathOf = ({ name }: Picture): string => join(root, "docs", `${name}.png`);

function filesOf(path: string): string[] {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  const names = readdirSync(join(root, path)).sort();
  return names.flatMap((name) => filesOf(`${path}/${name}`));
}

/** A file without what no picture shows: comments, types and the layout of code. */
function essence(path: string): string {
  const text = read(path);
  if (!/\.tsx?$/.test(path)) return text;
  return transformSync(text, { loader: "tsx", jsx: "preserve", minifyWhitespace: true }).code;
}

/** What a picture was made from, and the picture itself. */
export function recordOf(picture: Picture): string {
  const hash = createHash("sha256");
  hash.update(JSON.stringify([picture.name, picture.widget ?? null]));
  for (const path of picture.sources.flatMap(filesOf))
    hash.update(JSON.stringify([path, essence(path)]));
  hash.update(readFileSync(pathOf(picture)));
  return hash.digest("hex");
}

export const recorded = (): Record<string, string> => JSON.parse(readFileSync(RECORD, "utf8"));

export function isStale(picture: Picture): boolean {
  try {
    return recorded()[picture.name] !== recordOf(picture);
  } catch {
    // It was never drawn.
    return true;
  }
}

/** Records these pictures as they are now. */
export function record(drawn: Picture[]): void {
  let before: Record<string, string> = {};
  try {
    before = recorded();
  } catch {
    // There is none yet.
  }
  const now = { ...before, ...Object.fromEntries(drawn.map((one) => [one.name, recordOf(one)])) };
  const records = Object.fromEntries(PICTURES.map(({ name }) => [name, now[name]]));
  writeFileSync(RECORD, `${JSON.stringify(records, null, 2)}\n`);
}
