// Draws any tree into an element, and updates it in place.

import { render } from "preact";
import { Fault, Node } from "./node";
import { record } from "./prop";
import { plan } from "./tree";
import type { Stage, World } from "./world";

interface Drawing {
  id: string;
  values: World["values"];
  secrets: World["values"];
  given?: Stage["values"];
}

const drawings = new WeakMap<HTMLElement, Drawing>();
let count = 0;

export function draw(root: HTMLElement, tree: unknown, stage: Stage = {}): void {
  const drawing: Drawing = drawings.get(root) ?? {
    id: `wc${++count}`,
    values: new Map(),
    secrets: new Map(),
  };
  const { id, values, secrets } = drawing;
  drawings.set(root, drawing);
  if (stage.values !== drawing.given) {
    drawing.given = stage.values;
    for (const [key, pair] of Object.entries(stage.values ?? {})) {
      if (Array.isArray(pair)) values.set(key, [pair[0], pair[1]]);
    }
  }
  const made = plan(tree);
  const { locale } = stage;
  const world = { stage, labels: made.labels, dark: isDark(root), values, secrets, id, hold() {} };
  render(
    <div class="wc" dir={direction(locale)} lang={locale || undefined}>
      {made.root ? (
        <Node key={made.root.type} branch={made.root} world={world} top />
      ) : (
        <Fault detail={record(tree) ? "Its tree has no type." : "Its tree is no object."} />
      )}
      {made.cut && <div class="wc-quiet">Parts are left out: this widget is too large.</div>}
    </div>,
    root,
  );
}

/** Draws a card that says what went wrong. */
export function drawFault(root: HTMLElement, title: string, detail: string): void {
  render(
    <div class="wc">
      <Fault title={title} detail={detail} />
    </div>,
    root,
  );
}

export function clear(root: HTMLElement): void {
  drawings.delete(root);
  render(null, root);
}

export function direction(locale = ""): "rtl" | "ltr" {
  return /^(ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b|-(arab|hebr)\b/i.test(locale) ? "rtl" : "ltr";
}

function isDark(root: HTMLElement): boolean {
  const { colorScheme = "" } = getComputedStyle(root);
  return /light/.test(colorScheme)
    ? /dark/.test(colorScheme) && matchMedia("(prefers-color-scheme: dark)").matches
    : /dark/.test(colorScheme);
}
