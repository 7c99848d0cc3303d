// Links that restore a widget, its data, the hosts and the conditions: `#/name?play=…`, where the rest is
// JSON in base64url. What another process wrote is bounded and checked before it is used.

import { type Dict, isDict, type Json } from "@widgetcast/schema";
import { type Play, readPlay, writePlay } from "./play";

/** Longer links are cut by programs that people paste them into. */
export const MAX_LINK = 16_000;

export interface Place {
  name: string;
  /** The rest of the link, if there is one. */
  play: string | undefined;
}

/** What the part of an address after `#` names. */
export function placeOf(hash: string): Place | undefined {
  const [, part, play] = /^#\/([^?]+)(?:\?play=(.*))?$/s.exec(hash) ?? [];
  if (part === undefined) return undefined;
  try {
    return { name: decodeURIComponent(part), play };
  } catch {
    return { name: part, play };
  }
}

export const hashOf = (name: string): string => `#/${encodeURIComponent(name)}`;

/** The part of an address after `#`; nothing if it would be too long. `input` is absent for the sample. */
export function writeLink(name: string, input: Json | undefined, play: Play): string | undefined {
  const value: Dict = { ...(input === undefined ? {} : { input }), ...writePlay(play) };
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const word = text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return word.length > MAX_LINK ? undefined : `${hashOf(name)}?play=${word}`;
}

/** Reads a link; the error says what is wrong with it. */
export function readLink(word: string): { input: Dict | undefined; play: Play } {
  if (word.length > MAX_LINK) throw new Error("it is too long");
  if (!/^[\w-]+$/.test(word)) throw new Error("it is damaged");
  let value: Json;
  try {
    const text = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Error("it is damaged");
  }
  if (!isDict(value)) throw new Error("it is damaged");
  const { input, ...rest } = value;
  if (input !== undefined && !isDict(input)) throw new Error("its data is not an object");
  return { input, play: readPlay(rest) };
}
