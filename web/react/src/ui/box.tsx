/** @jsxImportSource react */
// Boxes and what separates them, tables.

import { translate } from "@widgetcast/i18n";
import { table } from "@widgetcast/i18n/view";
import {
  Children,
  createContext,
  Fragment,
  type HTMLAttributes,
  isValidElement,
  type ReactNode,
  type TdHTMLAttributes,
  useContext,
} from "react";
import * as markup from "../../../view/src/markup/box";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import * as grid from "../../../view/src/markup/table";
import { renderText } from "../../../view/src/markup/text";
import { rooted, useSurroundings } from "./root";
import { type BlockProps, type Color, type Line, nativeOf, type Sides, type Space } from "./token";

type Native<E> = Omit<HTMLAttributes<E>, "color">;

export interface BoxProps
  extends BlockProps,
    Pick<ComponentProps["Box"], "align" | "justify" | "wrap" | "gap">,
    Native<HTMLDivElement> {
  padding?: Space | Sides<Space> | undefined;
  border?: number | Line | Sides<number | Line> | undefined;
  background?: Color | undefined;
}

function useBox(type: string, { children, ...props }: BoxProps, ref: unknown) {
  const { dark } = useSurroundings();
  const look = markup.boxLook(type, { ...props }, dark);
  return markup.renderBox(look, children, { ...nativeOf(props), ref });
}

/** Children side by side. */
export const Row = /* @__PURE__ */ rooted<HTMLDivElement, BoxProps>("Row", (props, ref) =>
  useBox("Row", props, ref),
);

/** Children one below the other. */
export const Col = /* @__PURE__ */ rooted<HTMLDivElement, BoxProps>("Col", (props, ref) =>
  useBox("Col", props, ref),
);

/** A box without a gap, in either direction. */
export const Box = /* @__PURE__ */ rooted<
  HTMLDivElement,
  BoxProps & Pick<ComponentProps["Box"], "direction">
>("Box", (props, ref) => useBox("Box", props, ref));

export interface DividerProps
  extends Pick<ComponentProps["Divider"], "size" | "spacing" | "flush">,
    Native<HTMLHRElement> {
  color?: Color | "default" | "subtle" | "strong" | undefined;
}

export const Divider = /* @__PURE__ */ rooted<HTMLHRElement, DividerProps>(
  "Divider",
  (props, ref) => markup.renderDivider({ ...props }, { ...nativeOf(props), ref }),
);

export interface SpacerProps
  extends Pick<ComponentProps["Spacer"], "minSize">,
    Native<HTMLDivElement> {}

/** Takes the free space of a row or a column. */
export const Spacer = /* @__PURE__ */ rooted<HTMLDivElement, SpacerProps>("Spacer", (props, ref) =>
  markup.renderSpacer({ ...props }, { ...nativeOf(props), ref }),
);

export interface TransitionProps {
  /** The name of the content; a new name fades in. */
  name: string;
  children?: ReactNode;
}

export const Transition = /* @__PURE__ */ rooted<never, TransitionProps>(
  "Transition",
  ({ name, children }) => <markup.Fade name={name}>{children}</markup.Fade>,
);

type Cell = ComponentProps["Table.Cell"];
type CellLook = Pick<Cell, "align" | "width" | "colSize">;

/** A column of a table: the key of the row to show, and how to show it. */
export interface Column<R> extends CellLook {
  key: Extract<keyof R, string> | (string & {});
  /** The column header; defaults to the key. */
  label?: ReactNode;
  /** Renders a cell; defaults to the value as text. */
  render?: ((row: R, index: number) => ReactNode) | undefined;
}

export interface TableProps<R> extends Omit<HTMLAttributes<HTMLElement>, "color"> {
  columns?: readonly Column<R>[] | undefined;
  rows?: readonly R[] | undefined;
  /** The React key of a row; defaults to its index. */
  rowKey?: ((row: R, index: number) => string | number) | undefined;
  /** The accessible name. */
  label?: string | undefined;
  /** Your own rows, `TableRow` with `TableCell`, instead of columns and rows. */
  children?: ReactNode;
}

/** The content of a cell. Text is styled; booleans, null and undefined render nothing, as in React. */
const words = (content: ReactNode) =>
  typeof content === "string" || typeof content === "number"
    ? renderText({ size: "sm" }, String(content))
    : content;

/** A member of a row is data: what is missing shows as such, and a boolean by its name. */
const memberOf = (row: object, key: string): ReactNode => {
  const value = (row as Record<string, ReactNode>)[key] ?? "–";
  return typeof value === "boolean" ? String(value) : value;
};

function rowsOf<R extends object>({ columns = [], rows = [], rowKey }: TableProps<R>) {
  const cell = (column: Column<R>, head: boolean, content: ReactNode) => (
    <Fragment key={column.key}>{grid.renderCell({ ...column }, head, words(content))}</Fragment>
  );
  const head = columns.map((column) => cell(column, true, column.label ?? column.key));
  const body = rows.map((row, at) => {
    const cells = columns.map((column) =>
      cell(column, false, column.render ? column.render(row, at) : memberOf(row, column.key)),
    );
    return <Fragment key={rowKey?.(row, at) ?? at}>{grid.renderRow(false, cells)}</Fragment>;
  });
  return [grid.renderRow(true, head), body] as const;
}

/** Splits custom rows into leading `header` rows and the rest. */
function split(children: ReactNode) {
  const all = Children.toArray(children);
  const first = all.findIndex(
    (row) => !isValidElement<{ header?: boolean }>(row) || row.props.header !== true,
  );
  const head = all.splice(0, first < 0 ? all.length : first);
  return [head.length > 0 && head, all] as const;
}

interface TableComponent {
  <R extends object>(props: TableProps<R>): ReactNode;
  displayName?: string;
}

/** A table. It scrolls horizontally if it is too wide. */
export const Table = /* @__PURE__ */ rooted<HTMLElement, TableProps<object>>(
  "Table",
  ({ columns, rows, rowKey, label, children, ...props }, ref) => {
    const { locale } = useSurroundings();
    const [head, body] = columns ? rowsOf({ columns, rows, rowKey }) : split(children);
    return (
      <grid.Table
        label={label ?? translate(table, locale)}
        locale={locale}
        head={head}
        rows={body}
        span={columns?.length ?? 1}
        native={{ ...nativeOf(props), ref }}
      />
    );
  },
) as TableComponent;

const Head = /* @__PURE__ */ createContext(false);

export interface TableRowProps
  extends Pick<ComponentProps["Table.Row"], "header">,
    HTMLAttributes<HTMLTableRowElement> {}

export const TableRow = /* @__PURE__ */ rooted<HTMLTableRowElement, TableRowProps>(
  "TableRow",
  ({ header = false, children, ...props }, ref) => (
    <Head.Provider value={header}>
      {grid.renderRow(header, children, { ...nativeOf(props), ref })}
    </Head.Provider>
  ),
);

export interface TableCellProps
  extends CellLook,
    Omit<TdHTMLAttributes<HTMLTableCellElement>, "align" | "width"> {
  vAlign?: Cell["vAlign"];
  padding?: Space | Sides<Space> | undefined;
}

export const TableCell = /* @__PURE__ */ rooted<HTMLTableCellElement, TableCellProps>(
  "TableCell",
  ({ children, ...props }, ref) =>
    grid.renderCell({ ...props }, useContext(Head), words(children), { ...nativeOf(props), ref }),
);
