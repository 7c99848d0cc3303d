// Payloads: how text, base64 and JSON are taken out of a result, within bounds. Bounds are tested
// before the work they bound: size before decoding, depth before parsing.

import { Fault, get, isObject, type Members } from "./value.js";

/** Maximum bytes of one payload, before decoding. */
export const BYTES = 4 * 1024 * 1024;
/** The deepest nesting of objects and lists. */
const DEPTH = 100;

const TOO_LARGE = "the payload is larger than 4 MiB";
const TOO_DEEP = "the payload is nested deeper than 100 levels";

const encoder = new TextEncoder();

/** The length in UTF-8, or any length beyond the bound. */
const size = (text: string): number =>
  text.length > BYTES ? text.length : encoder.encode(text).length;

export const checkSize = (text: string, at: string): void => {
  if (size(text) > BYTES) throw new Fault(at, TOO_LARGE);
};

/** A member that is a text and not empty. */
export const filled = (resource: unknown, name: string): string | undefined => {
  const text = get(resource, name);
  return typeof text === "string" && text !== "" ? text : undefined;
};

/** The text of a resource, from `text` or `blob`, and where it was. */
export const textOf = (resource: Members, at: string): [text: string, at: string] => {
  const text = filled(resource, "text");
  if (text !== undefined) {
    checkSize(text, `${at}/text`);
    return [text, `${at}/text`];
  }
  const blob = filled(resource, "blob");
  if (blob === undefined) throw new Fault(at, "the resource has neither text nor blob");
  const bytes = base64(blob, `${at}/blob`);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return [decoder.decode(bytes), `${at}/blob`];
  } catch {
    throw new Fault(`${at}/blob`, "the blob is not UTF-8");
  }
};

/** The bytes of base64 in either alphabet, padded or not, with or without line breaks. */
export const base64 = (text: string, at: string): Uint8Array => {
  checkSize(text, at);
  const plain = text
    .replace(/[ \t\n\f\r]/g, "")
    .replaceAll("-", "+")
    .replaceAll("_", "/");
  let end = plain.length;
  while (plain[end - 1] === "=") end--;
  try {
    if (end > 0) return Uint8Array.from(atob(plain.slice(0, end)), (byte) => byte.charCodeAt(0));
  } catch {}
  throw new Fault(at, "the base64 is invalid or empty");
};

/** The JSON object that a text holds. */
export const objectOf = (text: string, at: string): Members => {
  if (textDepth(text) > DEPTH) throw new Fault(at, TOO_DEEP);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  if (value === undefined || !isPortable(value)) throw new Fault(at, "the payload is not JSON");
  if (!isObject(value)) throw new Fault(at, "the payload is not an object");
  return value;
};

/** Whether other JSON parsers accept it: no infinite number, no lone surrogate. */
const isPortable = (value: unknown): boolean => {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value === "string") return !/\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.every(isPortable);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([key, inner]) => isPortable(key) && isPortable(inner));
};

/** How deep the brackets of a text go, whether or not it is JSON. */
const textDepth = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (isQuoted && char === "\\") index++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth = Math.max(0, depth - 1);
  }
  return deepest;
};

/**
 * Checks that a value that came parsed is within the bounds. Its size is that of its texts and keys,
 * and one for each value; not its length as JSON, because languages print numbers differently.
 */
export const checkBounds = (value: unknown, at: string): void => {
  let left = BYTES;
  const take = (bytes: number) => {
    left -= bytes;
    if (left < 0) throw new Fault(at, TOO_LARGE);
  };
  const spend = (inner: unknown, depth: number): void => {
    take(1);
    if (typeof inner === "string") take(size(inner));
    else if (typeof inner === "object" && inner !== null) {
      if (depth === 0) throw new Fault(at, TOO_DEEP);
      if (Array.isArray(inner)) for (const item of inner) spend(item, depth - 1);
      else
        for (const [key, item] of Object.entries(inner)) {
          take(size(key));
          spend(item, depth - 1);
        }
    }
  };
  spend(value, DEPTH);
};
