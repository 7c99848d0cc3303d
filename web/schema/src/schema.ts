// From a JSON Schema to the fields of a form. The server alone decides what is valid; this only
// decides which control is the most useful. What has no good control is edited as JSON.

import { type Dict, has, isDict, type Json, same } from "./value";

export type Schema = Dict;

interface Common {
  schema: Schema;
  title?: string;
  description?: string;
  nullable: boolean;
}
export type Text = Common & { kind: "text"; input: Input; long: boolean };
export type Numeric = Common & { kind: "number"; whole: boolean };
export type Flag = Common & { kind: "flag" };
export type Options = Common & { kind: "enum"; values: Json[] };
export type Fixed = Common & { kind: "const"; value: Json };
export type Group = Common & { kind: "object"; members: Member[]; open: boolean };
export type List = Common & { kind: "array"; items: Schema };
export type Choice = Common & { kind: "choice"; options: { label: string; schema: Schema }[] };
export type Raw = Common & { kind: "json" };
export type Field = Text | Numeric | Flag | Options | Fixed | Group | List | Choice | Raw;
export type Input = "text" | "email" | "url" | "date" | "time" | "datetime";
export interface Member {
  name: string;
  schema: Schema;
  required: boolean;
}

const INPUTS: Record<string, Input> = {
  email: "email",
  "idn-email": "email",
  uri: "url",
  iri: "url",
  date: "date",
  time: "time",
  "date-time": "datetime",
};
/** What a value without a schema may be; most are texts. */
const ANY = ["string", "number", "boolean", "array", "object"];
/** What a schema may say about any value. */
const ABOUT = ["title", "description", "default", "examples"];
const MERGED = ["properties", "required", "allOf", "$ref"];
const DEEPEST = 12;

const dict = (value: Json | undefined): Dict => (isDict(value) ? value : {});
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const text = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

function follow(ref: string, root: Schema): Json | undefined {
  if (!ref.startsWith("#")) return undefined;
  let at: Json | undefined = root;
  for (const part of decodeURIComponent(ref.slice(1)).split("/").slice(1)) {
    const key = part.replace(/~1/g, "/").replace(/~0/g, "~");
    if (Array.isArray(at)) at = at[Number(key)];
    else if (has(at, key)) at = (at as Dict)[key];
    else return undefined;
  }
  return at;
}

function merge(a: Schema, b: Schema): Schema {
  const both: Schema = { ...a };
  for (const [key, value] of Object.entries(b)) if (!MERGED.includes(key)) both[key] = value;
  if (a.properties || b.properties)
    both.properties = { ...dict(a.properties), ...dict(b.properties) };
  if (a.required || b.required)
    both.required = [...new Set([...list(a.required), ...list(b.required)])];
  return both;
}

/** A schema without local references and with its `allOf` merged. */
export function resolve(schema: Json | undefined, root: Schema, depth = 0): Schema {
  if (!isDict(schema) || depth > DEEPEST) return {};
  let out: Schema = schema;
  if (typeof schema.$ref === "string") {
    const { $ref, ...beside } = schema;
    out = merge(resolve(follow(String($ref), root), root, depth + 1), beside);
  }
  for (const part of list(schema.allOf)) out = merge(out, resolve(part, root, depth + 1));
  return out;
}

function types(schema: Schema): string[] {
  if (typeof schema.type === "string") return [schema.type];
  return list(schema.type).filter((type) => typeof type === "string");
}

const isNull = (schema: Schema): boolean =>
  (types(schema).length === 1 && schema.type === "null") ||
  (has(schema, "const") && schema.const === null);

/** Which control a schema gets. */
export function field(given: Json | undefined, root: Schema, depth = 0): Field {
  const schema = depth > DEEPEST ? {} : resolve(given, root);
  const common: Common = { schema, nullable: false };
  const title = text(schema.title);
  const description = text(schema.description);
  if (title) common.title = title;
  if (description) common.description = description;

  if (has(schema, "const")) return { ...common, kind: "const", value: schema.const ?? null };
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.filter((value) => value !== null);
    const nullable = values.length < schema.enum.length;
    return { ...common, kind: "enum", values, nullable };
  }
  const alternatives = list(schema.oneOf ?? schema.anyOf).map((option) => resolve(option, root));
  if (alternatives.length > 0) return choice(common, alternatives, root, depth);

  const isAny =
    depth === 0 && isDict(given) && Object.keys(given).every((key) => ABOUT.includes(key));
  const known = isAny ? ANY : types(schema);
  const rest = known.filter((type) => type !== "null");
  common.nullable = rest.length < known.length;
  if (rest.length > 1) {
    const { type: _, ...beside } = schema;
    const options = rest.map((type) => ({ label: type, schema: { ...beside, type } }));
    return { ...common, kind: "choice", options };
  }
  return single(common, rest[0] ?? guess(schema));
}

function choice(common: Common, alternatives: Schema[], root: Schema, depth: number): Field {
  const { oneOf: _one, anyOf: _any, ...beside } = common.schema;
  const real = alternatives.filter((option) => !isNull(option));
  const nullable = real.length < alternatives.length;
  const whole = real.map((option) => merge(beside, option));
  const only = whole[0];
  // `anyOf: [{…}, {type: null}]` is how many generators write "optional".
  if (only && whole.length === 1) return { ...field(only, root, depth + 1), nullable };
  if (real.every((option) => has(option, "const")) && real.length > 0)
    return { ...common, kind: "enum", values: real.map((one) => one.const ?? null), nullable };
  if (whole.length === 0) return { ...common, kind: "json", nullable };
  const options = real.map((option, index) => ({
    label: label(option, root) ?? `Option ${index + 1}`,
    schema: whole[index] ?? option,
  }));
  return { ...common, kind: "choice", options, nullable };
}

/** A name for one alternative: its title, the constant that tells it apart, or its type. */
function label(schema: Schema, root: Schema): string | undefined {
  const title = text(schema.title);
  if (title) return title;
  for (const member of Object.values(dict(schema.properties))) {
    const constant = resolve(member, root).const;
    if (typeof constant === "string") return constant;
  }
  return types(schema)[0];
}

function guess(schema: Schema): string | undefined {
  if (schema.properties) return "object";
  if (schema.items) return "array";
  return undefined;
}

function single(common: Common, type: string | undefined): Field {
  const { schema } = common;
  switch (type) {
    case "string": {
      const input = INPUTS[String(schema.format)] ?? "text";
      const long = input === "text" && Number(schema.maxLength ?? 0) > 200;
      return { ...common, kind: "text", input, long };
    }
    case "number":
    case "integer":
      return { ...common, kind: "number", whole: type === "integer" };
    case "boolean":
      return { ...common, kind: "flag" };
    case "array":
      if (isDict(schema.items) && !schema.prefixItems)
        return { ...common, kind: "array", items: schema.items };
      break;
    case "object": {
      const required = new Set(list(schema.required));
      const members = Object.entries(dict(schema.properties))
        .filter(([, member]) => member !== false)
        .map(([name, member]) => ({
          name,
          schema: isDict(member) ? member : {},
          required: required.has(name),
        }));
      const open = isDict(schema.additionalProperties) || schema.patternProperties !== undefined;
      if (members.length > 0 && !open) return { ...common, kind: "object", members, open };
    }
  }
  return { ...common, kind: "json" };
}

/** A value to begin with: the default, else the least that the schema could accept. */
export function blank(schema: Json | undefined, root: Schema, depth = 0): Json {
  const one = field(schema, root);
  if (one.schema.default !== undefined) return one.schema.default;
  if (depth > DEEPEST) return null;
  switch (one.kind) {
    case "const":
      return one.value;
    case "enum":
      return one.values[0] ?? null;
    case "text":
      return "";
    case "number":
      return Math.max(0, Number(one.schema.minimum ?? 0));
    case "flag":
      return false;
    case "choice":
      return one.nullable ? null : blank(one.options[0]?.schema, root, depth + 1);
    case "array": {
      const least = Math.min(Number(one.schema.minItems ?? 0), 20);
      return Array.from({ length: least }, () => blank(one.items, root, depth + 1));
    }
    case "object":
      return Object.fromEntries(
        one.members
          .filter((member) => member.required || has(resolve(member.schema, root), "default"))
          .map((member) => [member.name, blank(member.schema, root, depth + 1)]),
      );
    case "json":
      if (types(one.schema).includes("array")) return [];
      return types(one.schema).includes("object") ? {} : null;
  }
}

/** How well a value fits; only good enough to tell alternatives apart. Negative: not at all. */
export function fit(
  value: Json | undefined,
  schema: Json | undefined,
  root: Schema,
  depth = 0,
): number {
  if (depth > DEEPEST) return 0;
  const one = field(schema, root);
  if (value === null) return one.nullable ? 1 : -1;
  switch (one.kind) {
    case "const":
      return same(value, one.value) ? 3 : -1;
    case "enum":
      return one.values.some((known) => same(known, value)) ? 2 : -1;
    case "text":
      return typeof value === "string" ? 1 : -1;
    case "number":
      return typeof value === "number" && (!one.whole || Number.isInteger(value)) ? 1 : -1;
    case "flag":
      return typeof value === "boolean" ? 1 : -1;
    case "choice":
      return Math.max(...one.options.map((option) => fit(value, option.schema, root, depth + 1)));
    case "array":
      return Array.isArray(value) ? 1 : -1;
    case "object": {
      if (!isDict(value)) return -1;
      let sum = 1;
      for (const { name, schema: inner, required } of one.members) {
        if (Object.hasOwn(value, name)) sum += fit(value[name], inner, root, depth + 1);
        else if (required) sum -= 2;
      }
      const names = new Set(one.members.map((member) => member.name));
      return sum - Object.keys(value).filter((key) => !names.has(key)).length;
    }
    case "json": {
      const [type] = types(one.schema);
      const is = Array.isArray(value) ? "array" : typeof value;
      return type === undefined || type === is ? 0 : -1;
    }
  }
}

/** The alternative that a value most likely is. */
export function chosen(value: Json | undefined, choice: Choice, root: Schema): number {
  const fits = choice.options.map((option) => fit(value, option.schema, root));
  return fits.indexOf(Math.max(...fits));
}

/** A short name of a field's type, as shown beside its label. */
export function kindName(one: Field): string {
  switch (one.kind) {
    case "text":
      return one.input === "text" ? "string" : String(one.schema.format);
    case "number":
      return one.whole ? "integer" : "number";
    case "flag":
      return "boolean";
    case "choice":
      return types(one.schema).length > 0 || one.schema.oneOf || one.schema.anyOf
        ? "one of"
        : "any";
    case "array":
      return "list";
    default:
      return one.kind;
  }
}
