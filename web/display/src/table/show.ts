// Values as users of a locale read them.

import { dateText } from "@widgetcast/i18n";
import { type Column, isMissing, plain, type Row } from "./kind";

export type Show = (value: unknown, column: Column) => string;

// Numbers that name something are not grouped: the year 2026 is not 2,026.
const NAMING =
  /(^|[^a-z])(id|year|zip|code|no|nr|isbn|plz|jahr|année|año|postcode|phone)s?($|[^a-z])/i;

export function shower(
  columns: readonly Column[],
  rows: readonly Row[],
  locale: string,
  words: { yes: string; no: string },
  timeZone?: string,
): Show {
  const formats = new Map(
    columns
      .filter(({ kind }) => kind === "number")
      .map(({ name }) => {
        const digits = decimals(rows, name);
        return [
          name,
          new Intl.NumberFormat(locale, {
            useGrouping: !NAMING.test(name),
            minimumFractionDigits: digits <= 2 ? digits : 0,
            maximumFractionDigits: Math.min(digits, 6),
          }),
        ];
      }),
  );
  const other = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
  return (value, { name, kind }) => {
    if (isMissing(value)) return "–";
    if (typeof value === "boolean") return value ? words.yes : words.no;
    if (typeof value === "number") return (formats.get(name) ?? other).format(value);
    if (kind === "date") return dateText(String(value), locale, timeZone);
    return plain(value);
  };
}

/** The most decimals that a column has, so that its points stand below each other. */
function decimals(rows: readonly Row[], name: string): number {
  let most = 0;
  for (const row of rows) {
    const value = row[name];
    if (typeof value === "number" && !Number.isInteger(value))
      most = Math.max(most, String(value).split(".")[1]?.length ?? 0);
  }
  return most;
}
