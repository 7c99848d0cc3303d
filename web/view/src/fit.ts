// Fits what is drawn into its width: by measuring, since no style sheet knows how long the words are.

import { fitTable, unfitTable, widen } from "./markup/table";

const MARKS = [
  "wc-yields",
  "wc-shrinks",
  "wc-snug",
  "wc-wraps",
  "wc-tight",
  "wc-tiles",
  "wc-below",
  "wc-fill",
  "wc-narrow",
  "wc-led",
  "wc-any",
];

/**
 * Rows whose words do not fit beside each other get closer, else go on in the next line; if one alone does
 * not fit, below. A title is not broken to make room for a badge, buttons that do not fit are below each
 * other. What shares a row evenly has as many in each line, and the columns of rows below each other stay in
 * line: they get narrower first. Entries of a list are alike.
 */
export function fit(root: HTMLElement): void {
  const rows = [...root.querySelectorAll<HTMLElement>(".wc-row,.wc-foot")];
  // A text to edit reaches 6 pixels out.
  const isFull = (row: Element) =>
    row.scrollWidth > row.clientWidth + (row.querySelector(".wc-edit") ? 8 : 1) ||
    [...row.querySelectorAll(":scope>.wc-words.wc-clip")].some(isLost);
  for (const { classList } of root.querySelectorAll(
    ".wc-row,.wc-foot,.wc-fill,.wc-narrow,.wc-led,.wc-any",
  ))
    classList.remove(...MARKS);
  const tables = root.querySelectorAll<HTMLTableElement>(".wc-table");
  tables.forEach(unfitTable);
  tables.forEach(widen);
  // A word that no line of its outermost row holds is broken next to what follows it.
  for (const word of root.querySelectorAll<HTMLElement>(".wc-row>.wc-long")) {
    const outer = rows.find((row) => row.contains(word));
    word.classList.toggle("wc-any", !!outer && word.offsetWidth > outer.clientWidth);
  }
  const boards = columns(rows);
  const open = new Set(boards);
  const groups = [...alike(root, rows), ...boards];
  // Outer ones first: a row inside one that wraps has more room.
  for (const row of rows) {
    const title = row.querySelector<HTMLElement>(":scope>:first-child:has(+.wc-badge)>.wc-title");
    const height = title?.offsetHeight;
    if (title) row.classList.add("wc-wraps");
    if (title?.offsetHeight === height) row.classList.remove("wc-wraps");
    if (isFull(row)) row.classList.add("wc-yields");
    if (isFull(row) && isBoard(row)) row.classList.add("wc-shrinks");
    if (isFull(row)) row.classList.replace("wc-shrinks", "wc-snug") || row.classList.add("wc-snug");
    const board = boards.find((one) => one.includes(row));
    if (isFull(row) && board && open.delete(board)) narrow(board);
    if (isTiles(row) && (isFull(row) || isBelow(row.lastElementChild, row.firstElementChild)))
      tile(row);
    if (isFull(row)) row.classList.replace("wc-snug", "wc-wraps") || row.classList.add("wc-wraps");
    if (isSqueezed(row)) breakAfter(row);
    lead(row, isFull(row));
    // Those inside of it have to fit into it, not it around them.
    row.classList.toggle("wc-tight", isFull(row) && !row.querySelector(":scope>.wc-led"));
  }
  for (const { classList } of rows) classList.remove("wc-tight");
  for (const group of groups)
    if (group.some(({ classList }) => classList.contains("wc-below"))) group.forEach(breakAfter);
  for (const name of ["wc-yields", "wc-shrinks", "wc-snug", "wc-wraps"]) share(groups, name);
  for (const row of rows) lead(row);
  for (const group of groups)
    if (group.some((row) => row.querySelector(":scope>.wc-led")))
      for (const row of group) lead(row, true);
  for (const row of rows) row.classList.toggle("wc-tight", isFull(row) || isStack(row));
  share(groups, "wc-tight");
  for (const all of groups) {
    const group = all.filter((row) => row.matches(".wc-wraps:not(.wc-tight,.wc-below,.wc-tiles)"));
    if (!group.length) continue;
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
    node?.getAttribute("class")?.replace(/ wc-(short|long|keep|any|c-\w+)/g, "");
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
  const breaksOf = (row: HTMLElement) =>
    partsOf(row).flatMap((part, at, all) => {
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
      const parts = partsOf(row);
      const last = parts[at - 1];
      if (!last || !parts[at] || breaksOf(row).includes(at)) continue;
      const rest = roomIn(row, last) - last.offsetWidth - 1;
      // What grows in the line has the rest of it; else what is before keeps its width, and the rest is after it.
      const grows = parts.slice(0, at).findLast((part) => !isBelow(last, part) && isGrowing(part));
      const part = grows ?? last;
      const own = part.offsetWidth;
      part.style.setProperty("--own", `${grows ? own + rest : own}px`);
      part.style.setProperty("--rest", grows ? "0px" : `${rest}px`);
      part.classList.add("wc-fill");
      filled.push(part);
    }
  return filled;
}

/** Whether a few letters are left of a text that may be shortened. */
const isLost = (words: Element) =>
  words.clientWidth < 64 && words.scrollWidth > words.clientWidth + 1;

function isBelow(one: Element | null, other: Element | null): boolean {
  const [top, bottom] = [one?.getBoundingClientRect().top, other?.getBoundingClientRect().bottom];
  return Number(top) >= Number(bottom);
}

/**
 * Rows below each other whose parts have the same widths, some of them fixed, or the same shares: a table made
 * of rows.
 */
function columns(rows: HTMLElement[]): HTMLElement[][] {
  const boards = new Map<Element, Map<string, HTMLElement[]>>();
  for (const row of rows) {
    const parts = [...row.children] as HTMLElement[];
    const key = parts.map(({ style }) => style.width || style.flex).join();
    const isTable = /px.*px/.test(key) || (parts.every(({ style }) => style.flex) && !isTiles(row));
    if (parts.length < 3 || !row.parentElement || !isTable || isBoard(row)) continue;
    const around = boards.get(row.parentElement) ?? new Map<string, HTMLElement[]>();
    boards.set(row.parentElement, around.set(key, [...(around.get(key) ?? []), row]));
  }
  return [...boards.values()]
    .flatMap((around) => [...around.values()])
    .filter(({ length }) => length > 1);
}

/**
 * Takes from the columns of fixed width what is missing, as far as their words leave it; else all of them
 * that follow what grows are below it.
 */
function narrow(board: HTMLElement[]): void {
  for (const { classList } of board) classList.add("wc-yields", "wc-snug");
  const missing = Math.max(...board.map((row) => row.scrollWidth - row.clientWidth));
  if (missing < 1) return;
  const fixed = partsOf(board[0]).flatMap(({ style }, at) => {
    if (!/px$/.test(style.width)) return [];
    const cells = board.flatMap((row) => partsOf(row)[at] ?? []);
    for (const { style, classList } of cells) {
      style.setProperty("--narrow", "min-content");
      classList.add("wc-narrow");
    }
    const given = Number.parseFloat(style.width);
    const needed = Math.max(16, ...cells.map(({ offsetWidth }) => offsetWidth));
    return [{ cells, width: Math.max(given, needed), spare: Math.max(0, given - needed) }];
  });
  const share = missing / fixed.reduce((sum, { spare }) => sum + spare, 0);
  for (const { cells, width, spare } of fixed)
    for (const { style } of cells)
      style.setProperty("--narrow", `${Math.floor(width - (share > 1 ? 0 : spare * share))}px`);
  if (share > 1) board.forEach(breakAfter);
}

/**
 * An icon, a small picture or a bullet is not alone in its line: the words after it are broken beside it, and
 * what follows them is below them. So it is in all rows of a group, if `always`.
 */
function lead(row: HTMLElement, always = false): void {
  const [first, second] = partsOf(row);
  if (!first?.matches(".wc-glyph,.wc-image,.wc-square,.wc-short")) return;
  if (!second?.matches(".wc-words,.wc-col")) return;
  const gap = Number.parseFloat(getComputedStyle(row).columnGap) || 0;
  const width = first.offsetWidth + gap + 1;
  const most = roomIn(row) * (first.matches(".wc-short") ? 0.2 : 0.4);
  if (width > most || !(always || isBelow(second, first))) return;
  row.style.setProperty("--lead", `${width}px`);
  second.classList.add("wc-led");
}

/** What grows in a row takes the rest of its line, and what follows is below, at the end. */
function breakAfter(row: HTMLElement): void {
  if (row.matches(".wc-tiles")) return;
  row.classList.add("wc-wraps");
  const grows = partsOf(row).find(isGrowing);
  if (!grows || grows === row.lastElementChild) return;
  grows.style.setProperty("--own", `${roomIn(row, grows) - 1}px`);
  grows.style.setProperty("--rest", "0px");
  grows.classList.add("wc-fill");
  row.classList.add("wc-below");
}

/** What is in a row. A spacer is room, not a part: in a row of several lines there is none. */
const partsOf = (row: Element | undefined) =>
  ([...(row?.children ?? [])] as HTMLElement[]).filter((part) => !part.matches(".wc-spacer"));

const isGrowing = (part: Element) => Number(getComputedStyle(part).flexGrow) > 0;

/** The room in a row, from one of its parts on if there is one; in its own pixels, which a page may zoom. */
function roomIn(row: HTMLElement, from?: HTMLElement): number {
  const style = getComputedStyle(row);
  const { left, right, width } = row.getBoundingClientRect();
  const part = from?.getBoundingClientRect();
  const before = part && (style.direction === "rtl" ? right - part.right : part.left - left);
  const zoom = width / row.offsetWidth || 1;
  const start = Number.parseFloat(style.paddingInlineStart) + row.clientLeft;
  const end = Number.parseFloat(style.paddingInlineEnd) + row.clientLeft;
  return width / zoom - end - (before === undefined ? start : before / zoom);
}

/** Whether three or more boxes share a row evenly, or go on in more lines with one width. */
function isTiles(row: HTMLElement): boolean {
  const parts = partsOf(row);
  const share = ({ style: { flex, width } }: HTMLElement) =>
    flex || (Number.parseFloat(width) > 99 && row.style.flexWrap === "wrap" ? width : "");
  const [first] = parts.map(share);
  return (
    !!first &&
    parts.length > 2 &&
    parts.every((one) => share(one) === first && one.matches(".wc-col,.wc-row"))
  );
}

/** Puts as many in each line as have room; one alone in the last has all of it. */
function tile(row: HTMLElement): void {
  const { classList, style } = row;
  classList.remove("wc-snug");
  classList.add("wc-tiles");
  const parts = partsOf(row);
  const gap = Number.parseFloat(getComputedStyle(row).columnGap) || 0;
  // The widths that it is made of are rounded.
  const room = roomIn(row) - 1;
  const given = Number.parseFloat(parts[0]?.style.width ?? "");
  const wanted = Math.round((room + gap) / (given + gap)) || parts.length - 1;
  for (let most = Math.min(wanted, parts.length); most > 0; most -= 1) {
    const rest = parts.length % most;
    if (rest === 1 && most > 2 && !given) continue;
    const width = Math.floor((room - gap * (most - 1)) / most);
    style.setProperty("--tile", `${width}px`);
    style.setProperty("--grow", rest === 1 && !given ? "1" : "0");
    if (
      parts.every(
        (part, at) => part.offsetWidth <= width + 1 || (!given && at >= parts.length - rest),
      )
    )
      break;
  }
}

/** Whether words in a line with others have little of it, and more than two or three lines there. */
function isSqueezed(row: HTMLElement): boolean {
  if (!row.matches(".wc-row:not(.wc-wraps,.wc-tiles)")) return false;
  const parts = partsOf(row);
  const grows = parts.find(isGrowing);
  const isEven = parts.length === 2 && parts.every(isGrowing);
  const isTaken =
    isEven || row.lastElementChild?.matches('.wc-btn,.wc-badge,.wc-short,[style*="safe end"]');
  const least = isEven ? 120 : row.clientWidth * (grows ? 0.6 : 0.5);
  const deep = ":scope>.wc-words,:scope>*>.wc-words";
  return [...row.querySelectorAll<HTMLElement>(deep)].some(
    (words) =>
      words.offsetWidth < least &&
      linesOf(words) > (grows ? 3.5 : 2.5) &&
      (!grows || (isTaken && (isEven || grows.contains(words)))),
  );
}

const linesOf = (words: HTMLElement) =>
  words.offsetHeight / Number.parseFloat(getComputedStyle(words).lineHeight);

/** Whether five or more of these are of one fixed width: they are the columns of a board with the rows around. */
function isBoard({ children }: Element): boolean {
  const widths = ([...children] as HTMLElement[]).map(({ style }) => style.width);
  return widths.some(
    (width) => /px$/.test(width) && widths.filter((other) => other === width).length > 4,
  );
}

/** Whether these are two or three buttons, and not in one line or too narrow. More of them flow like words. */
function isStack(row: Element): boolean {
  const [first, second, third = second, more] = row.children as Iterable<HTMLElement>;
  if (!first || !third || more || row.querySelector(":scope>:not(.wc-btn)")) return false;
  return (
    // The lines of a foot are the other way round.
    isBelow(third, first) ||
    isBelow(first, third) ||
    [...row.querySelectorAll<HTMLElement>(".wc-face>.wc-clip")].some(
      (label) => linesOf(label) > 2.5,
    )
  );
}
