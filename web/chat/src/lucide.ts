// Drawings of the lucide icons that a tree names. Trees of ChatKit do not carry them, so they are read
// from the server's list, once and only when a tree needs one.

import { ICON_PREFIX } from "@widgetcast/client/wire";
import type { IconNode } from "@widgetcast/view";

export type Drawings = Record<string, IconNode>;

/** Beside this page; a server without a gallery has none, and such icons stay rings. */
const LIST = "gallery/icons.tsv";

/** The icons of lucide in a tree, with their prefix. */
export const lucideIn = (tree: unknown): string[] => [
  ...new Set(JSON.stringify(tree).match(new RegExp(`(?<=")${ICON_PREFIX}[\\w-]+(?=")`, "g"))),
];

/** A function that gives the drawings of names; `load` gives lines of a name, a tab and a drawing. */
export function createDrawings(load: () => Promise<string>) {
  let list: Promise<string> | undefined;
  return async (names: readonly string[]): Promise<Drawings> => {
    list ??= load();
    const lines = `\n${await list.catch(() => "")}`;
    const found: Drawings = {};
    for (const name of names) {
      const start = `\n${name.slice(ICON_PREFIX.length)}\t`;
      const at = lines.indexOf(start);
      if (at < 0) continue;
      const [drawing = ""] = lines.slice(at + start.length).split("\n", 1);
      found[name] = JSON.parse(drawing) as IconNode;
    }
    return found;
  };
}

export const drawingsOf = createDrawings(async () => {
  const answer = await fetch(new URL(LIST, location.href));
  return answer.ok ? answer.text() : "";
});
