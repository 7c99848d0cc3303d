// JSON as text: its tokens for colouring, and where in it a pointer leads.

export type Token = { text: string; kind: "key" | "string" | "number" | "word" | "plain" };

const TOKEN = /("(?:[^"\\\n]|\\.)*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

export function tokens(source: string): Token[] {
  const out: Token[] = [];
  let from = 0;
  for (const match of source.matchAll(TOKEN)) {
    if (match.index > from) out.push({ text: source.slice(from, match.index), kind: "plain" });
    from = match.index + match[0].length;
    if (match[1] !== undefined) {
      out.push({ text: match[1], kind: match[2] === undefined ? "string" : "key" });
      if (match[2]) out.push({ text: match[2], kind: "plain" });
    } else out.push({ text: match[0], kind: /^[tfn]/.test(match[0]) ? "word" : "number" });
  }
  if (from < source.length) out.push({ text: source.slice(from), kind: "plain" });
  return out;
}

const LONG_URI = /"data:(?:[^"\\\n]|\\.){120,}"/g;
const SHORT_URI = /"data:(?:[^"\\\n]|\\.)*?… \([\d,]+ characters(?:, \d+)?\)"/g;

const shortOf = (uri: string, more = ""): string =>
  `${uri.slice(0, 40).replace(/\\+$/, "")}… (${(uri.length - 2).toLocaleString("en")} characters${more})"`;

/** JSON to read: of an address that holds a whole picture only the start. */
export const brief = (source: string): string => source.replace(LONG_URI, (uri) => shortOf(uri));

/** The same to edit: what was cut is known, and is put back. */
export class Shortener {
  readonly #whole = new Map<string, string>();

  shorten(source: string): string {
    return source.replace(LONG_URI, (uri) => {
      let short = shortOf(uri);
      for (let n = 2; (this.#whole.get(short) ?? uri) !== uri; n++) short = shortOf(uri, `, ${n}`);
      this.#whole.set(short, uri);
      return short;
    });
  }

  restore(shown: string): string {
    return shown.replace(SHORT_URI, (short) => this.#whole.get(short) ?? short);
  }
}

class Fault extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts
const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: JSON forbids them in texts
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

/**
 * Reads JSON for where things are. Browsers say what is wrong, but each in its own words, and some
 * without the place.
 */
class Reader {
  readonly found = new Map<string, number>();
  private at = 0;
  constructor(private readonly source: string) {}

  whole(): void {
    this.value("");
    this.take(SPACE);
    if (this.at < this.source.length) this.fail("unexpected text after the value");
  }

  private fail(message: string): never {
    throw new Fault(
      this.at < this.source.length ? message : `${message}, but the text ends`,
      this.at,
    );
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.source)?.[0];
    if (text !== undefined) this.at += text.length;
    return text;
  }

  private peek(): string | undefined {
    this.take(SPACE);
    return this.source[this.at];
  }

  private value(path: string): void {
    const open = this.peek();
    this.found.set(path, this.at);
    if (open === "{") this.members(path);
    else if (open === "[") this.items(path);
    else if (open === '"') this.string();
    else if (this.take(SCALAR) === undefined) this.fail("expected a value");
  }

  private string(): string {
    const text = this.take(STRING);
    return text === undefined
      ? this.fail("the string is not closed, or contains an invalid character")
      : text;
  }

  private members(path: string): void {
    this.at++;
    if (this.peek() === "}") this.at++;
    else
      do {
        if (this.peek() !== '"') this.fail('expected a key in "double quotes"');
        const start = this.at;
        const name: string = JSON.parse(this.string());
        if (this.peek() !== ":") this.fail("expected `:`");
        this.at++;
        const inner = `${path}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`;
        this.value(inner);
        // A member is where its name is: that is the line to look at.
        this.found.set(inner, start);
      } while (this.more("}"));
  }

  private items(path: string): void {
    this.at++;
    let index = 0;
    if (this.peek() === "]") this.at++;
    else
      do this.value(`${path}/${index++}`);
      while (this.more("]"));
  }

  private more(close: string): boolean {
    const next = this.peek();
    if (next !== "," && next !== close) this.fail(`expected \`,\` or \`${close}\``);
    this.at++;
    return next === ",";
  }
}

/** The offset of every value up to the first fault, by pointer. */
export function places(source: string): Map<string, number> {
  const reader = new Reader(source);
  try {
    reader.whole();
  } catch {
    // What was read before the error is still valid.
  }
  return reader.found;
}

/** What is wrong with a text that is not JSON, and on which line. */
export function fault(source: string): { message: string; line: number } | undefined {
  try {
    JSON.parse(source);
    return undefined;
  } catch {
    // Only now: finding the position is slow.
  }
  try {
    new Reader(source).whole();
  } catch (error) {
    if (error instanceof Fault)
      return { message: error.message, line: lineAt(source, error.offset) };
  }
  return { message: "it is nested too deeply", line: 0 };
}

/** The line (from 0) of a pointer, or of the nearest value around it. */
export function lineOf(source: string, known: Map<string, number>, pointer: string): number {
  let path = pointer;
  while (path !== "" && !known.has(path)) path = path.slice(0, path.lastIndexOf("/"));
  return lineAt(source, known.get(path) ?? 0);
}

function lineAt(source: string, offset: number): number {
  let line = 0;
  for (let at = source.indexOf("\n"); at >= 0 && at < offset; at = source.indexOf("\n", at + 1))
    line++;
  return line;
}
