// How wide columns are where they scroll.

/** How much is seen of the next column where columns go on beyond the edge: its padding and some letters. */
const PEEK = 44;

/** Widths that fill the room. Where not all columns fit, whole ones do, and the next one peeks out. */
export function spread(widths: readonly number[], room: number): number[] {
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  const isCut = sum(widths) > room;
  const end = isCut ? room - PEEK : room;
  const whole = isCut ? widths.filter((_, at) => sum(widths.slice(0, at + 1)) <= end) : widths;
  if (whole.length === 0) return [...widths];
  const growth = end / sum(whole);
  return widths.map((one, at) => (at < whole.length ? one * growth : one));
}
