// Languages: the words of a page, and numbers and dates by Intl. It touches no document.

export const LANGUAGES = ["en", "de", "fr", "es", "ar", "he", "ja"] as const;

/** One row per phrase, in the order of `LANGUAGES`; `one|many` where the count changes the words. */
export type Words = Record<
  string,
  readonly [string, string, string, string, string, string, string]
>;

export type Say<W extends Words> = (
  key: keyof W,
  values?: Record<string, string | number>,
) => string;

/** Falls back to English for a language that has no words, or that is none. */
export function languageOf(locale: string): number {
  const wanted = locale.toLowerCase().split(/[-_]/)[0] ?? "";
  // `iw` is the old code for Hebrew that some systems still send.
  const found = LANGUAGES.indexOf((wanted === "iw" ? "he" : wanted) as "en");
  return Math.max(found, 0);
}

/** A locale that Intl accepts; `en` if the given one is malformed. */
export function safeLocale(locale: unknown): string {
  try {
    return new Intl.Locale(String(locale).replace(/_/g, "-")).toString();
  } catch {
    return "en";
  }
}

export const directionOf = (locale: string): "ltr" | "rtl" =>
  /^(ar|he|iw|fa|ur|ps|sd|ug|yi|dv|ckb)\b/i.test(locale) ? "rtl" : "ltr";

/**
 * The tool's locale, unless it is `en`: that is also the default of the tools, and then the
 * host knows better.
 */
export const chooseLocale = (told: unknown, host: string): string =>
  safeLocale(typeof told === "string" && told && told !== "en" ? told : host);

export function speaker<W extends Words>(words: W, locale: string): Say<W> {
  const language = languageOf(locale);
  const number = new Intl.NumberFormat(locale);
  const plural = new Intl.PluralRules(LANGUAGES[language]);
  return (key, values = {}) => {
    const row = words[key] as Words[string];
    const [one = "", many = one] = (row[language] ?? row[0]).split("|");
    const count = typeof values.n === "number" ? values.n : 2;
    const phrase = plural.select(count) === "one" ? one : many;
    return phrase.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? "";
      return typeof value === "number" ? number.format(value) : value;
    });
  };
}

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
