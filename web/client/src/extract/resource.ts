// Embedded resources: which format one is, by its type and its URI, and what it holds.

import {
  APP_PROFILE,
  REMOTE_DOM_MIME,
  SKYBRIDGE_MIME,
  SLACK_BLOCKS_MIME,
  SLACK_BLOCKS_URI,
  SLACK_SCHEME,
  SLACK_WORK_OBJECT_MIME,
  SLACK_WORK_OBJECT_URI,
  UI_SCHEME,
  URI_LIST_MIME,
  WIDGET_MIME,
} from "../wire.js";
import type { Found } from "./found.js";
import { type Part, part } from "./part.js";
import { base64, checkBounds, checkSize, filled, objectOf, textOf } from "./payload.js";
import { Fault, get, isObject, lower, type Members, member, textMember, trim } from "./value.js";

type Format =
  | "widget"
  | "blocks"
  | "work object"
  | "app"
  | "skybridge"
  | "mcp ui"
  | "html"
  | "markdown"
  | "image"
  | "other";

const formatOf = (mime: string, uri: string, at: string): Format => {
  const under = (prefix: string, format: Format): Format => {
    if (uri.startsWith(prefix)) return format;
    throw new Fault(`${at}/uri`, `the uri does not start with ${prefix}`);
  };
  // Hosts compare this type exactly.
  if (mime === WIDGET_MIME) return under(UI_SCHEME, "widget");
  const [kind = "", ...profiles] = lower(mime).split(";").map(trim);
  const isUi = uri.startsWith(UI_SCHEME);
  if (kind === SLACK_BLOCKS_MIME) return under(SLACK_BLOCKS_URI, "blocks");
  if (kind === SLACK_WORK_OBJECT_MIME) return under(SLACK_WORK_OBJECT_URI, "work object");
  if (kind === "text/html" && profiles.some((piece) => piece.replaceAll('"', "") === APP_PROFILE))
    return under(UI_SCHEME, "app");
  if (kind === SKYBRIDGE_MIME) return under(UI_SCHEME, "skybridge");
  if (isUi && (kind === "text/html" || kind === URI_LIST_MIME)) return "mcp ui";
  // Servers write it with `+javascript` and a framework or, older, a flavor.
  if (kind.startsWith(REMOTE_DOM_MIME)) return under(UI_SCHEME, "mcp ui");
  if (kind === "text/html") return "html";
  if (kind === "text/markdown") return "markdown";
  if (kind.startsWith("image/")) return "image";
  if (isUi || uri.startsWith(SLACK_SCHEME)) throw new Fault(`${at}/mimeType`, "unknown mimeType");
  return "other";
};

export const readResource = (found: Found, resource: Members, at: string): Part => {
  const uri = textMember(resource, "uri");
  if (uri === undefined) throw new Fault(at, "the resource has no uri");
  const mime = textMember(resource, "mimeType", "mime_type");
  const format = formatOf(mime ?? "", uri, at);
  const blob = filled(resource, "blob");
  if (format === "image" && blob !== undefined) {
    base64(blob, `${at}/blob`);
    return part("image", { uri, mime, data: blob });
  }
  if (format === "other" && blob !== undefined && filled(resource, "text") === undefined) {
    checkSize(blob, `${at}/blob`);
    return part("resource", { uri, mime, text: undefined, blob });
  }

  const [text, textAt] = textOf(resource, at);
  switch (format) {
    case "widget": {
      const payload = objectOf(text, textAt);
      const copyText = found.copyText(payload, `${textAt}#`);
      const widget = get(payload, "widget");
      if (widget === undefined) throw new Fault(`${textAt}#`, "the payload has no widget");
      checkTree(widget, `${textAt}#/widget`);
      return part("chatkit_widget", { uri, widget, copyText });
    }
    case "blocks": {
      const blocks = blocksOf(get(objectOf(text, textAt), "blocks"), `${textAt}#/blocks`);
      return part("slack_blocks", { uri, blocks });
    }
    case "work object": {
      const payload = objectOf(text, textAt);
      const entity = get(payload, "entity");
      if (!isObject(entity)) throw new Fault(`${textAt}#/entity`, "the entity is not an object");
      return part("slack_work_object", {
        uri,
        eventType: textMember(payload, "event_type"),
        entity,
      });
    }
    case "app":
      return part("mcp_app", { uri, mime, html: text, meta: ownMeta(found, resource, at) });
    case "skybridge":
      return part("skybridge", { uri, mime, html: text, meta: ownMeta(found, resource, at) });
    case "mcp ui":
      return part("mcp_ui", {
        uri,
        mime,
        text: lower(mime ?? "").startsWith(URI_LIST_MIME) ? firstAddress(text, textAt) : text,
        meta: ownMeta(found, resource, at),
      });
    case "html":
    case "markdown":
      return part(format, { uri, mime, text });
    default:
      return part("resource", { uri, mime, text, blob: undefined });
  }
};

/**
 * Whether a value can be a tree at all. What else is wrong with it is a matter of the component
 * table, which the server has.
 */
export const checkTree = (tree: unknown, at: string): void => {
  if (typeof get(tree, "type") !== "string")
    throw new Fault(at, "the tree is not an object with a type");
};

/** A list of blocks with at least one in it. */
export const blocksOf = (blocks: unknown, at: string): unknown[] => {
  if (Array.isArray(blocks) && blocks.length > 0) return blocks;
  throw new Fault(at, "blocks is not a list with a block in it");
};

/** The `_meta` of a resource. Without it a page is shown with the default policy. */
const ownMeta = (found: Found, resource: Members, at: string): unknown => {
  const [name, meta] = member(resource, "_meta", "meta");
  if (name === undefined) return undefined;
  return found.attempt(() => {
    checkBounds(meta, `${at}/${name}`);
    return meta;
  });
};

/** The one address of a list that mcp-ui hosts open. */
const firstAddress = (list: string, at: string): string => {
  const address = list
    .split("\n")
    .map(trim)
    .find((line) => /^https?:\/\//i.test(line));
  if (address === undefined) throw new Fault(at, "the list has no http or https URL");
  return address;
};
