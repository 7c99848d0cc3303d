// Finds the tree in a result.

import type { CallToolResult } from "@widgetcast/client";
import { META_TREE, WIDGET_MIME } from "@widgetcast/client/wire";
import type { IconNode } from "./markup/icon";
import { list, record, text } from "./markup/prop";

export interface Found {
  tree: unknown;
  icons: Record<string, IconNode>;
}

/** The tree in `_meta`, as the view or `hydrate_for_apps_sdk` has it, else the one in an embedded resource. */
export function find(result: CallToolResult): Found | undefined {
  const meta = record(result._meta);
  const view = record(meta?.[META_TREE]);
  if (view && view.tree !== undefined) {
    return { tree: view.tree, icons: (record(view.icons) ?? {}) as Record<string, IconNode> };
  }
  if (meta?.format === "ui_widget") return { tree: meta.widget, icons: {} };
  for (const block of list(result.content)) {
    const resource = record(record(block)?.resource);
    if (!text(resource?.mimeType).startsWith(WIDGET_MIME)) continue;
    try {
      const widget = record(JSON.parse(text(resource?.text)))?.widget;
      if (widget !== undefined) return { tree: widget, icons: {} };
    } catch {
      // A truncated resource is treated as absent.
    }
  }
  return undefined;
}

/** Whether there is nothing in a value: an empty list, or a record of such, as `{"result": []}`. */
export const isBlank = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.values(value).every(isBlank));
