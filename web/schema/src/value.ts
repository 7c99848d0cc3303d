// JSON values and where things are in them. Values are never changed in place, so that what did
// not change stays the same object.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Path = readonly (string | number)[];
export type Dict = { [key: string]: Json };

export function isDict(value: unknown): value is Dict {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function has(value: Json | undefined, key: string): boolean {
  return isDict(value) && Object.hasOwn(value, key);
}

/** A JSON pointer (RFC 6901). */
export function pointer(path: Path): string {
  return path.map((part) => `/${String(part).replace(/~/g, "~0").replace(/\//g, "~1")}`).join("");
}

export function steps(text: string): string[] {
  return text
    .split("/")
    .slice(1)
    .map((part) => part.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** An object with one own property more, whatever its name: `__proto__` is a name like any other. */
function assign(target: Dict, key: string, value: Json): Dict {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return target;
}

export function put(value: Json | undefined, path: Path, leaf: Json): Json {
  const [head, ...rest] = path;
  if (head === undefined) return leaf;
  if (typeof head === "number") {
    const list = Array.isArray(value) ? [...value] : [];
    list[head] = put(list[head], rest, leaf);
    return list;
  }
  const dict = isDict(value) ? value : {};
  const inner = Object.hasOwn(dict, head) ? dict[head] : undefined;
  return assign({ ...dict }, head, put(inner, rest, leaf));
}

export function drop(value: Json, path: Path): Json {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (Array.isArray(value)) {
    const at = Number(head);
    if (rest.length === 0) return value.filter((_, index) => index !== at);
    return value.map((item, index) => (index === at ? drop(item, rest) : item));
  }
  if (!isDict(value) || !Object.hasOwn(value, head)) return value;
  if (rest.length > 0) return assign({ ...value }, String(head), drop(value[head] ?? null, rest));
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== head));
}

/** A list with the item at `from` moved by `by` places; out of range changes nothing. */
export function shift(list: Json[], from: number, by: number): Json[] {
  const to = from + by;
  const item = list[from];
  if (item === undefined || to < 0 || to >= list.length) return list;
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), item, ...rest.slice(to)];
}

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isDict(a) || !isDict(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

export function write(value: Json): string {
  return JSON.stringify(value, null, 2);
}
