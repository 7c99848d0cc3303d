// The type of the view against ChatKit's tokens, which lie next to the checkout, and what has no token.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { css } from "../src/markup/style";

/** The declarations of a class alone, the later ones in place of the earlier. */
function rule(name: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, body = ""] of css.matchAll(new RegExp(`\\.${name}\\{([^}]*)\\}`, "g")))
    for (const line of body.split(";")) {
      const [key = "", value = ""] = line.split(":");
      if (key) found[key.trim()] = value.trim();
    }
  return found;
}

const sizeOf = (name: string) => `${rule(name)["font-size"]}/${rule(name)["line-height"]}`;

test("titles are not spaced, badges are semibold, figures have one width", () => {
  assert.doesNotMatch(css, /letter-spacing/);
  assert.equal(sizeOf("wc-title-sm"), "18px/26px");
  assert.equal(rule("wc-title")["font-weight"], "600");
  assert.equal(rule("wc-badge")["font-weight"], "600");
  assert.match(css, /\.wc\{[^}]*font-variant-numeric:tabular-nums/);
});

const tokens = fileURLToPath(
  new URL("../../../../shared/chatkit/tokens/variables-semantic.css", import.meta.url),
);
const skip = existsSync(tokens) ? false : `NOTICE: ${tokens} is absent`;

test("sizes and heights of lines are those of the tokens", { skip }, () => {
  const given = readFileSync(tokens, "utf8");
  const token = (name: string) => {
    const rem = new RegExp(`--font-${name}: ([\\d.]+)rem`).exec(given)?.[1];
    assert.ok(rem, name);
    return `${Number(rem) * 16}px`;
  };
  const names = (kind: string, sizes: string[]) => sizes.map((size) => `${kind}-${size}`);
  for (const name of [
    ...names("heading", ["sm", "lg", "xl", "2xl", "3xl", "4xl", "5xl"]),
    ...names("text", ["xs", "sm", "lg"]),
  ]) {
    const want = `${token(`${name}-size`)}/${token(`${name}-line-height`)}`;
    assert.equal(sizeOf(`wc-${name.replace("heading", "title")}`), want, name);
  }
  assert.equal(
    sizeOf("wc-title"),
    `${token("heading-md-size")}/${token("heading-md-line-height")}`,
  );
  assert.equal(sizeOf("wc-text"), `${token("text-md-size")}/${token("text-md-line-height")}`);
  for (const space of ["wide", "normal", "tight"])
    assert.match(given, new RegExp(`--font-tracking-${space}: 0em`));
});
