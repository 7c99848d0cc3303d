/** About as much as a phone shows of a text, in characters. */
const MOST = 900;

/**
 * The beginning of a Markdown text that is long: whole blocks where they fill half of it, else whole
 * lines, as of a list or a table, else whole words.
 */
export function beginning(text: string): string {
  // Less than half as much again is not worth another view.
  if (text.length < MOST * 1.5) return text;
  const head = text.slice(0, MOST);
  const ends = ["\n\n", "\n", " "].map((gap) => head.lastIndexOf(gap));
  const end = ends.find((at) => at > MOST / 2);
  const isInLine = end === undefined || head[end] === " ";
  const cut = head.slice(0, end).replace(/[\uD800-\uDBFF]$/, "") + (isInLine ? " …" : "");
  // A block of code that is cut is closed again.
  let fence = "";
  for (const [, mark = ""] of cut.matchAll(/^ {0,3}(`{3,}|~{3,})/gm))
    fence = fence === "" ? mark : mark.startsWith(fence) ? "" : fence;
  return fence ? `${cut}\n${fence}` : cut;
}
