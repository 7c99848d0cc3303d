// The items of a result's content.

import type { Found } from "./found.js";
import { type Part, part } from "./part.js";
import { base64, checkSize } from "./payload.js";
import { readResource } from "./resource.js";
import { Fault, get, isObject, textMember } from "./value.js";

export const readContent = (found: Found, items: unknown[], at: string): void => {
  for (const [index, item] of items.entries())
    found.attempt(() => readItem(found, item, `${at}/${index}`));
};

const readItem = (found: Found, item: unknown, at: string): void => {
  const kind = get(item, "type");
  if (kind === "text") {
    const text = textMember(item, "text");
    if (text === undefined) throw new Fault(at, "the text item has no text");
    checkSize(text, `${at}/text`);
    if (text !== "") found.texts.push(text);
  } else if (kind === "image") {
    const [mime, data] = media(item, "image/", at);
    found.parts.push(part("image", { uri: undefined, mime, data }));
  } else if (kind === "audio") {
    const [mime, data] = media(item, "audio/", at);
    found.parts.push(part("audio", { mime, data }));
  } else if (kind === "resource") {
    const resource = get(item, "resource");
    if (!isObject(resource)) throw new Fault(`${at}/resource`, "the resource is not an object");
    found.parts.push(readResource(found, resource, `${at}/resource`));
  } else if (kind === "resource_link") found.parts.push(link(item, at));
  else throw new Fault(at, "the content item has no known type");
};

/** The error of a JSON-RPC response, which has no result; whether there is one. */
export const readFailure = (found: Found, body: unknown): boolean => {
  const error = get(body, "error");
  if (!isObject(error)) return false;
  const message = textMember(error, "message");
  if (message !== undefined) found.texts.push(message);
  return true;
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
