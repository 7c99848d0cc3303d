// Which language a page speaks, in which direction, and its texts. It touches no document.

export const LANGUAGES = ["en", "de", "fr", "es", "ar", "he", "ja"] as const;

/** One text in the order of `LANGUAGES`; `one|many` where it depends on the count `n`. */
export type Text = readonly [string, string, string, string, string, string, string];
export type Words = Record<string, Text>;
type Values = Record<string, string | number>;
export type Say<W extends Words> = (key: keyof W, values?: Values) => string;

/** Falls back to English for a language without texts, and for a malformed locale. */
export function languageOf(locale: string): number {
  // A host may send anything.
  const wanted = String(locale).toLowerCase().split(/[-_]/)[0] ?? "";
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

export function directionOf(locale = ""): "rtl" | "ltr" {
  // A script that is named says more than the language: Latn, Arab, Aran, Hebr.
  return /^(ar|ckb|dv|fa|he|iw|ps|sd|ug|ur|yi)\b(?!-lat)|-(ara|heb)/i.test(locale) ? "rtl" : "ltr";
}

/**
 * The tool's locale, unless it is `en`: that is also the default of the tools, and then the
 * host knows better.
 */
export const chooseLocale = (told: unknown, host: string): string =>
  safeLocale(typeof told === "string" && told && told !== "en" ? told : host);

/** The text as it is written, its places not filled. */
export const translate = (text: Text, locale = ""): string => text[languageOf(locale)] ?? text[0];

export function say(text: Text, locale: string, values: Values = {}): string {
  const [one = "", many] = translate(text, locale).split("|");
  const plural = new Intl.PluralRules(LANGUAGES[languageOf(locale)]);
  const isMany = many && plural.select(Number(values.n)) !== "one";
  return (isMany ? many : one).replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? value.toLocaleString(safeLocale(locale)) : value;
  });
}

export const speaker =
  <W extends Words>(words: W, locale: string): Say<W> =>
  (key, values) =>
    say(words[key] as Text, locale, values);
