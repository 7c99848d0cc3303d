// The tools of a server as TypeScript: the same text as `widgetcast types` writes, for those who have
// npm and not that program. A test compares the two. Where a type cannot express a schema, the nearest
// wider type is written.

export interface Tool {
  name: string;
  description?: string;
  inputSchema?: unknown;
  outputSchema?: unknown;
}

type Members = Record<string, unknown>;

/** Deeper schemas become `unknown`. */
const MAX_DEPTH = 32;

/** The whole file. */
export function declare(tools: Tool[]): string {
  let named = "";
  let members = "";
  for (const tool of tools) {
    const typeOf = (schema: unknown, suffix: string) => {
      if (schema == null) return "unknown";
      const writer = new Writer(schema, pascal(tool.name) + suffix);
      const text = writer.write(schema, 2);
      named += writer.declarations();
      return text;
    };
    const input = typeOf(tool.inputSchema, "Input");
    const output = typeOf(tool.outputSchema, "Output");
    members += comment(tool.description, 2);
    members += `    ${key(tool.name)}: { input: ${input}; output: ${output} };\n`;
  }
  return `// Written by \`widgetcast types\`; write it again when the tools change.
import "@widgetcast/client";

${named}declare module "@widgetcast/client" {
  interface ToolRegistry {
${members}  }
}
`;
}

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Writes the types of one schema. */
class Writer {
  readonly #wanted = new Set<string>();

  constructor(
    readonly root: unknown,
    /** Prefix of the names of types that a `$ref` refers to. */
    readonly prefix: string,
  ) {}

  /** Declarations of all types that were referred to, directly or through one another. */
  declarations(): string {
    const done = new Set<string>();
    let out = "";
    for (;;) {
      const pointer = [...this.#wanted].filter((one) => !done.has(one)).sort()[0];
      if (pointer === undefined) return out;
      out += `type ${this.#name(pointer)} = ${this.write(this.#find(pointer), 0)};\n\n`;
      done.add(pointer);
    }
  }

  #name(pointer: string): string {
    return this.prefix + pascal(pointer.slice(pointer.lastIndexOf("/") + 1));
  }

  #find(pointer: string): unknown {
    let value = this.root;
    for (const step of pointer.split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name))
        return undefined;
      value = (value as Members)[name];
    }
    return value;
  }

  /** The type of a schema; `level` is how far its members are indented. */
  write(schema: unknown, level: number): string {
    if (!isObject(schema)) return schema === false ? "never" : "unknown";
    if (level > MAX_DEPTH) return "unknown";
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref);
    if ("const" in schema) return literal(schema.const);
    if (Array.isArray(schema.enum)) return union(schema.enum.map(literal));
    for (const choices of [schema.oneOf, schema.anyOf])
      if (Array.isArray(choices)) return union(choices.map((choice) => this.write(choice, level)));
    if (Array.isArray(schema.allOf)) {
      const all = schema.allOf.map((part) => this.write(part, level));
      if ("properties" in schema) all.push(this.#object(schema, level));
      const known = all.filter((part) => part !== "unknown").map(grouped);
      return known.length ? known.join(" & ") : "unknown";
    }
    const { type } = schema;
    if (typeof type === "string") return this.#kind(type, schema, level);
    if (Array.isArray(type)) {
      const kinds = type.filter((kind) => typeof kind === "string");
      return union(kinds.map((kind) => this.#kind(kind, schema, level)));
    }
    if ("properties" in schema) return this.#object(schema, level);
    return "items" in schema ? this.#list(schema, level) : "unknown";
  }

  #reference(reference: string): string {
    // Only what the schema itself holds: nothing is fetched.
    const pointer = reference.startsWith("#/") ? reference.slice(1) : undefined;
    if (pointer === undefined || this.#find(pointer) === undefined) return "unknown";
    this.#wanted.add(pointer);
    return this.#name(pointer);
  }

  #kind(kind: string, schema: Members, level: number): string {
    if (kind === "integer") return "number";
    if (["string", "number", "boolean", "null"].includes(kind)) return kind;
    if (kind === "array") return this.#list(schema, level);
    return kind === "object" ? this.#object(schema, level) : "unknown";
  }

  #list(schema: Members, level: number): string {
    const { items, prefixItems } = schema;
    if (!Array.isArray(prefixItems))
      return `${grouped("items" in schema ? this.write(items, level) : "unknown")}[]`;
    const first = prefixItems.map((item) => this.write(item, level)).join(", ");
    if (items === false) return `[${first}]`;
    const rest = "items" in schema ? grouped(this.write(items, level)) : "unknown";
    return `[${first}, ...${rest}[]]`;
  }

  #object(schema: Members, level: number): string {
    const { required, additionalProperties: more, properties } = schema;
    const needed = new Set(Array.isArray(required) ? required : []);
    if (!isObject(properties) || !Object.keys(properties).length) {
      if (more === false) return "Record<string, never>";
      return `Record<string, ${isObject(more) ? this.write(more, level + 1) : "unknown"}>`;
    }
    const pad = "  ".repeat(level + 1);
    let out = "{\n";
    for (const [name, member] of Object.entries(properties)) {
      if (isObject(member)) out += comment(member.description, level + 1);
      out += `${pad}${key(name)}${needed.has(name) ? "" : "?"}: ${this.write(member, level + 1)};\n`;
    }
    // No index signature: it would have to allow every member's type, and so check none.
    return `${out}${"  ".repeat(level)}}`;
  }
}

function union(choices: string[]): string {
  const distinct = [...new Set(choices)];
  if (!distinct.length) return "never";
  return distinct.includes("unknown") ? "unknown" : distinct.join(" | ");
}

/** In parentheses, where precedence needs them. */
const grouped = (text: string) => (/ [|&] /.test(text) ? `(${text})` : text);

// JSON's strings are TypeScript's.
const literal = (value: unknown) =>
  typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);

/** A member's name, quoted if it must be. */
const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** `flight_tracker` as `FlightTracker`. */
function pascal(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const out = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Za-z]/.test(out) ? out : `T${out}`;
}

function comment(text: unknown, level: number): string {
  if (typeof text !== "string" || !text.trim()) return "";
  const line = text.replaceAll("*/", "*\u200b/").split(/\s+/).filter(Boolean).join(" ");
  return `${"  ".repeat(level)}/** ${line} */\n`;
}
