// Fuzzy search over names, titles and descriptions. Every word must be found somewhere; where it
// is found decides the order.

export interface Entry {
  name: string;
  title: string;
  description: string;
}
export interface Hit<T> {
  entry: T;
  score: number;
  /** The parts of the title that were found: from, to. */
  marks: [number, number][];
}

const boundary = (text: string, at: number): boolean =>
  at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");

/** The best place of a word in a text: whole words before beginnings before middles. */
function place(text: string, word: string): { at: number; score: number } | undefined {
  let best: { at: number; score: number } | undefined;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const whole = end === text.length || boundary(text, end + 1) || text[end] === "_";
    const score = boundary(text, at) || text[at - 1] === "_" ? (whole ? 3 : 2) : 1;
    if (!best || score > best.score) best = { at, score };
  }
  return best;
}

/** Letters in their order with gaps, beginning at a word: `ftr` finds "flight tracker". */
function scattered(text: string, word: string): [number, number][] | undefined {
  if (word.length < 2) return undefined;
  for (let start = text.indexOf(word[0] ?? ""); start >= 0; ) {
    if (boundary(text, start)) {
      const marks: [number, number][] = [];
      let at = start;
      for (const letter of word) {
        at = text.indexOf(letter, at);
        if (at < 0) break;
        const last = marks.at(-1);
        if (last && last[1] === at) last[1]++;
        else marks.push([at, at + 1]);
        at++;
      }
      // Letters that are far apart are not a match.
      const far = (marks.at(-1)?.[1] ?? 0) - start > word.length * 5;
      if (at >= 0) return marks.length <= 1 + word.length / 2 || !far ? marks : undefined;
    }
    start = text.indexOf(word[0] ?? "", start + 1);
  }
  return undefined;
}

export function search<T extends Entry>(entries: readonly T[], query: string): Hit<T>[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.map((entry) => ({ entry, score: 0, marks: [] }));
  const hits: Hit<T>[] = [];
  for (const entry of entries) {
    const title = entry.title.toLowerCase();
    const name = entry.name.toLowerCase();
    const description = entry.description.toLowerCase();
    let score = 0;
    const marks: [number, number][] = [];
    const found = words.every((word) => {
      const inTitle = place(title, word);
      if (inTitle) {
        marks.push([inTitle.at, inTitle.at + word.length]);
        score += 30 * inTitle.score + (inTitle.at === 0 ? 5 : 0);
        return true;
      }
      const inName = place(name, word);
      if (inName) score += 25 * inName.score;
      const loose = inName ? undefined : scattered(title, word);
      if (loose) {
        marks.push(...loose);
        score += 12;
      }
      const inText = inName || loose ? undefined : place(description, word);
      if (inText) score += 5 * inText.score;
      return Boolean(inName || loose || inText);
    });
    if (found) hits.push({ entry, score, marks: joined(marks) });
  }
  return hits.sort((a, b) => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1));
}

function joined(marks: [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of [...marks].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}
