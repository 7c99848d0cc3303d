import { plain, type Row } from "./kind";

/** A spreadsheet would run these as a formula; a leading apostrophe makes them text. */
const FORMULA = /^[=@\t\r]|^[+-](?![\d.,\s]*$)/;

function field(value: unknown): string {
  const text = plain(value);
  const safe = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180: a head, commas, quotes where needed, CRLF. */
export const csv = (names: readonly string[], rows: readonly Row[]): string =>
  [names.map(field), ...rows.map((row) => names.map((name) => field(row[name])))]
    .map((fields) => `${fields.join(",")}\r\n`)
    .join("");
