// The data of a chart, read from props that are not validated, and its layout. Only `scene` deals
// with pixels, and nothing here with vnodes.

import { type Given, list, number, record, text } from "../prop";
import { color } from "../token";
import { curve, type Point, round } from "./curve";

export interface Series {
  type: "area" | "bar" | "line";
  label: string;
  color: string;
  curve: string;
  stacked: boolean;
  /** The group of bars that it shares a place with. */
  slot: string;
  values: (number | undefined)[];
  /** Where each value begins (on what it is stacked) and ends. */
  from: number[];
  to: number[];
}

export interface Model {
  labels: string[];
  series: Series[];
  low: number;
  high: number;
}

const HUES = ["blue", "purple", "orange", "green", "pink", "red", "yellow"];
const COLORS = [...HUES, ...HUES.map((hue) => `${hue}-100`), ...HUES.map((hue) => `${hue}-700`)];
// Rows times series is what a chart costs, so one of them needs a bound.
const MOST = 32;

export type ChartProps = Omit<Given<"Chart">, "key"> & {
  /** What it shows, for those who cannot see it. */
  label?: unknown;
  /** What stands there without data. */
  empty?: unknown;
  locale?: unknown;
};

export function read(props: ChartProps): Model {
  const rows = list(props.data).map((row) => record(row) ?? {});
  const axis = record(props.xAxis);
  const names = record(axis?.labels) ?? {};
  const key = text(axis?.dataKey ?? props.xAxis);
  const labels = rows.map((row) => {
    const name = text(row[key]);
    return Object.hasOwn(names, name) ? text(names[name]) : name;
  });
  const stacks = new Map<string, [up: number[], down: number[]]>();
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const taken = new Set(list(props.series).map((entry) => text(record(entry)?.color)));
  const free = COLORS.filter((name) => !taken.has(name));
  let next = 0;
  const series = list(props.series)
    .slice(0, MOST)
    .map((entry, n): Series => {
      const given = record(entry) ?? {};
      const type = given.type === "bar" || given.type === "area" ? given.type : "line";
      const stack = text(given.stack);
      const stacked = stack !== "" && type !== "line";
      const slot = stacked ? `${type} ${stack}` : `#${n}`;
      const [up, down] = stacks.get(slot) ?? [[], []];
      stacks.set(slot, [up, down]);
      const dataKey = text(given.dataKey);
      const values = rows.map((row) =>
        Object.hasOwn(row, dataKey) ? number(row[dataKey], -1e300, 1e300) : undefined,
      );
      const from: number[] = [];
      const to = values.map((value = 0, i) => {
        // Negative bars are stacked downwards; areas are one stack.
        const pile = type === "bar" && value < 0 ? down : up;
        const base = pile[i] ?? 0;
        from.push(base);
        pile[i] = base + value;
        if (values[i] !== undefined || stacked) {
          low = Math.min(low, base + value);
          high = Math.max(high, base + value);
        }
        return base + value;
      });
      return {
        type,
        label: text(given.label) || dataKey,
        color: color(given.color) ?? color(free[next++ % free.length]) ?? "currentColor",
        curve: text(given.curveType),
        stacked,
        slot,
        values,
        from,
        to,
      };
    });
  // The lengths of bars and areas are only right from zero on; lines may use a closer range.
  if (low >= high || low < high / 2 || series.some((one) => one.type !== "line")) {
    low = Math.min(0, low);
    high = Math.max(0, high);
  }
  if (!(high - low > 1e-300)) high = low + 1;
  return { labels, series, low, high };
}

/** The nearest of 1, 2 and 5 times a power of ten. */
function nice(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const part = raw / power;
  return power * (part > 7 ? 10 : part > 3.2 ? 5 : part > 1.4 ? 2 : 1);
}

/** Round values that include the range, about `count` steps apart. */
export function ticks(low: number, high: number, count: number): number[] {
  const step = nice((high - low) / count);
  const all: number[] = [];
  // The small amount keeps a rounding error from adding a step.
  for (let n = Math.floor(low / step + 1e-6); all.length < 20; n++) {
    all.push(n * step);
    if (n * step >= high - step * 1e-6) break;
  }
  return all;
}

export function formatter(
  locale: string,
  options: Intl.NumberFormatOptions,
): (value: number) => string {
  for (const tag of [locale, undefined]) {
    try {
      return new Intl.NumberFormat(tag || undefined, options).format;
    } catch {
      // An unknown locale; the browser's own is known.
    }
  }
  return String;
}

// The font is the host's and not measured: digits and Latin letters of 11 px are about this wide.
export function breadth(label: string): number {
  let width = 0;
  for (const sign of label) width += sign > "\u2e7f" ? 12 : 6.5;
  return width;
}

export interface Scene {
  width: number;
  height: number;
  /** The y of the foot of the plot, of zero, and the inner sides. */
  foot: number;
  zero: number;
  left: number;
  right: number;
  step: number;
  x(i: number): number;
  y(value: number): number;
  ticks: { y: number; label: string }[];
  labels: { x: number; label: string }[];
  marks: { one: Series; line: string; area: string; solid: string }[];
}

/** Everything with its place in a plot of this size. */
export function scene(
  model: Model,
  props: ChartProps,
  { width, height, rtl }: { width: number; height: number; rtl: boolean },
): Scene {
  const { series, labels } = model;
  const rows = labels.length;
  const hidden = record(props.xAxis)?.hide === true;
  const foot = Math.max(20, height - (hidden ? 4 : 24));
  const count = Math.min(5, Math.max(1.5, (foot - 8) / 44));
  let marks = ticks(model.low, model.high, count);
  // Round values far outside of what there is would leave it little room.
  if ((marks.at(-1) ?? 0) - (marks[0] ?? 0) > 1.5 * (model.high - model.low))
    marks = ticks(model.low, model.high, count * 2);
  const [low = 0, high = 1] = [marks[0], marks.at(-1)];
  const gap = (marks[1] ?? high) - low;
  const format = formatter(text(props.locale), {
    notation: Math.max(high, -low) < 10_000 ? "standard" : "compact",
    maximumFractionDigits: Math.min(
      20,
      Math.max(high < 10_000 ? 0 : 2, Math.ceil(-Math.log10(gap))),
    ),
  });
  const y = (value: number): number => foot - ((value - low) / (high - low)) * (foot - 8);
  const scale = marks.map((value) => ({ y: y(value), label: format(value) }));

  const side = props.showYAxis === true ? Math.max(...scale.map((t) => breadth(t.label))) + 10 : 0;
  const slots = [...new Set(series.filter((s) => s.type === "bar").map((s) => s.slot))];
  const edge = slots.length > 0 || rows < 2;
  const start = side + (edge ? 0 : 5);
  const inner = Math.max(10, width - start - (edge ? 0 : 5));
  const step = inner / (edge ? rows : rows - 1);
  const along = (i: number): number => start + step * (edge ? i + 0.5 : i);
  const turn = (x: number): number => (rtl ? width - x : x);
  const x = (i: number): number => turn(along(i));
  const [left, right] = rtl ? [0, width - side] : [side, width];

  // Labels that would touch are left out evenly; a long one is cut to the room that it has.
  const widest = labels.reduce((most, label) => Math.max(most, breadth(label)), 0);
  const every = step < 56 ? Math.ceil((Math.min(widest, 72) + 12) / step) : 1;
  const room = every * step - 6;
  let end = -9;
  const shown = labels.flatMap((label, i) => {
    if (hidden || i % every !== 0) return [];
    const short =
      breadth(label) > room ? `${label.slice(0, Math.max(1, room / 6.5 - 1)).trim()}…` : label;
    const half = breadth(short) / 2;
    // A long label may overlap the edge by some pixels rather than push its neighbour out.
    const inset = half > 13 ? half - 6 : half;
    const place = Math.min(width - inset, Math.max(inset, along(i)));
    if (place - half < end) return [];
    end = place + half + 4;
    return { x: turn(place), label: short };
  });

  // In a narrow chart gaps shrink before bars do.
  const many = slots.length;
  const between = Math.min(number(props.barGap, 0, 100) ?? 3, step / many / 5);
  const share = /^([\d.]+)%$/.exec(text(props.barCategoryGap));
  const apart = share
    ? (step * Number(share[1])) / 100
    : (number(props.barCategoryGap, 0, 1000) ?? step * 0.28);
  const free = Math.max(step - apart - between * (many - 1), Math.min(step / 2, many * 8));
  const bar = Math.min(48, free / many);
  const group = bar * many + between * (many - 1);

  return {
    width,
    height,
    foot,
    zero: y(Math.max(low, 0)),
    left,
    right,
    step,
    x,
    y,
    ticks: scale,
    labels: shown,
    marks: series.map((one) => {
      const path = { one, line: "", area: "", solid: "" };
      if (one.type === "bar") {
        const offset = slots.indexOf(one.slot) * (bar + between) - group / 2;
        path.solid = one.values
          .map((value, i) => {
            if (!value) return "";
            const above = series.some(
              (s) => s.slot === one.slot && s.to[i] !== s.from[i] && s.from[i] === one.to[i],
            );
            return column(
              x(i) + (rtl ? -offset - bar : offset),
              bar,
              y(one.from[i] ?? 0),
              y(one.to[i] ?? 0),
              !above,
              one.from[i] !== 0,
            );
          })
          .join("");
        return path;
      }
      for (const run of runs(one)) {
        const top = run.map((i): Point => [x(i), y(one.to[i] ?? 0)]);
        const [first] = top;
        if (first && top.length === 1) {
          path.solid += `M${round(first[0] - 3)} ${round(first[1])}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`;
          continue;
        }
        // A closed line has no foot to stand on, so an area takes the open form.
        const kind = one.type === "area" ? one.curve.replace("Closed", "") : one.curve;
        path.line += curve(kind, top);
        if (one.type !== "area") continue;
        const back = run.map((i): Point => [x(i), y(Math.max(low, one.from[i] ?? 0))]).reverse();
        const turned =
          kind === "stepBefore" ? "stepAfter" : kind === "stepAfter" ? "stepBefore" : kind;
        path.area += `${curve(kind, top)}${curve(turned, back).replace("M", "L")}Z`;
      }
      return path;
    }),
  };
}

/** The stretches without a missing value; a pile of areas has none. */
function runs(one: Series): number[][] {
  const all: number[][] = [[]];
  one.values.forEach((value, i) => {
    if (value !== undefined || one.stacked) all.at(-1)?.push(i);
    else if (all.at(-1)?.length) all.push([]);
  });
  return all.filter((run) => run.length > 0);
}

/** A bar from `foot` to `head`, round at its head; on another bar it leaves a hair of room. */
function column(
  x: number,
  width: number,
  foot: number,
  head: number,
  tip: boolean,
  raised: boolean,
): string {
  const way = head < foot ? 1 : -1;
  const base = raised && Math.abs(head - foot) > 3 ? foot - way : foot;
  const r = tip ? Math.min(4, width / 3, Math.abs(base - head)) : 0;
  const bend = round(r * way);
  return `M${round(x)} ${round(base)}V${round(head + bend)}q0 ${-bend} ${round(r)} ${-bend}h${round(width - 2 * r)}q${round(r)} 0 ${round(r)} ${bend}V${round(base)}z`;
}
