// Commands and the values they are called with: what a message calls, and what it lacks. It touches no
// document.

import { blank, type Dict, field, isDict, type Json, type Schema } from "@widgetcast/schema";
import type { Command } from "./protocol";

export interface Call {
  name: string;
  values: Dict;
}

/** The call in a message that is a command: with values as JSON or as `name=value`, or with none. */
export function callOf(text: string): Call | undefined {
  const [, name, rest = ""] = /^\/(\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (!name) return undefined;
  try {
    const values: Json = JSON.parse(rest);
    if (isDict(values)) return { name, values };
  } catch {
    // Written by hand.
  }
  const pairs = [...rest.matchAll(/([\w.-]+)=(?:"([^"]*)"|'([^']*)'|(\S+))/g)];
  const values = Object.fromEntries(pairs.map(([, key, ...value]) => [key, value.join("")]));
  return { name, values: pairs.length || !rest ? values : { text: rest } };
}

/** As the server reads it. */
export const messageOf = ({ name, values }: Call): string => `/${name} ${JSON.stringify(values)}`;

/** The schema of a command that needs more values than it is given. */
export function schemaOf({ inputSchema }: Command, given: Dict = {}): Schema | undefined {
  const schema = inputSchema as Json | undefined;
  const required = isDict(schema) && Array.isArray(schema.required) ? schema.required : [];
  // A text without names is for the one value that there is.
  const lacks = (name: Json) => !Object.hasOwn(given, String(name)) && !("text" in given);
  return required.some(lacks) ? (schema as Schema) : undefined;
}

/** The values that a form begins with: no number or choice that its user has not made. */
export function begin(schema: Schema): Dict {
  const values = { ...(blank(schema, schema) as Dict) };
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const one = field(inner, schema);
    if (one.schema.default === undefined && /^(number|enum)$/.test(one.kind)) delete values[name];
  }
  return values;
}

/** A call in a few words: its first short texts, else its numbers; not what is for programs. */
export function brief(values: Dict): string {
  const isTold = ([name, value]: [string, Json]) =>
    /^(?!\w+:\S)\s*\S/.test(`${value}`) && `${value}`.length < 41 && !/(^|[_-])id$|Id$/.test(name);
  const told = Object.entries(values).filter(isTold);
  const of = (type: string) => told.flatMap(([, value]) => (typeof value === type ? [value] : []));
  const [first] = [of("string"), of("number")].filter(({ length }) => length > 0);
  return (first ?? []).slice(0, 2).join(" · ");
}

/** A title that tells conversations about one command apart; none if its values do not. */
export function titleOf({ title, name }: Command, values: Dict): string | undefined {
  const told = brief(values);
  return told && `${title || name}: ${told}`.slice(0, 80);
}
