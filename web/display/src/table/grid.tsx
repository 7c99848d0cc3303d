/** @jsxImportSource react */
// biome-ignore-all lint/a11y/noRedundantRoles: a table laid out as a stack would lose its roles
// biome-ignore-all lint/a11y/noAriaHiddenOnFocusable: the rows that hold space have no focus
// The rows themselves: as a table, as a stack of cards where the columns do not fit, or as a table
// that scrolls and draws only what can be seen.

import { type CSSProperties, type UIEvent, useLayoutEffect, useRef, useState } from "react";
import { useFit } from "../part/fit";
import { Icon } from "../part/icon";
import { Cell } from "./cell";
import { headOf } from "./head";
import type { Column, Row } from "./kind";
import type { Show } from "./show";
import type { Order } from "./sort";
import { spread } from "./width";

interface Props {
  title: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** The numbers of the rows to draw. */
  order: readonly number[];
  sort: Order | undefined;
  show: Show;
  onSort(column: string): void;
}

function Head({
  columns,
  sort,
  onSort,
  isPlain,
}: Pick<Props, "columns" | "sort" | "onSort"> & { isPlain?: boolean }) {
  return (
    <thead>
      <tr role="row" aria-rowindex={1}>
        {columns.map(({ name, kind }) => {
          const isSorted = sort?.column === name;
          const turn = sort?.isDown ? "descending" : "ascending";
          return (
            <th
              key={name}
              role="columnheader"
              scope="col"
              className={kind}
              aria-sort={isSorted ? turn : undefined}
            >
              {isPlain ? (
                headOf(name)
              ) : (
                <button type="button" onClick={() => onSort(name)}>
                  <span>{headOf(name)}</span>
                  <Icon name={isSorted ? (sort?.isDown ? "down" : "up") : "sort"} />
                </button>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Line({
  row,
  index,
  columns,
  show,
}: {
  row: Row;
  index: number;
  columns: readonly Column[];
  show: Show;
}) {
  return (
    <tr role="row" aria-rowindex={index}>
      {columns.map((column, at) => (
        <td
          key={column.name}
          role="cell"
          className={column.kind}
          data-label={headOf(column.name)}
          data-name={at === 0 ? "" : undefined}
        >
          <Cell value={row[column.name]} column={column} show={show} />
        </td>
      ))}
    </tr>
  );
}

/** One page of rows. `first` is how many rows come before it. */
export function Sheet(
  props: Props & {
    first: number;
    count: number;
    isStacked: boolean;
    /** Is told how many rows a picture in the corner has room for. */
    onFit(count: number): void;
  },
) {
  const { title, columns, rows, order, sort, show, onSort, first, count, isStacked } = props;
  const body = useFit<HTMLTableSectionElement>(props.onFit);
  return (
    <div className={isStacked ? "wc-cards" : "sheet"}>
      <table role="table" aria-label={title} aria-rowcount={count + 1}>
        <Head columns={columns} sort={sort} onSort={onSort} isPlain={isStacked} />
        <tbody ref={body}>
          {order.map((at, place) => (
            <Line
              key={at}
              row={rows[at] as Row}
              index={first + place + 2}
              columns={columns}
              show={show}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Rows drawn above and below what can be seen, so that a fast wheel does not outrun them.
const SPARE = 12;
/** The most that a column takes, and about what a letter and the padding of a cell do, in `em`. */
const [MOST, LETTER, PADDING] = [24, 0.6, 1.75];

/** What each column takes, in pixels. Of rows that are not drawn, the length of their texts is known. */
function widthsOf(table: HTMLTableElement, columns: readonly Column[], isWhole: boolean): number[] {
  const em = Number.parseFloat(getComputedStyle(table).fontSize);
  table.classList.add("natural");
  const widths = [...table.querySelectorAll("th")].map((one) => one.getBoundingClientRect().width);
  table.classList.remove("natural");
  return columns.map(({ width }, at) => {
    const guess = isWhole ? 0 : (width * LETTER + PADDING) * em;
    return Math.min(Math.max(widths[at] ?? 0, guess), MOST * em);
  });
}

/** A variable, so that the sheet can leave it out while natural widths are measured. */
const lengthOf = (width = 0) => ({ "--width": width ? `${width}px` : "auto" }) as CSSProperties;

/** Whether there is more of a region beyond its end; from right to left it scrolls below zero. */
const isCutOff = ({ scrollLeft, clientWidth, scrollWidth }: HTMLElement) =>
  Math.abs(scrollLeft) + clientWidth < scrollWidth - 1;

export function Scroll(props: Props) {
  const { title, columns, rows, order, sort, show, onSort } = props;
  const region = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLTableElement>(null);
  const [top, setTop] = useState(0);
  const [size, setSize] = useState({ row: 38, view: 600 });
  const [isCut, setCut] = useState(false);
  const [widths, setWidths] = useState<readonly number[]>([]);

  useLayoutEffect(() => {
    const { current: element } = region;
    const { current: table } = sheet;
    if (!element || !table) return;
    const measure = () => {
      const drawn = table.querySelectorAll<HTMLElement>("tbody tr[role]");
      setSize({ row: drawn[0]?.getBoundingClientRect().height || 38, view: element.clientHeight });
      const isWhole = drawn.length === rows.length;
      setWidths(spread(widthsOf(table, columns, isWhole), element.clientWidth));
    };
    const watch = new ResizeObserver(() => setTimeout(measure));
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [rows, columns, show]);
  useLayoutEffect(() => {
    if (region.current) setCut(isCutOff(region.current));
  }, [widths]);
  // A new order starts at its first row.
  useLayoutEffect(() => {
    if (region.current) region.current.scrollTop = 0;
    setTop(0);
  }, [order]);

  const first = Math.max(0, Math.min(top - SPARE, order.length - 1));
  const last = Math.min(order.length, top + Math.ceil(size.view / size.row) + SPARE);
  const onScroll = (event: UIEvent<HTMLElement>) => {
    // In steps: what is drawn changes once for several rows.
    const at = Math.floor(event.currentTarget.scrollTop / size.row);
    setCut(isCutOff(event.currentTarget));
    setTop(Math.floor(at / 4) * 4);
  };
  const isPinned = (columns[0]?.width ?? 0) <= 18;
  return (
    <section
      className={`scroll${isCut ? " cut" : ""}${isPinned ? " pinned" : ""}`}
      ref={region}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      aria-label={title}
    >
      <table
        role="table"
        aria-label={title}
        aria-rowcount={order.length + 1}
        ref={sheet}
        style={lengthOf(widths.reduce((sum, one) => sum + one, 0))}
      >
        <colgroup>
          {columns.map(({ name }, at) => (
            <col key={name} style={lengthOf(widths[at])} />
          ))}
        </colgroup>
        <Head columns={columns} sort={sort} onSort={onSort} />
        <tbody>
          <tr aria-hidden="true" className="space">
            <td style={{ height: `${first * size.row}px` }} colSpan={columns.length} />
          </tr>
          {order.slice(first, last).map((at, place) => (
            <Line
              key={at}
              row={rows[at] as Row}
              index={first + place + 2}
              columns={columns}
              show={show}
            />
          ))}
          <tr aria-hidden="true" className="space">
            <td
              style={{ height: `${(order.length - last) * size.row}px` }}
              colSpan={columns.length}
            />
          </tr>
        </tbody>
      </table>
    </section>
  );
}
