import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallToolResult } from "@widgetcast/client";
import { type Found, find } from "../src/find";

test("a tree is found in every form of a result", () => {
  const tree = { type: "Card", children: [] };
  const icons = { "lucide:plane": [] };
  const mimeType = "application/vnd.ui.widget+json";
  const resource = (text: string) => ({
    type: "resource" as const,
    resource: { uri: "ui://w", mimeType, text },
  });
  const written = JSON.stringify({ widget: tree });
  const cases: [string, CallToolResult, Found | undefined][] = [
    ["the view", { content: [], _meta: { "widgetcast/view": { tree, icons } } }, { tree, icons }],
    [
      "hydrate_for_apps_sdk",
      { content: [], _meta: { widget: tree, format: "ui_widget" } },
      { tree, icons: {} },
    ],
    ["a resource", { content: [resource(written)] }, { tree, icons: {} }],
    ["a truncated one", { content: [resource(written.slice(0, -1))] }, undefined],
    ["another's _meta", { content: [], _meta: { widget: tree } }, undefined],
    ["nothing", { content: [] }, undefined],
  ];
  for (const [what, result, found] of cases) assert.deepEqual(find(result), found, what);
});
