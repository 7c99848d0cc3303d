/** @jsxImportSource #jsx */
// Draws any tree into an element, and updates it in place.

import { directionOf, translate } from "@widgetcast/i18n";
import { not_shown } from "@widgetcast/i18n/host";
import type { DrawOptions, RenderContext } from "./context";
import { renderFault } from "./markup/card";
import { Node } from "./node";
import { render } from "./render";
import { readTree } from "./tree";

interface Drawing {
  id: string;
  values: RenderContext["values"];
  secrets: RenderContext["values"];
  given?: DrawOptions["values"];
}

const drawings = new WeakMap<HTMLElement, Drawing>();
let count = 0;

export function draw(root: HTMLElement, tree: unknown, options: DrawOptions = {}): void {
  const drawing: Drawing = drawings.get(root) ?? {
    id: `wc${++count}`,
    values: new Map(),
    secrets: new Map(),
  };
  const { id, values, secrets } = drawing;
  drawings.set(root, drawing);
  if (options.values !== drawing.given) {
    drawing.given = options.values;
    for (const [key, pair] of Object.entries(options.values ?? {})) {
      if (Array.isArray(pair)) values.set(key, [pair[0], pair[1]]);
    }
  }
  const made = readTree(tree);
  const { locale } = options;
  const context = {
    options,
    labels: made.labels,
    required: made.required,
    dark: isDark(root),
    values,
    secrets,
    id,
    setBusy() {},
  };
  render(
    <div className="wc" dir={directionOf(locale)} lang={locale || undefined}>
      {made.root ? (
        <Node key={made.root.type} node={made.root} context={context} top />
      ) : (
        renderFault(translate(not_shown, locale), "")
      )}
      {made.cut && <div className="wc-quiet">{translate(not_shown, locale)}: …</div>}
    </div>,
    root,
  );
  fit(root);
}

/**
 * Rows whose words do not fit beside each other get closer, else go on in the next line; if one alone does
 * not fit, below. A title is not broken to make room for a badge, buttons that do not fit are below each
 * other, nothing that shares a row is left alone under the others, and tables show where they go on.
 */
export function fit(root: HTMLElement): void {
  const rows = root.querySelectorAll(".wc-row,.wc-foot");
  // A text to edit reaches 6 pixels out.
  const isFull = (row: Element) =>
    row.scrollWidth > row.clientWidth + (row.querySelector(".wc-edit") ? 8 : 1);
  for (const { classList } of rows) classList.remove("wc-snug", "wc-wraps", "wc-tight", "wc-pairs");
  // Outer ones first: a row inside one that wraps has more room.
  for (const row of rows) {
    const title = row.querySelector<HTMLElement>(":scope>:first-child:has(+.wc-badge)>.wc-title");
    const height = title?.offsetHeight;
    if (title) row.classList.add("wc-wraps");
    if (title?.offsetHeight === height) row.classList.remove("wc-wraps");
    if (isFull(row)) row.classList.add("wc-snug");
    if (isFull(row)) row.classList.replace("wc-snug", "wc-wraps");
  }
  for (const row of rows) row.classList.toggle("wc-tight", isFull(row) || isStack(row));
  for (const row of rows) row.classList.toggle("wc-pairs", isOneLeft(row));
  for (const table of root.querySelectorAll<HTMLElement>(".wc-scroll")) {
    table.onscroll = () => {
      const hidden = table.scrollWidth - table.clientWidth - Math.abs(table.scrollLeft);
      table.classList.toggle("wc-cut", hidden > 1);
    };
    table.onscroll(new Event("scroll"));
  }
}

const isBelow = (one: HTMLElement, other: HTMLElement) =>
  one.offsetTop >= other.offsetTop + other.offsetHeight;

/** Whether these are two or three buttons, and not in one line. More of them flow like words. */
function isStack(row: Element): boolean {
  const [first, second, third = second, more] = row.children as Iterable<HTMLElement>;
  return (
    !!first &&
    !!third &&
    !more &&
    isBelow(third, first) &&
    !row.querySelector(":scope>:not(.wc-btn)")
  );
}

/** Whether the last of those that share a row is alone in its line, with three or more above. */
function isOneLeft({ children }: Element): boolean {
  type Four = [HTMLElement, HTMLElement, HTMLElement, HTMLElement?];
  const [third, , above, last] = [...children].slice(-4) as Four;
  return !!last?.style.flex && isBelow(last, above) && !isBelow(above, third);
}

/** Draws a card that says what went wrong. */
export function drawFault(root: HTMLElement, title: string, detail: string): void {
  render(<div className="wc">{renderFault(title, detail)}</div>, root);
}

export function clear(root: HTMLElement): void {
  drawings.delete(root);
  render(null, root);
}

function isDark(root: HTMLElement): boolean {
  const { colorScheme = "" } = getComputedStyle(root);
  return /light/.test(colorScheme)
    ? /dark/.test(colorScheme) && matchMedia("(prefers-color-scheme: dark)").matches
    : /dark/.test(colorScheme);
}
