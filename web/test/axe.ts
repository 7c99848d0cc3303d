// axe-core in the view's frame, with one exception: literal colours of the author.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Node {
  target: string[];
  html: string;
  any: { data?: { contrastRatio?: number; fgColor?: string; bgColor?: string } }[];
}
interface Axe {
  run(root: Document, options: unknown): Promise<{ violations: { id: string; nodes: Node[] }[] }>;
}

export interface Audit {
  /** Violations that are ours, a line each. */
  ours: string[];
  /** Contrast failures of literal colours in the tree. */
  excused: number;
}

export async function audit(frame: Frame): Promise<Audit> {
  // Once in a document: to read it takes longer than to run it.
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(source);
  // A view may be transparent; axe would take it to stand on white, and not on the host's ground.
  await frame.evaluate(() => {
    document.documentElement.style.background = "light-dark(#fff, #212121)";
  });
  return frame.evaluate(async (tags) => {
    const { axe } = window as unknown as { axe: Axe };
    const { violations } = await axe.run(document, {
      runOnly: { type: "tag", values: tags },
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
    });
    // Tokens are drawn as `var(--wc-…)`; what else is in a style attribute is the author's.
    const literal = (value: string) => !!value && !/^var\(--wc-[\w-]+\)$/.test(value.trim());
    const authored = (start: Element) => {
      let [ink, paper] = [false, false];
      let [inked, papered] = [false, false];
      for (let at: Element | null = start; at; at = at.parentElement) {
        const { style } = at as HTMLElement;
        if (!inked && style.color) [inked, ink] = [true, literal(style.color)];
        const own = style.backgroundColor || style.background;
        const shown = getComputedStyle(at).backgroundColor;
        if (!papered && (own || !/^(transparent|rgba\(.*, 0\))$/.test(shown)))
          [papered, paper] = [true, literal(own)];
        // A colour that a class sets again between the author's and the text is ours.
        if (at.matches("button, .wc-badge")) inked = true;
      }
      return ink || paper;
    };
    const audit: Audit = { ours: [], excused: 0 };
    for (const { id, nodes } of violations)
      for (const { target, html, any } of nodes) {
        const element = document.querySelector(target[0] ?? "");
        if (id === "color-contrast" && element && authored(element)) audit.excused += 1;
        else {
          const { contrastRatio, fgColor, bgColor } = any[0]?.data ?? {};
          const colours = fgColor ? ` (${fgColor} on ${bgColor}: ${contrastRatio})` : "";
          audit.ours.push(`${id} at ${target[0]}${colours}: ${html.slice(0, 160)}`);
        }
      }
    return audit;
  }, rules);
}
