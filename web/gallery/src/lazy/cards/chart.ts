// The charts of the current schema that the surface writes: bars, bars in groups or stacks, and lines. Drawn
// with boxes and one SVG for lines, so that they are as wide as the card without measuring it.
import { svg } from "../../svg";

export interface Series {
  legend: string;
  color?: string | undefined;
  values: { x: string; y: number }[];
}

export interface Chart {
  type: string;
  data?: unknown;
  color?: string;
  stacked?: boolean;
  showLegend?: boolean;
  yAxisTitle?: string;
  yMin?: number;
  title?: string;
  showTitle?: boolean;
}

/** The series of a chart; a chart of single bars has one. */
export function seriesOf(chart: Chart): Series[] {
  const list = Array.isArray(chart.data) ? chart.data : [];
  if (chart.type !== "Chart.VerticalBar") return list as Series[];
  const { yAxisTitle = "", color } = chart;
  return [{ legend: yAxisTitle, color, values: list as Series["values"] }];
}

/** Round values from below the smallest to above the largest, some four steps apart. */
export function ticks(low: number, high: number): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 2.5, 5, 10].map((n) => n * power).find((n) => span / n <= 4.5) ?? 10 * power;
  const out: number[] = [];
  for (
    let n = Math.floor(low / step);
    n <= Math.ceil(Math.max(high, low + step) / step) && out.length < 12;
    n++
  ) {
    out.push(Number((n * step).toPrecision(12)));
  }
  return out;
}

/**
 * The lowest and the highest value; bars start at zero, lines only where that is asked for or does not
 * flatten them.
 */
export function bounds(
  all: Series[],
  stacked: boolean,
  lines: boolean,
  yMin = Number.POSITIVE_INFINITY,
): [number, number] {
  const sums = new Map<string, number>();
  const values: number[] = [];
  for (const { x, y } of all.flatMap((series) => series.values)) {
    const sum = (sums.get(x) ?? 0) + y;
    sums.set(x, sum);
    values.push(stacked ? sum : y);
  }
  const low = Math.min(...values, yMin);
  const high = Math.max(...values, 0);
  return [lines && low > high / 2 ? low : Math.min(low, 0), high];
}

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const COLORS = ["#4f6bed", "#e3008c", "#ca5010", "#0b8a8a", "#8764b8", "#107c10"];
const NAMED: Record<string, string> = {
  categoricalBlue: "#4f6bed",
  categoricalPurple: "#8764b8",
  categoricalRed: "#d13438",
  categoricalGreen: "#13a10e",
  categoricalMarigold: "#eaa300",
};
const colorOf = (series: Series, index: number): string =>
  NAMED[series.color ?? ""] ?? COLORS[index % COLORS.length] ?? "";

function box(className: string, style = "", text = ""): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.style.cssText = style;
  element.textContent = text;
  return element;
}

/** Where the bars of one label stand, in parts of the plot. */
function bars(all: Series[], label: number, low: number, span: number, stacked: boolean) {
  let below = 0;
  return all.map((series, index) => {
    const y = series.values[label]?.y ?? 0;
    const start = stacked ? below : 0;
    below += y;
    const width = stacked ? 1 : 1 / all.length;
    return {
      left: stacked ? 0 : index * width,
      width,
      bottom: (Math.min(start, start + y) - low) / span,
      height: Math.abs(y) / span,
      color: colorOf(series, index),
    };
  });
}

const percent = (part: number): string => `${Number((part * 100).toFixed(2))}%`;

function lineSvg(all: Series[], low: number, span: number): SVGElement {
  const drawing = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" });
  all.forEach((series, index) => {
    const count = series.values.length;
    const points = series.values.map(
      ({ y }, at) => `${((at + 0.5) * 100) / count},${100 - ((y - low) * 100) / span}`,
    );
    drawing.append(svg("polyline", { points: points.join(" "), stroke: colorOf(series, index) }));
  });
  return drawing;
}

function plot(all: Series[], labels: string[], chart: Chart): HTMLElement {
  const lines = chart.type === "Chart.Line";
  const stacked = chart.stacked === true;
  const marks = ticks(...bounds(all, stacked, lines, chart.yMin));
  const low = marks[0] ?? 0;
  const span = (marks.at(-1) ?? 1) - low || 1;
  const area = box("cards-plot");
  for (const mark of marks) {
    const grid = box("cards-grid", `bottom:${percent((mark - low) / span)}`);
    grid.append(box("cards-tick", "", short.format(mark)));
    area.append(grid);
  }
  const inner = box("cards-bars");
  if (lines) {
    inner.append(lineSvg(all, low, span));
  } else {
    labels.forEach((_, index) => {
      const group = box("cards-group");
      for (const bar of bars(all, index, low, span, stacked)) {
        group.append(
          box(
            "cards-bar",
            `left:${percent(bar.left)};width:${percent(bar.width)};bottom:${percent(bar.bottom)};height:${percent(bar.height)};background:${bar.color}`,
          ),
        );
      }
      inner.append(group);
    });
  }
  area.append(inner);
  return area;
}

/** A chart as an element; none if it has no data. */
export function drawChart(chart: Chart): HTMLElement | undefined {
  const all = seriesOf(chart);
  const labels = (all[0]?.values ?? []).map(({ x }) => String(x));
  if (labels.length === 0) return undefined;
  const out = box("cards-chart");
  out.setAttribute("role", "img");
  const said = all.map(({ legend, values }) => {
    const points = values.map(({ x, y }) => `${x} ${y.toLocaleString("en")}`);
    return `${legend}: ${points.join(", ")}`;
  });
  out.setAttribute("aria-label", said.join("; "));
  const axis = box("cards-axis");
  const every = Math.ceil(labels.length / 12);
  labels.forEach((label, index) => {
    axis.append(box("", "", index % every === 0 ? label : ""));
  });
  if (chart.title && chart.showTitle) out.append(box("cards-title", "", chart.title));
  out.append(plot(all, labels, chart), axis);
  const named = all.filter(({ legend }) => legend);
  if (chart.showLegend !== false && named.length > 0) {
    const legend = box("cards-legend");
    named.forEach((series, index) => {
      const entry = box("");
      entry.append(box("cards-dot", `background:${colorOf(series, index)}`), series.legend);
      legend.append(entry);
    });
    out.append(legend);
  }
  return out;
}

export const chartStyle = `
.cards-chart{width:100%;padding-top:8px;font-size:12px;line-height:16px;color:light-dark(#616161,#adadad)}
.cards-title{margin-bottom:16px;font-weight:600;color:light-dark(#242424,#fff)}
.cards-plot{position:relative;height:148px;margin-inline-start:36px}
.cards-grid{position:absolute;inset-inline:0;border-top:1px solid light-dark(#e8e8e8,#3d3d3d)}
.cards-tick{position:absolute;inset-inline-end:calc(100% + 6px);top:-8px;white-space:nowrap}
.cards-bars{position:absolute;inset:0;display:flex}.cards-group{position:relative;flex:1;margin:0 12%;min-width:0}
.cards-bars:has(:nth-child(5)) .cards-group{margin:0 2%}
.cards-bar{position:absolute;border-radius:2px 2px 0 0;box-sizing:border-box;border-inline:1px solid transparent;background-clip:padding-box!important}
.cards-bars svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
.cards-bars polyline{fill:none;stroke-width:2px;vector-effect:non-scaling-stroke;stroke-linejoin:round;stroke-linecap:round}
.cards-axis{display:flex;margin:6px 0 0;margin-inline-start:36px}.cards-axis>div{flex:1;min-width:0;text-align:center;white-space:nowrap}
.cards-legend{display:flex;flex-wrap:wrap;gap:4px 16px;margin-top:8px;justify-content:center}.cards-legend>div{display:flex;align-items:center;gap:6px}
.cards-dot{width:10px;height:10px;border-radius:2px}
`;
