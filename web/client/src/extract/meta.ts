// The result's `_meta`: trees, Slack blocks and the names of views. Also the tree of servers that return
// it as structured content.

import { META_TREE, OUTPUT_TEMPLATE, RESOURCE_URI, UI_SCHEME } from "../wire.js";
import type { Found } from "./found.js";
import { part } from "./part.js";
import { checkBounds, objectOf } from "./payload.js";
import { blocksOf, checkTree } from "./resource.js";
import { Fault, get, isObject } from "./value.js";

export const readMeta = (found: Found, meta: unknown, at: string): void => {
  if (!isObject(meta)) {
    found.fault(at, "_meta is not an object");
    return;
  }
  const step = (key: string) => `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;

  const view = get(meta, META_TREE);
  // The result of a tool with a page of its own has the key of its state there, and no tree.
  const hasOnlyState = get(view, "tree") === undefined && typeof get(view, "state") === "string";
  if (view !== undefined && !hasOnlyState)
    found.attempt(() => {
      const tree = get(view, "tree");
      checkBounds(tree, `${step(META_TREE)}/tree`);
      checkTree(tree, `${step(META_TREE)}/tree`);
      // Our server sends no copy text here: the first text of the content is used.
      const copyText = found.copyText(view, step(META_TREE)) ?? found.texts[0];
      found.parts.push(part("meta_tree", { key: META_TREE, tree, copyText }));
    });

  const widget = get(meta, "widget");
  if (widget !== undefined)
    found.attempt(() => {
      checkBounds(widget, `${at}/widget`);
      checkTree(widget, `${at}/widget`);
      const copyText = found.copyText(meta, at);
      found.parts.push(part("meta_tree", { key: "widget", tree: widget, copyText }));
    });

  const list = get(get(meta, "slack"), "blocks");
  if (list !== undefined)
    found.attempt(() => {
      checkBounds(list, `${at}/slack/blocks`);
      const blocks = blocksOf(list, `${at}/slack/blocks`);
      found.parts.push(part("slack_blocks", { uri: undefined, blocks }));
    });

  const nested = get(get(meta, "ui"), "resourceUri");
  if (nested !== undefined) readView(found, "mcp_app", nested, `${at}/ui/resourceUri`);
  else readView(found, "mcp_app", get(meta, RESOURCE_URI), step(RESOURCE_URI));
  readView(found, "skybridge", get(meta, OUTPUT_TEMPLATE), step(OUTPUT_TEMPLATE));
};

/**
 * Takes structured content that is itself a widget, as servers that return the tree from their tool
 * send it. Their text repeats the tree as JSON, which is nothing to read.
 */
export const readWidgetData = (found: Found, data: unknown, name: string): boolean => {
  const hasTree = found.parts.some(({ kind }) => kind === "chatkit_widget" || kind === "meta_tree");
  if (!isWidget(data) || hasTree) return false;
  found.texts = found.texts.filter((text) => !isWidgetText(text));
  found.parts.push(part("meta_tree", { key: name, tree: data, copyText: undefined }));
  return true;
};

const isWidget = (value: unknown): boolean =>
  ["Card", "ListView", "Basic"].includes(get(value, "type") as string) &&
  Array.isArray(get(value, "children"));

const isWidgetText = (text: string): boolean => {
  try {
    return isWidget(objectOf(text, ""));
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
};

/**
 * A view that `_meta` only names. One that is embedded too, or named for the other kind of host
 * already, is not listed twice.
 */
const readView = (found: Found, kind: "mcp_app" | "skybridge", uri: unknown, at: string): void => {
  if (uri === undefined) return;
  if (typeof uri !== "string" || !uri.startsWith(UI_SCHEME)) {
    found.fault(at, `the uri does not start with ${UI_SCHEME}`);
    return;
  }
  const isListed = found.parts.some(
    (one) => (one.kind === "mcp_app" || one.kind === "skybridge") && one.uri === uri,
  );
  if (!isListed)
    found.parts.push(part(kind, { uri, mime: undefined, html: undefined, meta: undefined }));
};
