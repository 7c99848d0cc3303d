// What the reader gives: plain values, which each page prints in its own way.

export type Inline =
  | string
  | { type: "code"; text: string }
  | { type: "strong" | "em" | "del"; children: Inline[] }
  /** Its address is one that `isLink` accepts, and no link is among its children. */
  | { type: "link"; url: string; children: Inline[] }
  /** Its address is as written: each page decides what it may load. */
  | { type: "image"; url: string; children: Inline[] }
  | { type: "break" };

export type Align = "start" | "center" | "end";

export interface Item {
  /** Whether a task is done; undefined if the item is no task. */
  done: boolean | undefined;
  children: Block[];
}

export type Block =
  | { type: "heading"; level: number; children: Inline[] }
  | { type: "paragraph"; children: Inline[] }
  | { type: "code"; language: string; text: string }
  | { type: "quote"; children: Block[] }
  /** `start` is undefined for bullets; a loose list has blank lines between its items. */
  | { type: "list"; start: number | undefined; loose: boolean; items: Item[] }
  /** A row may have fewer cells than there are columns, never more; not every column has an alignment. */
  | { type: "table"; aligns: (Align | undefined)[]; head: Inline[][]; rows: Inline[][][] }
  | { type: "rule" };
