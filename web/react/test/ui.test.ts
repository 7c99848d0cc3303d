// What is published: every component of the view, documented, and a package that holds together.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as ui from "@widgetcast/react/ui";
import { TYPES } from "../../view/src/node";

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

test("every component of the view is there for React", () => {
  // A bare root is what every component has of itself.
  const wanted = TYPES.filter((type) => type !== "Basic").map((type) => type.replace(".", ""));
  assert.deepEqual(Object.keys(ui).sort(), [...wanted, "Page"].sort());
});

test("every component is in the guide", () => {
  const guide = read("../../../docs/pages.md");
  for (const name of Object.keys(ui))
    assert.match(guide, new RegExp(`^\\|[^|]*\`${name}\``, "m"), name);
});

test("every component is drawn beside the view's", () => {
  const cases = read("page/cases.tsx");
  for (const name of Object.keys(ui).filter((one) => one !== "Page"))
    assert.match(cases, new RegExp(`<${name}\\b`), name);
});
