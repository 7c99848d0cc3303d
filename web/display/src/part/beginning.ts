/** About as much as a phone shows of a text, in characters. */
const MOST = 900;

/** The first blocks of a Markdown text that is long; a block of code is not cut in two. */
export function beginning(text: string): string {
  // Less than half as much again is not worth another view.
  if (text.length < MOST * 1.5) return text;
  let end = 0;
  let isCode = false;
  for (const { 0: block, index } of text.matchAll(/(?:[^\n]|\n(?!\s*\n))+/g)) {
    for (const _ of block.matchAll(/^\s*(```|~~~)/gm)) isCode = !isCode;
    if (isCode) continue;
    if (end && index + block.length > MOST) break;
    end = index + block.length;
  }
  return end ? text.slice(0, end) : text;
}
