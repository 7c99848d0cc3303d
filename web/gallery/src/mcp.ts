// One request at a time to the server's MCP endpoint. Nothing is kept between requests: this revision
// of the protocol has no sessions.

import {
  APP_MIME,
  GALLERY_MCP,
  HEADER_METHOD,
  HEADER_NAME,
  HEADER_PROTOCOL_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_PROTOCOL_VERSION,
  PROTOCOL_VERSION,
  RESOURCE_URI,
  RESOURCES_READ,
  TOOLS_CALL,
  TOOLS_LIST,
  UI_EXTENSION,
} from "@widgetcast/client/wire";
import { type Dict, isDict, type Json } from "@widgetcast/schema";
import { base } from "./base";

/** The parameter of a method that goes into a header, too. */
const NAMED: Record<string, string> = { [TOOLS_CALL]: "name", [RESOURCES_READ]: "uri" };
let last = 0;

export class McpError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Headers hold visible ASCII only; anything else goes as base64. */
function headerValue(text: string): string {
  if (/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith("=?")) return text;
  const bytes = new TextEncoder().encode(text);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

/** The headers of a request. */
export function headersOf(method: string, params: Dict): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    [HEADER_PROTOCOL_VERSION]: PROTOCOL_VERSION,
    [HEADER_METHOD]: method,
  };
  const named = params[NAMED[method] ?? ""];
  if (typeof named === "string") headers[HEADER_NAME] = headerValue(named);
  return headers;
}

/** Told of every message to the server and back. */
export type Log = (direction: "out" | "in", message: Dict) => void;

/** A request as it is sent. */
export function requestOf(method: string, params: Dict): Dict {
  const _meta: Dict = {
    ...(isDict(params._meta) ? params._meta : {}),
    [META_PROTOCOL_VERSION]: PROTOCOL_VERSION,
    [META_CLIENT_INFO]: { name: "widgetcast-gallery", version: "1" },
    [META_CLIENT_CAPABILITIES]: { extensions: { [UI_EXTENSION]: { mimeTypes: [APP_MIME] } } },
  };
  return { jsonrpc: "2.0", id: ++last, method, params: { ...params, _meta } };
}

export async function mcp(method: string, params: Dict, log?: Log): Promise<Dict> {
  const request = requestOf(method, params);
  log?.("out", request);
  const headers = headersOf(method, params);
  const answer = await fetch(base() + GALLERY_MCP, {
    method: "POST",
    headers,
    body: JSON.stringify(request),
  });
  const type = answer.headers.get("content-type") ?? "";
  const message = read(await answer.text(), type, Number(request.id));
  if (message) log?.("in", message);
  if (isDict(message?.result)) return message.result;
  const error = isDict(message?.error) ? message.error : {};
  throw new McpError(
    Number(error.code ?? -32603),
    String(error.message ?? `The server returned ${answer.status}`),
  );
}

/** The answer with our number; a server may send it as one of several events. */
function read(body: string, type: string, id: number): Dict | undefined {
  const parts = type.startsWith("text/event-stream")
    ? body.split(/\r?\n\r?\n/).map((event) => event.replace(/^(?!data:).*$/gm, "").trim())
    : [body];
  for (const part of parts) {
    try {
      const value: Json = JSON.parse(part.replace(/^data: ?/gm, ""));
      if (isDict(value) && value.id === id) return value;
    } catch {
      // Not a message: an empty event, or a proxy's page.
    }
  }
  return undefined;
}

const uriOf = (meta: Json | undefined): string | undefined => {
  if (!isDict(meta)) return undefined;
  const uri = (isDict(meta.ui) ? meta.ui.resourceUri : undefined) ?? meta[RESOURCE_URI];
  return typeof uri === "string" ? uri : undefined;
};

const cspOf = (meta: Json | undefined): Dict =>
  isDict(meta) && isDict(meta.ui) && isDict(meta.ui.csp) ? meta.ui.csp : {};

let tools: Promise<Map<string, Dict>> | undefined;
const pages = new Map<string, Promise<Page>>();

/** Forgets what a change of the server's files may have made stale. */
export function forget(): void {
  tools = undefined;
  pages.clear();
}

async function listed(): Promise<Map<string, Dict>> {
  const found = new Map<string, Dict>();
  let cursor: Json | undefined;
  do {
    const answer = await mcp(TOOLS_LIST, cursor === undefined ? {} : { cursor });
    for (const tool of Array.isArray(answer.tools) ? answer.tools : [])
      if (isDict(tool)) found.set(String(tool.name), tool);
    cursor = answer.nextCursor;
  } while (typeof cursor === "string");
  return found;
}

/** The tool as hosts see it. */
export async function toolInfo(name: string): Promise<Dict | undefined> {
  tools ??= listed();
  try {
    return (await tools).get(name);
  } catch (error) {
    tools = undefined;
    throw error;
  }
}

/** The address of the page that shows a tool's results. */
export async function pageUri(name: string, result: Dict): Promise<string | undefined> {
  return uriOf(result._meta) ?? uriOf((await toolInfo(name))?._meta);
}

/** A page, and the origins that it declares. */
export interface Page {
  html: string;
  csp: Dict;
}

export function page(uri: string): Promise<Page> {
  let found = pages.get(uri);
  if (!found) {
    found = mcp(RESOURCES_READ, { uri }).then((answer) => {
      const first = Array.isArray(answer.contents) ? answer.contents[0] : undefined;
      if (isDict(first) && typeof first.text === "string")
        return { html: first.text, csp: cspOf(first._meta) };
      throw new Error(`${uri} has no text`);
    });
    found.catch(() => pages.delete(uri));
    pages.set(uri, found);
  }
  return found;
}
