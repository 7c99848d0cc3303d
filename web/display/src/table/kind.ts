// What is in a column, and in a cell. Kinds come from the values, because columns have only names.

import { timeOf } from "@widgetcast/i18n";
import { isFigure } from "../../../view/src/markup/prop";
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

/** The number in a value that is one, or that is written like one. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "string" || !isFigure(value.trim())) return undefined;
  const [digits = ""] = /\d.*\d|\d/.exec(value) ?? [];
  // The last sign is the decimal one, unless it is there more than once or before three digits after a comma.
  const [, whole = "", sign = "", part = ""] = /^(.*)([.,])(\d+)$/.exec(digits) ?? [];
  const isGroup = whole.includes(sign) || (sign === "," && part.length === 3 && !/\D/.test(whole));
  const size =
    sign && !isGroup
      ? Number(`${whole.replace(/\D/g, "")}.${part}`)
      : Number(digits.replace(/\D/g, ""));
  return /^\D*[-−]/.test(value) ? -size : size;
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
