/** @jsxImportSource #jsx */
// Draws any tree into an element, and updates it in place.

import { directionOf, translate } from "@widgetcast/i18n";
import { not_shown } from "@widgetcast/i18n/host";
import type { DrawOptions, RenderContext } from "./context";
import { renderFault } from "./markup/card";
import { fitTable, unfitTable } from "./markup/table";
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
    heading: options.isDocument ? made.title : undefined,
    dark: isDark(root),
    values,
    secrets,
    id,
    setBusy() {},
  };
  render(
    <div className="wc" dir={made.isRtl ? "rtl" : directionOf(locale)} lang={locale || undefined}>
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
 * other, and nothing that shares a row is left alone under the others. Entries of a list are alike.
 */
export function fit(root: HTMLElement): void {
  const rows = [...root.querySelectorAll<HTMLElement>(".wc-row,.wc-foot")];
  // A text to edit reaches 6 pixels out.
  const isFull = (row: Element) =>
    row.scrollWidth > row.clientWidth + (row.querySelector(".wc-edit") ? 8 : 1);
  for (const { classList } of root.querySelectorAll(".wc-row,.wc-foot,.wc-fill"))
    classList.remove(
      "wc-yields",
      "wc-shrinks",
      "wc-snug",
      "wc-wraps",
      "wc-tight",
      "wc-pairs",
      "wc-fill",
    );
  const tables = root.querySelectorAll<HTMLTableElement>(".wc-table");
  tables.forEach(unfitTable);
  const groups = alike(root, rows);
  // Outer ones first: a row inside one that wraps has more room.
  for (const row of rows) {
    const title = row.querySelector<HTMLElement>(":scope>:first-child:has(+.wc-badge)>.wc-title");
    const height = title?.offsetHeight;
    if (title) row.classList.add("wc-wraps");
    if (title?.offsetHeight === height) row.classList.remove("wc-wraps");
    if (isFull(row)) row.classList.add("wc-yields");
    if (isFull(row) && isBoard(row)) row.classList.add("wc-shrinks");
    if (isFull(row)) row.classList.replace("wc-shrinks", "wc-snug") || row.classList.add("wc-snug");
    if (isFull(row)) row.classList.replace("wc-snug", "wc-wraps");
  }
  for (const name of ["wc-yields", "wc-shrinks", "wc-snug", "wc-wraps"]) share(groups, name);
  for (const row of rows) row.classList.toggle("wc-tight", isFull(row) || isStack(row));
  share(groups, "wc-tight");
  for (const row of rows) row.classList.toggle("wc-pairs", isOneLeft(row));
  for (const group of groups) {
    if (!group[0]?.matches(".wc-wraps:not(.wc-tight)")) continue;
    const before = rows.filter(isFull).length;
    const filled = breakAlike(group);
    // Rows inside of rows may have no room for it.
    if (rows.filter(isFull).length > before)
      for (const { classList } of filled) classList.remove("wc-fill");
  }
  tables.forEach(fitTable);
}

/** Rows of one shape in lists of one shape: their layout is the same, whatever is in them. */
function alike(root: HTMLElement, rows: HTMLElement[]): HTMLElement[][] {
  const shape = (node: Element | null) =>
    node?.getAttribute("class")?.replace(/ wc-(short|long|keep)/g, "");
  const groups = new Map<string, HTMLElement[]>();
  for (const row of rows) {
    let key = `${shape(row.firstElementChild)}/${shape(row.lastElementChild)}`;
    for (let node: Element | null = row; node && node !== root; node = node.parentElement)
      key += `/${shape(node)}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

/** What one row of a group needs, all of them have. */
function share(groups: HTMLElement[][], name: string): void {
  for (const group of groups)
    if (group.some(({ classList }) => classList.contains(name)))
      for (const { classList } of group) classList.add(name);
}

/** The parts with which rows go on in another line are those of the row with the most lines, of such the first. */
function breakAlike(group: HTMLElement[]): HTMLElement[] {
  const filled: HTMLElement[] = [];
  const breaksOf = ({ children }: HTMLElement) =>
    ([...children] as HTMLElement[]).flatMap((part, at, all) => {
      const before = all[at - 1];
      return before && isBelow(part, before) ? [at] : [];
    });
  const most = group.map(breaksOf).reduce((one, other) => {
    const [before = 0] = one;
    const [first = 0] = other;
    return (other.length - one.length || before - first) > 0 ? other : one;
  });
  for (const row of group)
    for (const at of most) {
      const last = row.children[at - 1] as HTMLElement;
      if (!row.children[at] || breaksOf(row).includes(at)) continue;
      const { paddingLeft, paddingRight } = getComputedStyle(row);
      const edges = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      const { left, right } = last.getBoundingClientRect();
      const line = row.getBoundingClientRect();
      const used = row.matches(":dir(rtl)") ? line.right - left : right - line.left;
      const rest = line.width - edges - used - 1;
      // What grows in the line has the rest of it; else what is before keeps its width, and the rest is after it.
      const grows = ([...row.children].slice(0, at) as HTMLElement[]).findLast(
        (part) => !isBelow(last, part) && Number(getComputedStyle(part).flexGrow) > 0,
      );
      const part = grows ?? last;
      const own = part.getBoundingClientRect().width;
      part.style.setProperty("--own", `${grows ? own + rest : own}px`);
      part.style.setProperty("--rest", grows ? "0px" : `${rest}px`);
      part.classList.add("wc-fill");
      filled.push(part);
    }
  return filled;
}

const isBelow = (one: HTMLElement, other: HTMLElement) =>
  one.offsetTop >= other.offsetTop + other.offsetHeight;

/** Whether five or more of these are of one fixed width: they are the columns of a board with the rows around. */
function isBoard({ children }: Element): boolean {
  const widths = ([...children] as HTMLElement[]).map(({ style }) => style.width);
  return widths.some(
    (width) => /px$/.test(width) && widths.filter((other) => other === width).length > 4,
  );
}

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
