// The one Markdown reader of the pages: the everyday part of CommonMark, and GFM's tables, task lists,
// strike-through and bare links. HTML stays text.
//
// The text is untrusted, so every step is linear in its length: no regular expression here can
// backtrack over more than one run, nesting is bounded, and so is the list of open marks.

import { readBlocks } from "./block";
import type { Block } from "./node";

export { isLink, textOf } from "./inline";
export type { Align, Block, Inline, Item } from "./node";

/**
 * The blocks of a text. While `streaming`, marks that the text still leaves open are read as if they
 * were closed, and a text that grows changes its last block alone.
 */
export function readMarkdown(text: string, streaming = false): Block[] {
  const lines = text
    .trimEnd()
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/^\s+/, (indent) => indent.replace(/\t/g, "    ")));
  return readBlocks(lines, { streaming, depth: 0 });
}
