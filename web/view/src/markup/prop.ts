// Readers for values that are not validated. None of them throws; a value of the wrong type
// reads as absent.

import type { ComponentProps } from "./component-props";

export type Props = Record<string, unknown>;
/** The props of a component: their names are those of the table, their values are not checked. */
export type Given<K extends keyof ComponentProps> = { [P in keyof ComponentProps[K]]?: unknown };

export function record(value: unknown): Props | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Props)
    : undefined;
}

/** A payload as an object, whatever it is. */
export function payloadOf(value: unknown): Props {
  return record(value) ?? (value == null ? {} : { value });
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

// Templates often print numbers where a text is wanted, so numbers and booleans read as text.
export function text(value: unknown): string {
  return /^(string|number|boolean)$/.test(typeof value) ? String(value) : "";
}

export function number(value: unknown, low: number, high: number): number | undefined {
  const n = typeof value === "string" && value.trim() ? Number(value) : value;
  return typeof n === "number" && Number.isFinite(n) ? Math.min(high, Math.max(low, n)) : undefined;
}

/** The text, if it is one of those. */
export function match(value: unknown, known: RegExp): string | undefined {
  const written = text(value).trim();
  return known.test(written) ? written : undefined;
}

/** The row of a table, if the key is one of its own. */
export function pick<T>(table: Record<string, T>, key: unknown): T | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** A class for a choice, ` wc-s-lg`; the style sheet decides which choices there are. */
export function choice(kind: string, value: unknown, fallback = ""): string {
  const name = typeof value === "string" && /^\w+$/.test(value) ? value : fallback;
  return name && ` wc-${kind}-${name}`;
}

/** A class for each prop that is true: ` wc-pill wc-block`. */
export function flags(props: Props, ...names: string[]): string {
  return names.map((name) => (props[name] === true ? ` wc-${name}` : "")).join("");
}

/** `booking.arrival_date` as words, for a field that no label names. */
export function words(name: string): string {
  const spaced = (name.split(".").pop() ?? "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** The day of a date, `2026-03-09`, whatever follows it. */
export const day = (value: unknown) => /^\d{4}-\d\d-\d\d/.exec(text(value))?.[0] ?? "";

/** A number with its sign, currency and unit. `2 Feb` is a date. */
const FIGURE =
  /^[-+−±]?\s?([A-Z]{0,3}\p{Sc}|[A-Z]{3}\s)?\s?[-+−]?(\d{1,3}([ ,.'’\u202f\u00a0]\d{3})+|\d{1,2}(,\d\d)+,\d{3}|\d+)([.,]\d+)?\s?([%‰]|\p{Sc}|(?!\p{Lu}\p{Ll}\p{Ll}$)[\p{L}°/²³]{1,4})?$/u;
export const isFigure = (text: string) => FIGURE.test(text);

/** Whether the first letter is of a script that is written from right to left, as in the outline of the other surfaces. */
export function isFromRight(words: unknown): boolean | undefined {
  const [letter] = /\p{L}/u.exec(`${words}`) ?? [];
  return letter === undefined
    ? undefined
    : /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter);
}
