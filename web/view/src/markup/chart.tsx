/** @jsxImportSource #jsx */
// The chart: an SVG of its own, drawn at the measured size. Mouse, touch and arrow keys select
// points; screen readers get the same numbers as a table.

import { translate } from "@widgetcast/i18n";
import { chart, empty } from "@widgetcast/i18n/host";
import type { CSSProperties, KeyboardEvent, PointerEvent, ReactElement, ReactNode } from "react";
import { useLayoutEffect, useMemo, useRef, useState } from "#react";
import { type ChartProps, formatter, type Model, read, type Scene, scene } from "./chart/model";
import { type Given, text } from "./prop";
import { block, flex, type Style } from "./token";

interface Size {
  width: number;
  height: number;
  rtl: boolean;
}

function styleOf(props: Given<"Chart">): Style {
  const style = block(props);
  const grow = flex(props.flex);
  if (grow) style.flex = grow;
  style.height ??= style.aspectRatio || grow ? "auto" : "220px";
  // A legend of many lines makes the chart higher; most of the height that was asked for is the plot's.
  if (style.height.endsWith("px")) {
    style.minHeight ??= style.height;
    style["--plot"] = `calc(${style.height}*.6)`;
    style.height = "auto";
    delete style.aspectRatio;
  } else style.minHeight ??= "120px";
  return style;
}

/** The size of the plot; until the first measurement, and where there is none, a likely one. */
function useSize(plot: { current: HTMLElement | null }, style: Style): Size {
  const [size, setSize] = useState<Size>(() => {
    const height = Number.parseFloat(style.minHeight ?? "");
    return { width: 480, height: height > 0 ? height : 220, rtl: false };
  });
  useLayoutEffect(() => {
    const element = plot.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      if (!width || !height) return;
      const rtl = getComputedStyle(element).direction === "rtl";
      setSize((now) =>
        width !== now.width || height !== now.height || rtl !== now.rtl
          ? { width, height, rtl }
          : now,
      );
    };
    measure();
    if (typeof ResizeObserver === "undefined") return;
    // Not in the callback: a change of size within it is reported as an error.
    const observer = new ResizeObserver(() => setTimeout(measure));
    observer.observe(element);
    return () => observer.disconnect();
  }, [plot]);
  return size;
}

/** The point that an arrow key leads to from this one. */
function pointByKey(key: string, active: number, last: number, rtl: boolean): number | undefined {
  const onward = active + 1 > last ? 0 : active + 1;
  const back = active < 1 ? last : active - 1;
  const to: Record<string, number> = {
    ArrowRight: rtl ? back : onward,
    ArrowLeft: rtl ? onward : back,
    Home: 0,
    End: last,
    Escape: -1,
  };
  return to[key];
}

let count = 0;

export function Chart(props: ChartProps) {
  const plot = useRef<HTMLDivElement>(null);
  // Not useId: several trees, each with a root of its own, may be on a page.
  const [id] = useState(() => `wc-chart-${count++}`);
  const style = styleOf(props);
  const size = useSize(plot, style);
  // The point that is looked at, and whether it was reached by keys and so is announced.
  const [point, setPoint] = useState({ active: -1, byKey: false });
  const locale = text(props.locale) || (globalThis.document?.documentElement.lang ?? "");
  const format = formatter(locale, { maximumFractionDigits: 4 });
  // What only new data or a new size change; the tooltip moves without it.
  const { model, name, at, still, table } = useMemo(() => {
    const model = read(props);
    const name = text(props.label) || caption(model, locale);
    const at = scene(model, { ...props, locale }, size);
    return {
      model,
      name,
      at,
      still: picture(at, props.showYAxis === true, id, size.rtl),
      table: numbers(model, name, format),
    };
  }, [props, size]);
  if (model.series.every((one) => one.values.every((value) => value === undefined))) {
    return (
      <div className="wc-chart wc-chart-none" style={style as CSSProperties}>
        {text(props.empty) || translate(empty, locale)}
      </div>
    );
  }

  const last = model.labels.length - 1;
  const hasTooltip = props.showTooltip !== false;
  const active = hasTooltip && point.active <= last ? point.active : -1;
  const look = (to: number, byKey = false) => {
    if (to !== point.active) setPoint({ active: to, byKey });
  };
  const onPointer = (event: PointerEvent) => {
    if (!plot.current) return;
    const along = event.clientX - plot.current.getBoundingClientRect().left - at.x(0);
    const i = Math.round((size.rtl ? -along : along) / at.step);
    look(Math.min(last, Math.max(0, i)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = pointByKey(event.key, point.active, last, size.rtl);
    if (next === undefined) return;
    event.preventDefault();
    look(next, true);
  };
  const values = model.series.map((one) => {
    const value = one.values[active];
    return { one, value: value === undefined ? "–" : format(value) };
  });
  return (
    <div className="wc-chart" style={style as CSSProperties}>
      <div
        ref={plot}
        className="wc-plot"
        role="img"
        aria-label={name}
        {...(hasTooltip && {
          tabIndex: 0,
          onPointerMove: onPointer,
          onPointerDown: onPointer,
          // A finger leaves as soon as it is lifted; then the tooltip stays until the focus goes.
          onPointerLeave: (event: PointerEvent) => {
            if (event.pointerType === "mouse") look(-1);
          },
          onKeyDown,
          onBlur: () => look(-1),
        })}
      >
        <svg aria-hidden="true">
          {active >= 0 && band(model, at, active)}
          {still}
          {active >= 0 && dots(model, at, active)}
        </svg>
        {active >= 0 && tooltip(model, at, active, size.width, values)}
      </div>
      {(props.showLegend ?? model.series.length > 1) === true && (
        <ul className="wc-legend">
          {model.series.map((one, n) => (
            <li key={n}>
              {swatch(one)}
              <span>{one.label}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="wc-chart-sr">
        {table}
        <p aria-live="polite">
          {point.byKey &&
            active >= 0 &&
            `${model.labels[active]}: ${values.map(({ one, value }) => `${one.label} ${value}`).join(", ")}`}
        </p>
      </div>
    </div>
  );
}

const hasBars = ({ series }: Model) => series.some((one) => one.type === "bar");

/** What marks the active point over the whole height. */
function band(model: Model, at: Scene, active: number): ReactElement {
  const bars = hasBars(model);
  return (
    <rect
      className="wc-chart-at"
      x={at.x(active) - (bars ? at.step / 2 : 0.5)}
      y={4}
      width={bars ? at.step : 1}
      height={at.foot - 4}
      rx={bars ? 4 : 0}
    />
  );
}

function dots(model: Model, at: Scene, active: number): ReactNode[] {
  return model.series.map(
    (one, n) =>
      one.type !== "bar" &&
      one.values[active] !== undefined && (
        <circle
          key={n}
          className="wc-chart-on"
          cx={at.x(active)}
          cy={at.y(one.to[active] ?? 0)}
          r={4}
          fill={one.color}
        />
      ),
  );
}

function tooltip(
  model: Model,
  at: Scene,
  active: number,
  width: number,
  values: { one: Model["series"][number]; value: string }[],
): ReactElement {
  const x = at.x(active);
  const off = hasBars(model) ? at.step / 2 + 6 : 12;
  return (
    <div
      className="wc-chart-tip"
      style={x < width / 2 ? { left: `${x + off}px` } : { right: `${width - x + off}px` }}
    >
      <b>{model.labels[active]}</b>
      {values.map(({ one, value }, n) => (
        <span key={n}>
          {swatch(one)}
          {one.label}
          <em>{value}</em>
        </span>
      ))}
    </div>
  );
}

function swatch({ type, color }: Model["series"][number]): ReactElement {
  return <i className={`wc-swatch-${type}`} style={{ background: color }} />;
}

function caption({ series, labels }: Model, locale: string): string {
  const span = labels.length > 1 ? `, ${labels[0]} – ${labels.at(-1)}` : "";
  return `${translate(chart, locale)}: ${series.map((one) => one.label).join(", ")}${span}`;
}

// By style: React and Preact write these attributes in two ways.
const stop = (offset: number, stopOpacity: number) => (
  <stop offset={offset} style={{ stopColor: "currentColor", stopOpacity: `${stopOpacity}` }} />
);

function picture(at: Scene, axis: boolean, id: string, rtl: boolean): ReactElement {
  const level = (y: number): string => `M${at.left} ${Math.round(y) + 0.5}H${at.right}`;
  // Without any axis it is a sparkline, and that is its line alone.
  const framed = axis || at.labels.length > 0;
  return (
    <g>
      {framed && <path className="wc-chart-grid" d={at.ticks.map(({ y }) => level(y)).join("")} />}
      {axis &&
        at.ticks.map(({ y, label }, n) => (
          <text key={n} x={rtl ? at.width : at.left - 8} y={y} dy=".32em">
            {label}
          </text>
        ))}
      {/* What covers most comes first, so that nothing is hidden. */}
      {["area", "bar", "line"].map((type) =>
        at.marks.map(
          ({ one, line, area, solid }, n) =>
            one.type === type && (
              <g key={n} style={{ color: one.color }}>
                {area && (
                  <>
                    <linearGradient id={`${id}-${n}`} x2="0" y2="1">
                      {stop(0, one.stacked ? 0.45 : 0.3)}
                      {stop(1, one.stacked ? 0.25 : 0.02)}
                    </linearGradient>
                    <path d={area} fill={`url(#${id}-${n})`} />
                  </>
                )}
                <path d={solid} fill="currentColor" />
                <path className="wc-chart-line" d={line} />
              </g>
            ),
        ),
      )}
      {framed && <path className="wc-chart-axis" d={level(at.zero)} />}
      {at.labels.map(({ x, label }, n) => (
        <text key={n} x={x} y={at.foot + 17}>
          {label}
        </text>
      ))}
    </g>
  );
}

function numbers(model: Model, name: string, format: (value: number) => string): ReactElement {
  const { series, labels } = model;
  return (
    <table>
      <caption>{name}</caption>
      <thead>
        <tr>
          <td />
          {series.map((one, n) => (
            <th key={n} scope="col">
              {one.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, i) => (
          <tr key={i}>
            <th scope="row">{label}</th>
            {series.map((one, n) => {
              const value = one.values[i];
              return <td key={n}>{value === undefined ? "–" : format(value)}</td>;
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export const chartCss = `
.wc-chart{display:flex;flex-direction:column;position:relative;width:100%;font-size:12px;line-height:18px}
.wc-chart-none{align-items:center;justify-content:center;color:var(--wc-text-2)}
.wc-plot{flex:1;min-height:var(--plot,0);position:relative;touch-action:pan-y;border-radius:4px}
.wc-plot:focus-visible{outline:2px solid var(--wc-blue);outline-offset:3px}
.wc-plot svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible;direction:ltr}
.wc-plot text{font-size:11px;fill:var(--wc-text-2);text-anchor:middle}.wc-plot text[dy]{text-anchor:end}
.wc-chart-grid,.wc-chart-axis{stroke:var(--wc-border);opacity:.6}.wc-chart-axis{opacity:1}
.wc-chart-line{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.wc-chart-at{fill:var(--wc-text);opacity:.07}.wc-chart-at[width="1"]{opacity:.25}
.wc-chart-on{stroke:var(--wc-surface);stroke-width:2}
.wc-chart-tip{position:absolute;top:4px;z-index:1;pointer-events:none;min-width:120px;max-width:70%;padding:8px 10px;border-radius:8px;background:var(--wc-surface);color:var(--wc-text);border:1px solid var(--wc-border);box-shadow:0 4px 16px #0002}
.wc-chart-tip b{display:block;font-weight:600;margin-bottom:2px}
.wc-chart-tip span,.wc-legend li{display:flex;align-items:center;gap:6px;color:var(--wc-text-2)}
.wc-chart-tip em{margin-inline-start:auto;padding-inline-start:12px;font-style:normal;font-weight:500;color:var(--wc-text)}
.wc-chart i{flex:none;width:8px;height:8px;border-radius:2px}.wc-chart .wc-swatch-line{height:3px}
.wc-chart-tip span{overflow-wrap:anywhere}.wc-legend li{max-width:100%}.wc-legend span{min-width:0}
.wc-legend{display:flex;flex-wrap:wrap;justify-content:center;gap:2px 14px;margin:8px 0 0;padding:0;list-style:none}
.wc-chart-sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;
