// The chart: an SVG of its own, drawn at the measured size. Mouse, touch and arrow keys walk along
// the points; who cannot see it gets the same numbers as a table.

import { Component, type ComponentChild, createRef, type VNode } from "preact";
import { formatter, type Model, read, type Scene, scene } from "./chart/model";
import { type Props, text } from "./prop";
import { block, flex } from "./token";

interface State {
  width: number;
  height: number;
  rtl: boolean;
  /** The point that is looked at, and whether it was reached by keys and so is told. */
  active: number;
  told: boolean;
}

let count = 0;

export class Chart extends Component<Props, State> {
  private plot = createRef<HTMLDivElement>();
  private watch: ResizeObserver | undefined;
  private id = `wc-chart-${count++}`;
  private drawn:
    | { for: unknown[]; model: Model; scene: Scene; still: VNode; table: VNode }
    | undefined;

  constructor(props: Props) {
    super(props);
    // Good until the first measurement, and where there is none.
    const height = Number.parseFloat(this.style().height ?? "");
    this.state = {
      width: 480,
      height: height > 0 ? height : 220,
      rtl: false,
      active: -1,
      told: false,
    };
  }

  override componentDidMount(): void {
    this.measure();
    if (!this.plot.current || typeof ResizeObserver === "undefined") return;
    // Not in the callback: a change of size within it is reported as an error.
    this.watch = new ResizeObserver(() => setTimeout(this.measure));
    this.watch.observe(this.plot.current);
  }

  override componentWillUnmount(): void {
    this.watch?.disconnect();
  }

  private measure = (): void => {
    const plot = this.plot.current;
    if (!plot?.clientWidth || !plot.clientHeight) return;
    const { clientWidth: width, clientHeight: height } = plot;
    const rtl = getComputedStyle(plot).direction === "rtl";
    const { state } = this;
    if (width !== state.width || height !== state.height || rtl !== state.rtl) {
      this.setState({ width, height, rtl });
    }
  };

  private style(): Record<string, string> {
    const { props } = this;
    const style = block(props);
    const grow = flex(props.flex);
    if (grow) style.flex = grow;
    style.height ??= style.aspectRatio || grow ? "auto" : "220px";
    if (!style.height.endsWith("px")) style.minHeight ??= "120px";
    return style;
  }

  private look = (active: number, told = false): void => {
    if (active !== this.state.active) this.setState({ active, told });
  };

  private point = (event: PointerEvent): void => {
    const { drawn, plot } = this;
    if (!drawn || !plot.current) return;
    const { scene: at, model } = drawn;
    const along = event.clientX - plot.current.getBoundingClientRect().left - at.x(0);
    const i = Math.round((this.state.rtl ? -along : along) / at.step);
    this.look(Math.min(model.labels.length - 1, Math.max(0, i)));
  };

  // A finger leaves as soon as it is lifted; then the tooltip stays until the focus goes.
  private leave = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") this.look(-1);
  };

  private key = (event: KeyboardEvent): void => {
    const last = (this.drawn?.model.labels.length ?? 0) - 1;
    const { active, rtl } = this.state;
    const onward = active + 1 > last ? 0 : active + 1;
    const back = active < 1 ? last : active - 1;
    const to: Record<string, number> = {
      ArrowRight: rtl ? back : onward,
      ArrowLeft: rtl ? onward : back,
      Home: 0,
      End: last,
      Escape: -1,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.look(next, true);
  };

  /** The parts that only new data or a new size change; the tooltip moves without them. */
  private draw(): NonNullable<typeof this.drawn> {
    const { props, state, drawn } = this;
    const now = [props, state.width, state.height, state.rtl];
    if (drawn && now.every((value, n) => value === drawn.for[n])) return drawn;
    const model = read(props);
    const at = scene(model, { ...props, locale: this.locale() }, state);
    this.drawn = {
      for: now,
      model,
      scene: at,
      still: picture(at, props.showYAxis === true, this.id, state.rtl),
      table: numbers(model, this.format()),
    };
    return this.drawn;
  }

  private locale(): string {
    return text(this.props.locale) || (globalThis.document?.documentElement.lang ?? "");
  }

  private format(): (value: number) => string {
    return formatter(this.locale(), { maximumFractionDigits: 4 });
  }

  override render(): ComponentChild {
    const { props, state } = this;
    const { model, scene: at, still, table } = this.draw();
    const style = this.style();
    if (model.series.every((one) => one.values.every((value) => value === undefined))) {
      return (
        <div class="wc-chart wc-chart-none" style={style}>
          No data
        </div>
      );
    }
    const hints = props.showTooltip !== false;
    const active = hints && state.active < model.labels.length ? state.active : -1;
    const format = this.format();
    const facts = model.series.map((one) => {
      const value = one.values[active];
      return { one, value: value === undefined ? "–" : format(value) };
    });
    const x = at.x(active);
    const bars = model.series.some((one) => one.type === "bar");
    const off = bars ? at.step / 2 + 6 : 12;
    return (
      <div class="wc-chart" style={style}>
        <div
          ref={this.plot}
          class="wc-plot"
          role="img"
          aria-label={caption(model)}
          {...(hints && {
            tabIndex: 0,
            onPointerMove: this.point,
            onPointerDown: this.point,
            onPointerLeave: this.leave,
            onKeyDown: this.key,
            onBlur: () => this.look(-1),
          })}
        >
          <svg aria-hidden="true">
            {active >= 0 && (
              <rect
                class="wc-chart-at"
                x={x - (bars ? at.step / 2 : 0.5)}
                y={4}
                width={bars ? at.step : 1}
                height={at.foot - 4}
                rx={bars ? 4 : 0}
              />
            )}
            {still}
            {active >= 0 &&
              model.series.map(
                (one, n) =>
                  one.type !== "bar" &&
                  one.values[active] !== undefined && (
                    <circle
                      key={n}
                      class="wc-chart-on"
                      cx={x}
                      cy={at.y(one.to[active] ?? 0)}
                      r={4}
                      fill={one.color}
                    />
                  ),
              )}
          </svg>
          {active >= 0 && (
            <div
              class="wc-chart-tip"
              style={
                x < state.width / 2
                  ? { left: `${x + off}px` }
                  : { right: `${state.width - x + off}px` }
              }
            >
              <b>{model.labels[active]}</b>
              {facts.map(({ one, value }, n) => (
                <span key={n}>
                  {swatch(one)}
                  {one.label}
                  <em>{value}</em>
                </span>
              ))}
            </div>
          )}
        </div>
        {(props.showLegend ?? model.series.length > 1) === true && (
          <ul class="wc-legend">
            {model.series.map((one, n) => (
              <li key={n}>
                {swatch(one)}
                {one.label}
              </li>
            ))}
          </ul>
        )}
        <div class="wc-chart-sr">
          {table}
          <p aria-live="polite">
            {state.told &&
              active >= 0 &&
              `${model.labels[active]}: ${facts.map(({ one, value }) => `${one.label} ${value}`).join(", ")}`}
          </p>
        </div>
      </div>
    );
  }
}

function swatch({ type, color }: Model["series"][number]): VNode {
  return <i class={`wc-swatch-${type}`} style={{ background: color }} />;
}

function caption({ series, labels }: Model): string {
  const types = new Set(series.map((one) => one.type));
  const [type = ""] = types.size === 1 ? types : [];
  const kind = type ? `${type[0]?.toUpperCase()}${type.slice(1)} chart` : "Chart";
  const span = labels.length > 1 ? `, ${labels[0]} – ${labels.at(-1)}` : "";
  return `${kind}: ${series.map((one) => one.label).join(", ")}${span}`;
}

function picture(at: Scene, axis: boolean, id: string, rtl: boolean): VNode {
  const level = (y: number): string => `M${at.left} ${Math.round(y) + 0.5}H${at.right}`;
  // Without any axis it is a sparkline, and that is its line alone.
  const framed = axis || at.labels.length > 0;
  return (
    <g>
      {framed && <path class="wc-chart-grid" d={at.ticks.map(({ y }) => level(y)).join("")} />}
      {axis &&
        at.ticks.map(({ y, label }, n) => (
          <text key={n} x={rtl ? at.width : at.left - 8} y={y} dy=".32em" text-anchor="end">
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
                      <stop stop-color="currentColor" stop-opacity={one.stacked ? 0.45 : 0.3} />
                      <stop
                        offset="1"
                        stop-color="currentColor"
                        stop-opacity={one.stacked ? 0.25 : 0.02}
                      />
                    </linearGradient>
                    <path d={area} fill={`url(#${id}-${n})`} />
                  </>
                )}
                <path d={solid} fill="currentColor" />
                <path class="wc-chart-line" d={line} />
              </g>
            ),
        ),
      )}
      {framed && <path class="wc-chart-axis" d={level(at.zero)} />}
      {at.labels.map(({ x, label }, n) => (
        <text key={n} x={x} y={at.foot + 17} text-anchor="middle">
          {label}
        </text>
      ))}
    </g>
  );
}

function numbers(model: Model, format: (value: number) => string): VNode {
  const { series, labels } = model;
  return (
    <table>
      <caption>{caption(model)}</caption>
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
.wc-chart{display:flex;flex-direction:column;position:relative;width:100%;min-width:0;font-size:12px;line-height:18px;font-variant-numeric:tabular-nums}
.wc-chart-none{align-items:center;justify-content:center;color:var(--wc-text-2)}
.wc-plot{flex:1;min-height:0;position:relative;touch-action:pan-y;border-radius:4px}
.wc-plot:focus-visible{outline:2px solid var(--wc-blue);outline-offset:3px}
.wc-plot svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible;direction:ltr}
.wc-plot text{font-size:11px;fill:var(--wc-text-2)}
.wc-chart-grid,.wc-chart-axis{stroke:var(--wc-border);opacity:.6}.wc-chart-axis{opacity:1}
.wc-chart-line{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.wc-chart-at{fill:var(--wc-text);opacity:.07}.wc-chart-at[width="1"]{opacity:.25}
.wc-chart-on{stroke:var(--wc-surface);stroke-width:2}
.wc-chart-tip{position:absolute;top:4px;z-index:1;pointer-events:none;min-width:120px;max-width:70%;padding:8px 10px;border-radius:8px;background:var(--wc-surface);color:var(--wc-text);border:1px solid var(--wc-border);box-shadow:0 4px 16px #0002}
.wc-chart-tip b{display:block;font-weight:600;margin-bottom:2px}
.wc-chart-tip span,.wc-legend li{display:flex;align-items:center;gap:6px;color:var(--wc-text-2)}
.wc-chart-tip em{margin-inline-start:auto;padding-inline-start:12px;font-style:normal;font-weight:500;color:var(--wc-text)}
.wc-chart i{flex:none;width:8px;height:8px;border-radius:2px}.wc-chart .wc-swatch-line{height:3px}
.wc-legend{display:flex;flex-wrap:wrap;justify-content:center;gap:2px 14px;margin:8px 0 0;padding:0;list-style:none}
.wc-chart-sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
`;
