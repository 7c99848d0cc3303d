// What the modules of a page load from elsewhere, as far as it is written in them: a host's policy lets
// through only what was declared. Addresses that a script puts together as it runs are not seen.

import type { Csp } from "./server.js";

/** What is loaded: which list of the policy allows it, and from where. */
export interface Load {
  list: keyof Csp;
  origin: string;
  /** The URL as written in the module. */
  url: string;
}

/** The lists of the policy, and the methods of `Page` in Rust that fill them. */
export const METHODS: Record<keyof Csp, string> = {
  connectDomains: "connect",
  resourceDomains: "resource",
  frameDomains: "frame",
};

const ASKS = new Set(["fetch", "WebSocket", "EventSource", "sendBeacon"]);
const SHOWS = new Set(["img", "video", "audio", "source", "script", "link", "Image", "Audio"]);
const FRAMES = new Set(["iframe", "embed"]);

interface Node {
  type: string;
  [name: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof (value as Node | undefined)?.type === "string";

/** What a script loads, by its syntax tree after TypeScript and JSX were compiled. */
export function scriptLoads(tree: unknown): Load[] {
  const found: Load[] = [];
  const add = (list: keyof Csp, url: string | undefined) => {
    const origin = url && originOf(url);
    if (origin) found.push({ list, origin, url });
  };
  const visit = (node: Node) => {
    if (node.type === "CallExpression" || node.type === "NewExpression") {
      const [first, second] = node.arguments as unknown[];
      const name = nameOf(node.callee);
      if (ASKS.has(name)) add("connectDomains", start(first));
      if (SHOWS.has(name)) add("resourceDomains", start(first));
      // `jsx("img", { src: … })`, and `createElement` alike.
      const tag = start(first) ?? "";
      if (SHOWS.has(tag)) add("resourceDomains", member(second, tag === "link" ? "href" : "src"));
      if (FRAMES.has(tag)) add("frameDomains", member(second, "src"));
    } else if (["ImportExpression", "ImportDeclaration"].includes(node.type))
      add("resourceDomains", start(node.source));
    else if (node.type === "AssignmentExpression" && nameOf(node.left) === "src")
      add("resourceDomains", start(node.right));
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child);
  };
  if (isNode(tree)) visit(tree);
  return found;
}

/** The last name of `fetch`, `window.fetch` or `image.src`. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "MemberExpression") return nameOf(node.property);
  return node.type === "Identifier" ? String(node.name) : "";
}

/** The text that an expression begins with. */
function start(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (typeof node.value === "string") return node.value;
  if (node.type === "BinaryExpression") return start(node.left);
  if (node.type !== "TemplateLiteral") return undefined;
  const [first] = node.quasis as { value: { cooked: string } }[];
  return first?.value.cooked;
}

/** The text of a member of an object that is written out. */
function member(node: unknown, name: string): string | undefined {
  if (!isNode(node) || node.type !== "ObjectExpression") return undefined;
  const property = (node.properties as Node[]).find(({ key }) => nameOf(key) === name);
  return start(property?.value);
}

/** What a style sheet loads. */
export function styleLoads(css: string): Load[] {
  const urls = css.matchAll(/(?:url\(\s*|@import\s+)["']?((?:https?:)?\/\/[^"')\s]+)/gi);
  return [...urls].flatMap(([, url = ""]) => {
    const origin = originOf(url);
    return origin ? [{ list: "resourceDomains", origin, url }] : [];
  });
}

/** The origin of an absolute address. */
function originOf(url: string): string | undefined {
  const match = /^(?:(https?|wss?):)?\/\/([^/?#\s]+)/i.exec(url);
  return match ? `${(match[1] ?? "https").toLowerCase()}://${match[2]?.toLowerCase()}` : undefined;
}

/** Whether a policy lets it through. `https://*.example.com` stands for all names below. */
export function isDeclared({ list, origin }: Load, csp: Csp): boolean {
  return (csp[list] ?? []).some((declared) => {
    const [scheme, host] = declared.toLowerCase().split("://*.");
    return host === undefined
      ? declared.toLowerCase() === origin
      : origin.startsWith(`${scheme}://`) && origin.endsWith(`.${host}`);
  });
}

/** The line of a URL in a file, counted from 1. */
export function lineOf(source: string, url: string): number | undefined {
  const at = source.indexOf(url);
  return at < 0 ? undefined : source.slice(0, at).split("\n").length;
}
