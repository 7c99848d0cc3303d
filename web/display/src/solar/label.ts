// Where the names of planets stand: below each, within the image, and neither over each other nor over
// the sun. In pixels from the middle.

export interface Label {
  /** Of its planet. */
  radius: number;
  width: number;
  height: number;
  /** The higher one has its name where two would be in one place; 0 has none, infinity always. */
  rank: number;
}
interface Point {
  x: number;
  y: number;
}
interface Box extends Point {
  width: number;
  height: number;
}

/** Between a planet, with the ring around the chosen one, and its name. */
const GAP = 6;
const EDGE = 2;
/** Nearer beside each other, two names would read as one. */
const APART = 8;

const areOver = (a: Box, b: Box) =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 + APART &&
  Math.abs(a.y - b.y) < (a.height + b.height) / 2;

const isOverSun = ({ x, y, width, height }: Box, sun: number) =>
  Math.hypot(Math.max(0, Math.abs(x) - width / 2), Math.max(0, Math.abs(y) - height / 2)) < sun;

/** The middle of the base line of each name that there is room for. */
export function placed(
  labels: readonly Label[],
  points: readonly Point[],
  size: { width: number; height: number },
  /** Its radius, with the glow. */
  sun: number,
): (Point | undefined)[] {
  const planets = points.map((point, at) => {
    const width = 2 * (labels[at]?.radius ?? 0);
    return { ...point, width, height: width };
  });
  const taken: Box[] = [];
  const found: (Point | undefined)[] = labels.map(() => undefined);
  const order = [...labels.entries()].sort(([, a], [, b]) => b.rank - a.rank);
  for (const [at, { radius, width, height, rank }] of order) {
    if (rank === 0) continue;
    const { x, y } = points[at] as Point;
    const side = size.width / 2 - EDGE - width / 2;
    const away = radius + GAP + height / 2;
    const isLow = y + away + height / 2 > size.height / 2 - EDGE;
    const box = {
      x: Math.max(-side, Math.min(side, x)),
      y: isLow ? y - away : y + away,
      width,
      height,
    };
    // A name off the sun is on the side of its planet that is away from it, that of the chosen one at
    // least where the glow ends.
    const outside = y < 0 ? -1 : 1;
    if (isOverSun(box, sun)) box.y = y + outside * away;
    if (Number.isFinite(rank)) {
      const others = [...taken, ...planets.filter((_, other) => other !== at)];
      if (isOverSun(box, sun) || others.some((other) => areOver(box, other))) continue;
    } else if (isOverSun(box, sun)) box.y = outside * (sun + height / 2);
    taken.push(box);
    // A base line is about a third of a letter below its middle.
    found[at] = { x: box.x, y: box.y + height / 3 };
  }
  return found;
}
