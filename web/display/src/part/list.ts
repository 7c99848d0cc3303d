// Reads what a tool gave. Data is untrusted: what has another shape is ignored.

export type Fields = Record<string, unknown>;

export const isRecord = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const records = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Text of a field; a number counts as text, an empty string as none. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === "number" || (typeof value === "string" && value.trim())
    ? String(value)
    : undefined;

export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((one) => textOf(one) ?? []) : [];
