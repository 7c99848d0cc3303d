// Extraction: from a tool result back to everything in it that a host could show, best first.
//
// Results come from any server, so nothing in them is trusted: a payload over 4 MiB, nested over 100
// levels, or broken in any other way becomes a reason, and the next best part is used. This is the
// counterpart of `widgetcast_core::extract`; both run on `fixtures/results` and must agree.

import { readMeta } from "./meta.js";
import { type Part, part, rank } from "./part.js";
import { base64, checkBounds, checkSize } from "./payload.js";
import { readResource } from "./resource.js";
import { isMessage, readMessage, storedMessages } from "./stored.js";
import { Fault, get, isObject, member, type Reason, textMember } from "./value.js";

export { META_TREE } from "../wire.js";
export type { Part } from "./part.js";
export { type Message, threadItems, toolResultMessage } from "./thread.js";
export type { Reason } from "./value.js";

/** The most parts, and the most reasons, that one extraction gives. */
const MOST = 100;

/** What a tool result holds for a host to show. */
export interface Extraction {
  /** Every way to show the result, best first; the text is the last resort but for raw data. */
  parts: Part[];
  /** What was broken, and where. */
  reasons: Reason[];
  /** The text items, one per line; without any, the copy text of the best part. */
  text: string;
  /** Whether the tool says that it failed. */
  isError: boolean;
}

/**
 * Finds every part of a tool result that a host could show. Takes a result (also in snake case), a
 * bare content list, or a JSON-RPC response around one of them. Also a message as an application stores
 * it (`{"role": "tool_result", "metadata": {"mcp_content": […]}}`), and `{"messages": […]}`, of which only
 * tool results are searched.
 */
export const extract = (result: unknown): Extraction => {
  const found = new Found();
  const [body, at] = bodyOf(result);
  let isError = false;
  const messages = storedMessages(body);
  if (messages)
    for (const [index, message] of messages.entries())
      readMessage(found, message, `${at}/messages/${index}`);
  else if (isMessage(body)) readMessage(found, body, at);
  else if (Array.isArray(body)) found.readContent(body, at);
  else if (isObject(body)) {
    const content = get(body, "content");
    if (Array.isArray(content)) found.readContent(content, `${at}/content`);
    else if (content !== undefined) found.fault(`${at}/content`, "content is not a list");
    else isError = found.readFailure(body);

    const [metaName, meta] = member(body, "_meta", "meta");
    if (metaName !== undefined) readMeta(found, meta, `${at}/${metaName}`);

    const [dataName, data] = member(body, "structuredContent", "structured_content");
    if (dataName !== undefined)
      found.attempt(() => {
        checkBounds(data, `${at}/${dataName}`);
        found.parts.push(part("data", { data }));
      });
    isError ||= member(body, "isError", "is_error")[1] === true;
  } else found.fault(at, "the result is not an object or a list");
  return found.finish(at, isError);
};

/** The first ChatKit widget, with its copy text. */
export const widgetOf = (
  extraction: Extraction,
): { widget: unknown; copyText?: string } | undefined =>
  extraction.parts.find((one) => one.kind === "chatkit_widget");

/** The result itself, taken out of a JSON-RPC response if it is in one, and where it is. */
export const bodyOf = (result: unknown): [body: unknown, at: string] => {
  const inner = get(result, "result");
  return inner !== undefined && get(result, "content") === undefined
    ? [inner, "/result"]
    : [result, ""];
};

/** What was found so far, in the order of the result. */
export class Found {
  parts: Part[] = [];
  reasons: Reason[] = [];
  texts: string[] = [];

  fault(pointer: string, message: string): void {
    if (this.reasons.length < MOST) this.reasons.push({ pointer, message });
  }

  /** Runs something; what is broken in it becomes a reason. */
  attempt<T>(run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault(error.pointer, error.message);
      return undefined;
    }
  }

  readContent(items: unknown[], at: string): void {
    for (const [index, item] of items.entries())
      this.attempt(() => this.#readItem(item, `${at}/${index}`));
  }

  #readItem(item: unknown, at: string): void {
    const kind = get(item, "type");
    if (kind === "text") {
      const text = textMember(item, "text");
      if (text === undefined) throw new Fault(at, "the text item has no text");
      checkSize(text, `${at}/text`);
      if (text !== "") this.texts.push(text);
    } else if (kind === "image") {
      const [mime, data] = media(item, "image/", at);
      this.parts.push(part("image", { uri: undefined, mime, data }));
    } else if (kind === "audio") {
      const [mime, data] = media(item, "audio/", at);
      this.parts.push(part("audio", { mime, data }));
    } else if (kind === "resource") {
      const resource = get(item, "resource");
      if (!isObject(resource)) throw new Fault(`${at}/resource`, "the resource is not an object");
      this.parts.push(readResource(this, resource, `${at}/resource`));
    } else if (kind === "resource_link") this.parts.push(link(item, at));
    else throw new Fault(at, "the content item has no known type");
  }

  /** The error of a JSON-RPC response, which has no result; whether there is one. */
  readFailure(body: unknown): boolean {
    const error = get(body, "error");
    if (!isObject(error)) return false;
    const message = textMember(error, "message");
    if (message !== undefined) this.texts.push(message);
    return true;
  }

  /** The copy text, if it is a string; if not, the part is used without. */
  copyText(of: unknown, at: string): string | undefined {
    const text = get(of, "copy_text");
    if (text === undefined || typeof text === "string") return text;
    this.fault(`${at}/copy_text`, "copy_text is not a text");
    return undefined;
  }

  finish(at: string, isError: boolean): Extraction {
    this.parts.sort((a, b) => rank(a) - rank(b));
    const text = this.texts.length > 0 ? this.texts.join("\n") : firstCopyText(this.parts);
    if (text !== "") {
      const data = this.parts.findIndex(({ kind }) => kind === "data");
      this.parts.splice(data < 0 ? this.parts.length : data, 0, part("text", { text }));
    }
    if (this.parts.length > MOST) {
      this.parts.length = MOST;
      // Added even when the list of reasons is full, because good parts were dropped.
      this.reasons.splice(MOST - 1);
      this.fault(at, "there are more than 100 parts; the last are left out");
    }
    return { parts: this.parts, reasons: this.reasons, text, isError };
  }
}

const firstCopyText = (parts: Part[]): string => {
  for (const one of parts) if ("copyText" in one && one.copyText !== undefined) return one.copyText;
  return "";
};

/** The type and the base64 of an image or a sound. */
const media = (item: unknown, kind: string, at: string): [mime: string, data: string] => {
  const mime = textMember(item, "mimeType", "mime_type");
  if (!mime?.startsWith(kind))
    throw new Fault(`${at}/mimeType`, `the mimeType does not start with ${kind}`);
  const data = textMember(item, "data") ?? "";
  base64(data, `${at}/data`);
  return [mime, data];
};

const link = (item: unknown, at: string): Part => {
  const uri = textMember(item, "uri");
  if (uri === undefined) throw new Fault(at, "the resource link has no uri");
  return part("resource_link", {
    uri,
    name: textMember(item, "name"),
    title: textMember(item, "title"),
    description: textMember(item, "description"),
    mime: textMember(item, "mimeType", "mime_type"),
  });
};
