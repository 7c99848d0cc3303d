// The curves that a series can name, as SVG paths. But for lines and steps each is a chain of
// cubic pieces, given by its knots and the direction in which it passes them; knots and directions
// are the textbook ones, and the results are those of d3-shape.

export type Point = readonly [x: number, y: number];

export const round = (v: number): number => Math.round(v * 10) / 10 || 0;
const place = (x: number, y: number): string => `${round(x)} ${round(y)}`;

/** `direction` of knot `i` seen from a piece that goes `h` to the side and `v` down. */
function chain(knots: Point[], direction: (i: number, h: number, v: number) => Point): string {
  let path = "";
  knots.forEach(([x, y], i) => {
    const before = knots[i - 1];
    if (before) {
      const [x0, y0] = before;
      const [p, q] = direction(i - 1, x - x0, y - y0);
      const [r, s] = direction(i, x - x0, y - y0);
      path += `C${place(x0 + p / 3, y0 + q / 3)} ${place(x - r / 3, y - s / 3)} `;
    } else path += "M";
    path += place(x, y);
  });
  return path;
}

/** A uniform B-spline; `basis` gets its ends by repeating them, `basisClosed` by going round. */
function spline(q: Point[]): string {
  const along = (i: number, f: (a: number, b: number, c: number) => number): Point => {
    const [a = [0, 0], b = a, c = b] = q.slice(i, i + 3);
    return [f(a[0], b[0], c[0]), f(a[1], b[1], c[1])];
  };
  const knots = q.slice(2).map((_, i) => along(i, (a, b, c) => (a + 4 * b + c) / 6));
  return chain(knots, (i) => along(i, (a, _, c) => (c - a) / 2));
}

/** The slope at each point, so that no piece overshoots its ends (Steffen 1990). */
function slopes(points: Point[], x: 0 | 1): number[] {
  const run = points.slice(1).map((point, i) => point[x] - (points[i]?.[x] ?? 0));
  const rise = points.slice(1).map((point, i) => {
    return (point[1 - x] ?? 0) - (points[i]?.[1 - x] ?? 0);
  });
  const all = points.map((_, i) => {
    const [h0 = 0, h1 = 0] = [run[i - 1], run[i]];
    const [s0, s1] = [(rise[i - 1] ?? 0) / h0 || 0, (rise[i] ?? 0) / h1 || 0];
    const mean = (s0 * h1 + s1 * h0) / (h0 + h1);
    const least = Math.min(Math.abs(s0), Math.abs(s1), Math.abs(mean) / 2);
    return (Math.sign(s0) + Math.sign(s1)) * least || 0;
  });
  const end = (i: number, next: number): number =>
    ((3 * (rise[i] ?? 0)) / (run[i] ?? 0) - (all[next] ?? 0)) / 2 || 0;
  const last = all.length - 1;
  [all[0], all[last]] = [end(0, 1), end(last - 1, last - 1)];
  return all;
}

/** The derivative of a natural spline at each of its values: a tridiagonal system. */
function natural(v: number[]): number[] {
  const last = v.length - 1;
  const above: number[] = [];
  const all: number[] = [];
  for (let i = 0; i <= last; i++) {
    const pivot = 1 / ((i % last ? 4 : 2) - (above[i - 1] ?? 0));
    const span = (v[Math.min(i + 1, last)] ?? 0) - (v[Math.max(i - 1, 0)] ?? 0);
    above.push(pivot);
    all.push((3 * span - (all[i - 1] ?? 0)) * pivot);
  }
  for (let i = last - 1; i >= 0; i--) all[i] = (all[i] ?? 0) - (above[i] ?? 0) * (all[i + 1] ?? 0);
  return all;
}

/** A path through, or with B-splines along, the points; a name that is not known is `monotone`. */
export function curve(type: string, points: Point[]): string {
  const [start, end] = [points[0], points.at(-1)];
  if (!start || !end) return "";
  if (type.startsWith("step")) {
    const part = type === "step" ? 0.5 : type === "stepAfter" ? 1 : 0;
    let path = `M${place(...start)}`;
    points.forEach(([x, y], i) => {
      const before = points[i - 1]?.[0] ?? x;
      path += `H${round(before + (x - before) * part)}V${round(y)}H${round(x)}`;
    });
    return path;
  }
  const close = type.endsWith("Closed") ? "Z" : "";
  if (points.length < (type === "basisOpen" ? 4 : 3) || type.startsWith("linear")) {
    return `M${points.map((point) => place(...point)).join("L")}${close}`;
  }
  if (type === "basisOpen") return spline(points);
  if (type === "basisClosed") return spline([...points, ...points.slice(0, 3)]) + close;
  if (type === "basis") return spline([start, start, ...points, end, end]);
  if (type === "bumpY") return chain(points, (_, _h, v) => [0, 1.5 * v]);
  if (type.startsWith("bump")) return chain(points, (_, h) => [1.5 * h, 0]);
  if (type === "natural") {
    const x = natural(points.map((point) => point[0]));
    const y = natural(points.map((point) => point[1]));
    return chain(points, (i) => [x[i] ?? 0, y[i] ?? 0]);
  }
  const slope = slopes(points, type === "monotoneY" ? 1 : 0);
  return chain(points, (i, h, v) =>
    type === "monotoneY" ? [v * (slope[i] ?? 0), v] : [h, h * (slope[i] ?? 0)],
  );
}
