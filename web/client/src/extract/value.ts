// Reads values that are not validated.

/** Why a part of a result is not shown, or may not be shown as intended. */
export interface Reason {
  /** A JSON pointer into the result; for JSON in a string, followed by `#` and a second pointer. */
  pointer: string;
  message: string;
}

/** A reason, thrown where it was found and collected by `Found.attempt`. */
export class Fault extends Error {
  constructor(
    readonly pointer: string,
    message: string,
  ) {
    super(message);
  }
}

export type Members = Record<string, unknown>;

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An own member; null is the same as absent. */
export const get = (of: unknown, name: string): unknown =>
  isObject(of) && Object.hasOwn(of, name) ? (of[name] ?? undefined) : undefined;

/** The first of these members that is there, with its name. */
export const member = (of: unknown, ...names: string[]): [name: string, value: unknown] | [] => {
  for (const name of names) {
    const value = get(of, name);
    if (value !== undefined) return [name, value];
  }
  return [];
};

/** The same, if it is a text. */
export const textMember = (of: unknown, ...names: string[]): string | undefined => {
  const [, value] = member(of, ...names);
  return typeof value === "string" ? value : undefined;
};

/** Lower case as for names of the protocol: letters beyond ASCII stay as they are. */
export const lower = (text: string): string =>
  text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const trim = (text: string): string => text.replace(/^[ \t\n\f\r]+|[ \t\n\f\r]+$/g, "");
