// Dates and times by Intl.

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const STAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** The time of an ISO date, or nothing. A date without a time is one in every time zone. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== "string" || !(DAY.test(value) || STAMP.test(value))) return undefined;
  const time = Date.parse(value.replace(" ", "T"));
  return Number.isNaN(time) ? undefined : time;
}

// Cached: creating a formatter takes longer than drawing a row.
const formats = new Map<string, Intl.DateTimeFormat>();

export function dateText(value: string, locale: string, timeZone?: string): string {
  const time = timeOf(value);
  if (time === undefined) return value;
  const isDay = DAY.test(value);
  const key = `${locale} ${isDay} ${timeZone}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      dateStyle: "medium",
      ...(isDay ? { timeZone: "UTC" } : { timeStyle: "short", ...(timeZone && { timeZone }) }),
    });
  formats.set(key, format);
  return format.format(time);
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
];

/** “2 hours ago” for the last week, a date before; what is no date stays as it was written. */
export function agoText(value: string, locale: string, now = Date.now()): string {
  const time = timeOf(value);
  if (time === undefined) return value;
  const seconds = (time - now) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return dateText(value, locale);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const [unit, size] =
    UNITS.findLast(([, size]) => Math.abs(seconds) >= size) ?? (UNITS[0] as (typeof UNITS)[0]);
  return format.format(Math.trunc(seconds / size), unit);
}
