/** @jsxImportSource #jsx */
// Tables of a tree, of Markdown and of React. What depends on the content and on the room is measured, and
// kept in attributes that no markup sets: which columns hold figures, what is above a cell, whether rows
// are cards. Not taken: reading the columns from the data, because cells of a tree hold components.

import { say, translate } from "@widgetcast/i18n";
import { empty, more_rows } from "@widgetcast/i18n/host";
import type { ReactNode } from "react";
import { useLayoutEffect, useRef, useState } from "#react";
import { place } from "./box";
import { renderChevron } from "./chevron";
import { attributes, type Native } from "./element";
import { type Given, isFigure, number, pick } from "./prop";
import { length, put, type Style, spacing } from "./token";

/** As many rows as a table shows at first. */
export const FIRST_ROWS = 50;
/** Below this, rows that do not fit are cards. */
const NARROW = 360;
/** Of more columns nobody reads a card. */
const MOST_LINES = 8;

/** Calls for each cell with the number of its column. */
function eachCell(
  row: HTMLTableRowElement,
  call: (cell: HTMLTableCellElement, at: number) => void,
) {
  let at = 0;
  for (const cell of row.cells) {
    call(cell, at);
    at += cell.colSpan;
  }
}

/** Marks what the content says: figures, the head of each cell, and the name of each row. */
function mark(table: HTMLTableElement): void {
  const rowsOf = (part: string) => table.querySelectorAll<HTMLTableRowElement>(`${part} tr`);
  // Below a cell of several rows, cells are in other columns than their number says.
  const isPlain = !table.querySelector("[rowspan]");
  const heads: string[] = [];
  const figures: boolean[] = [];
  for (const row of rowsOf("thead"))
    eachCell(row, (cell, at) => {
      // Of a head with several parts the first, which names it.
      heads[at] = (cell.querySelector(".wc-words") ?? cell).textContent ?? "";
    });
  for (const row of rowsOf("tbody"))
    eachCell(row, (cell, at) => {
      const text = cell.textContent?.trim() ?? "";
      if (cell.colSpan > 1 || /^[-–—]?$/.test(text)) return;
      figures[at] =
        figures[at] !== false &&
        isPlain &&
        isFigure(text) &&
        !cell.querySelector(".wc-badge,button,input,svg,img");
    });
  for (const row of table.rows)
    eachCell(row, (cell, at) => {
      cell.toggleAttribute("data-figure", cell.colSpan < 2 && figures[at] === true);
      cell.dataset.label = isPlain ? heads[at] : "";
    });
  // A card is named by the first of its cells that is no figure.
  for (const { cells } of rowsOf("tbody")) {
    const name = [...cells].find((cell) => !cell.hasAttribute("data-figure")) ?? cells[0];
    for (const cell of cells) cell.toggleAttribute("data-name", cell === name);
  }
}

/** A table as it is where there is room for all of it. */
export function unfitTable(table: HTMLTableElement): void {
  table.parentElement?.classList.remove("wc-cards", "wc-dense", "wc-flow", "wc-open");
  table.closest(".wc-card")?.classList.remove("wc-wider");
  table.style.removeProperty("--clip");
}

/** A card is wider than its size says where its table needs more, and the host has it. */
export function widen(table: HTMLTableElement): void {
  table.style.setProperty("--long", "10rem");
  const { scrollWidth = 0, clientWidth = 0 } = table.parentElement ?? {};
  table.style.removeProperty("--long");
  const card = table.closest<HTMLElement>(".wc-card");
  if (!card || scrollWidth < clientWidth + 2) return;
  card.style.setProperty("--wider", `${card.offsetWidth + scrollWidth - clientWidth}px`);
  card.classList.add("wc-wider");
}

/** Fits a table into its frame: it gets closer, shortened texts get shorter, rows become cards, else it scrolls. */
export function fitTable(table: HTMLTableElement): void {
  const frame = table.parentElement as HTMLElement;
  const isWide = () => frame.scrollWidth > frame.clientWidth + 1;
  const { classList } = frame;
  classList.remove("wc-cards", "wc-dense", "wc-flow", "wc-open");
  table.style.removeProperty("--clip");
  classList.toggle("wc-dense", isWide());
  // Those give way before other words are broken.
  if (table.querySelector(".wc-clip")) {
    table.style.setProperty("--long", "12rem");
    for (let most = 320; most > 70 && isWide(); most -= 40)
      table.style.setProperty("--clip", `${most}px`);
    table.style.removeProperty("--long");
  }
  classList.toggle("wc-flow", isWide());
  const heads = table.querySelectorAll("thead th").length;
  const isCards = isWide() && frame.clientWidth < NARROW && heads > 0 && heads <= MOST_LINES;
  classList.toggle("wc-cards", isCards);
  // Nothing is squeezed for a table that scrolls anyway; small words that do not help are hard to read.
  const isOpen = isWide() && !isCards;
  classList.toggle("wc-open", isOpen);
  if (isWide() || isCards) {
    classList.remove("wc-dense", "wc-flow");
    table.style.removeProperty("--clip");
  }
  // A text of several lines is as wide as the longest: else its column would be as wide as they were in one.
  const words = isOpen ? [...table.querySelectorAll<HTMLElement>(".wc-words")] : [];
  for (const { style } of words) style.setProperty("--line", "10rem");
  const range = document.createRange();
  const widths = words.map((one) => {
    range.selectNodeContents(one);
    return range.getBoundingClientRect().width + 1;
  });
  for (const [at, { style }] of words.entries()) style.setProperty("--line", `${widths[at]}px`);
  // What scrolls leaves the names of its rows in place. They cover it with the ground of a plain card.
  const name = table.querySelector<HTMLTableCellElement>("tbody [data-name]");
  const isPinned =
    isWide() &&
    !isCards &&
    !!name &&
    !table.querySelector("[rowspan]") &&
    name.offsetWidth < frame.clientWidth * 0.55 &&
    !frame.closest("[style*=background]");
  for (const row of table.rows)
    eachCell(row, (cell, at) =>
      cell.toggleAttribute("data-pin", isPinned && at === name.cellIndex && cell.colSpan < 2),
    );
  // What is laid out as a stack would lose its roles.
  const roles = { table: "table", tr: "row", th: "columnheader", td: "cell" };
  for (const [name, role] of Object.entries(roles))
    for (const node of frame.querySelectorAll(name)) node.role = isCards ? role : null;
  const cut = () => {
    const hidden = frame.scrollWidth - frame.clientWidth - Math.abs(frame.scrollLeft);
    classList.toggle("wc-cut", hidden > 1);
  };
  frame.onscroll = cut;
  cut();
}

/** `head` are the rows at the top that name the columns, none if it is falsy. */
export function Table(props: {
  label?: string | undefined;
  locale: string | undefined;
  head: ReactNode;
  rows: ReactNode[];
  /** How many columns it has. */
  span: number;
  native?: Native;
}) {
  const { head, rows, locale = "" } = props;
  const [open, setOpen] = useState(false);
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (!table.current) return;
    mark(table.current);
    fitTable(table.current);
  });
  useLayoutEffect(() => {
    const frame = table.current?.parentElement;
    if (!frame) return;
    // Later: what changes the size while it is observed is an error of the page.
    const watch = new ResizeObserver(() =>
      setTimeout(() => table.current && fitTable(table.current)),
    );
    watch.observe(frame);
    return () => watch.disconnect();
  }, []);
  // No row alone is hidden: the button would be as tall as it.
  const hidden = open || rows.length < FIRST_ROWS + 2 ? 0 : rows.length - FIRST_ROWS;
  return (
    <>
      <div
        {...attributes({ className: `wc-scroll${open ? " wc-tall" : ""}` }, props.native)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must take the keyboard
        tabIndex={0}
      >
        <table className="wc-table" aria-label={props.label} ref={table}>
          {head && <thead>{head}</thead>}
          <tbody>
            {rows.length > 0 ? (
              rows.slice(0, rows.length - hidden)
            ) : (
              <tr>
                <td colSpan={props.span} className="wc-hint">
                  {translate(empty, locale)}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {hidden > 0 && (
        <button type="button" className="wc-more" onClick={() => setOpen(true)}>
          {say(more_rows, locale, { n: hidden })}
          {renderChevron()}
        </button>
      )}
    </>
  );
}

export function renderRow(head: boolean, cells: ReactNode, native?: Native) {
  return <tr {...attributes({ className: head ? "wc-head" : "" }, native)}>{cells}</tr>;
}

const COLUMN: Style = { xs: "4rem", sm: "6rem", md: "9rem", lg: "13rem", xl: "18rem" };
const DOWN: Style = { start: "top", center: "middle", end: "bottom" };

export function renderCell(
  props: Given<"Table.Cell">,
  head: boolean | undefined,
  children: ReactNode,
  native?: Native,
) {
  const Tag = head ? "th" : "td";
  const style = spacing(props.padding, "padding");
  const align = place(props.align);
  put(style, "width", length(props.width) ?? pick(COLUMN, props.colSize));
  put(style, "textAlign", align);
  put(style, "verticalAlign", pick(DOWN, props.vAlign));
  const span = (value: unknown) => {
    const given = Math.floor(number(value, 1, 100) ?? 1);
    return given > 1 ? given : undefined;
  };
  const inner = attributes({
    className: "wc-col wc-cell",
    style: align ? { alignItems: align } : {},
  });
  return (
    <Tag
      {...attributes({ className: "", style }, native)}
      scope={head ? "col" : undefined}
      colSpan={span(props.colSpan)}
      rowSpan={span(props.rowSpan)}
    >
      <div {...inner}>{children}</div>
    </Tag>
  );
}

export const tableCss = `
.wc-scroll{overflow-x:auto;max-width:100%}
.wc-cut{box-shadow:inset -12px 0 8px -8px var(--wc-border-strong)}
.wc-cut:dir(rtl){box-shadow:inset 12px 0 8px -8px var(--wc-border-strong)}
.wc-tall,[data-mode=fullscreen] .wc-scroll{overflow-y:auto;max-height:480px}
[data-mode=fullscreen] .wc-scroll{max-height:calc(100vh - 40px)}
:is(.wc-tall,[data-mode=fullscreen] .wc-scroll) th{position:sticky;top:0;z-index:1;background:var(--wc-ground)}
[data-pin]{position:sticky;inset-inline-start:0;z-index:1;background:var(--wc-ground);border-inline-end:1px solid var(--wc-border)}
thead [data-pin]{z-index:2!important}
.wc-table{border-collapse:separate;border-spacing:0;width:100%;font-size:14px;line-height:20px}
.wc-table :where(th,td){padding:10px 6px;text-align:start;border-bottom:1px solid var(--wc-border-subtle);font-weight:400}
.wc-table tbody>:last-child>*{border-bottom:0}
.wc-table tr>:first-child{padding-inline-start:0}
.wc-table tr>:last-child{padding-inline-end:0}
.wc-table thead th{vertical-align:bottom;padding-block:0 8px;border-bottom-color:var(--wc-border);color:var(--wc-text-2)}
.wc-dense .wc-text.wc-words{font-size:12px;line-height:16px}
.wc-cell{gap:4px}
.wc-table .wc-long{overflow-wrap:anywhere;min-width:var(--long,5rem)}
.wc-open{--clip:10rem;--long:10rem}
.wc-open :is(th,td):not([style*=width]) .wc-words{width:max-content;max-width:min(10rem,var(--line))}
.wc-scroll:not(.wc-flow,.wc-cards) .wc-row:not([style*=wrap]):has(>.wc-badge){flex-wrap:nowrap}
.wc-open .wc-row.wc-row{flex-flow:row;align-items:center!important}
.wc-cell .wc-clip{max-width:var(--clip,100%)}
[data-figure],[data-figure] .wc-words{white-space:nowrap}
[data-figure]:not([style*=align]){text-align:end}
[data-figure]:not([style*=align])>.wc-cell{align-items:end}
[data-figure]:first-child:not([style*=width]){width:1px}
:where([data-figure],[style*=" end"])+:where(th,td):where(:not([data-figure],[style*=" end"])){padding-inline-start:20px!important}
@media (width<300px){.wc-table :where(th,td){padding-inline:3px}}
.wc-cards :is(table,tbody){display:block}
.wc-cards thead{position:absolute;clip-path:inset(50%)}
.wc-cards tr{display:flex;flex-direction:column}
.wc-cards tr+tr{margin-top:8px;padding-top:8px;border-top:1px solid var(--wc-border-subtle)}
.wc-cards td{display:flex;justify-content:space-between;align-items:baseline;gap:12px;width:auto!important;padding:2px 0!important;border:0!important;text-align:end!important}
.wc-cards .wc-cell{align-items:end!important}
.wc-cards td:before{content:attr(data-label);color:var(--wc-text-2);text-align:start;flex:none;max-width:55%}
.wc-cards [data-name]{order:-1;font-weight:600}
.wc-cards [data-name]:before{content:none}
.wc-cards .wc-cap{font-weight:400}
.wc-cards [data-name]>.wc-cell{align-items:start!important;text-align:start}
`;
