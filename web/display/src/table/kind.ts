// What is in a column, and in a cell. Kinds come from the values, because columns have only names.

import { timeOf } from "@widgetcast/i18n";
import { records } from "../part/list";
import { siteOf, webUrl } from "../part/url";

export type Kind = "number" | "date" | "boolean" | "link" | "json" | "text";
export type Row = Record<string, unknown>;

/** Rows without a prototype: `constructor` and `__proto__` are names of columns like any other. */
export const rowsOf = (value: unknown): Row[] =>
  records(value).map((row) => Object.assign(Object.create(null), row));

export interface Column {
  name: string;
  kind: Kind;
  /** In characters; an estimate of what its content needs. */
  width: number;
}

export const isMissing = (value: unknown): boolean =>
  value === null || value === undefined || value === "";

// A currency or a unit around a number, such as `$1,200.50`, `12 %`, `-3.5 kg`.
const AMOUNT =
  /^([-+−]?)\s?([$€£¥₹]?)\s?([-+−]?)(\d{1,3}(?:[ ,'’\u202f\u00a0]\d{3})+|\d+)(?:\.(\d+))?\s?([$€£¥₹%]|[a-zA-Z°µ/²³]{1,4})?$/;

/** The number in a value that is one, or that is written like one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string") return undefined;
  const found = AMOUNT.exec(value.trim());
  if (!found) return undefined;
  const [, before, , after, whole = "", part = ""] = found;
  const size = Number(`${whole.replace(/\D/g, "")}.${part || 0}`);
  return /[-−]/.test(`${before}${after}`) ? -size : size;
}

export function kindOf(value: unknown): Kind {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "object") return "json";
  if (timeOf(value) !== undefined) return "date";
  if (numberOf(value) !== undefined) return "number";
  return webUrl(value) ? "link" : "text";
}

/** The kind of all values of a column, or text where they differ. */
function kindOfColumn(rows: readonly Row[], name: string): Kind {
  let kind: Kind | undefined;
  for (const row of rows) {
    const value = row[name];
    if (isMissing(value)) continue;
    const own = kindOf(value);
    if (kind && own !== kind) return "text";
    kind = own;
  }
  return kind ?? "text";
}

const SAMPLE = 200;

export function columnsOf(names: readonly string[], rows: readonly Row[]): Column[] {
  // Duplicate names would be the same column twice, with duplicate keys.
  return [...new Set(names)].map((name) => {
    const kind = kindOfColumn(rows, name);
    let width = name.length + 3;
    for (const row of rows.slice(0, SAMPLE)) {
      const url = kind === "link" ? webUrl(row[name]) : undefined;
      width = Math.max(width, (url ? siteOf(url) : plain(row[name])).length + 2);
    }
    return { name, kind, width: Math.min(Math.max(width, 7), 36) };
  });
}

/** A value as text that a program can read back. */
export const plain = (value: unknown): string =>
  isMissing(value) ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
