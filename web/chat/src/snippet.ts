// What a search shows of a conversation: the line is short, so it begins just before what was found.

/** How many characters of context stand before the match. */
const BEFORE = 12;

/** The text in three parts, of which the second is what was found; it may be empty. */
export function around(
  text: string,
  query: string,
): [before: string, found: string, after: string] {
  const wanted = query.trim();
  const at = wanted ? text.toLocaleLowerCase().indexOf(wanted.toLocaleLowerCase()) : -1;
  if (at < 0) return [text, "", ""];
  const before = text.slice(0, at);
  const start = before.length > BEFORE ? before.lastIndexOf(" ", at - BEFORE) + 1 : 0;
  const cut = before.slice(Math.max(start, at - 2 * BEFORE));
  return [
    cut.length < before.length ? `…${cut}` : cut,
    text.slice(at, at + wanted.length),
    text.slice(at + wanted.length),
  ];
}
