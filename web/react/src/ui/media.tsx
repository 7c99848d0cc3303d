/** @jsxImportSource react */
// Pictures and charts.

import type { ImgHTMLAttributes } from "react";
import { Chart as Drawing } from "../../../view/src/markup/chart";
import { Image as Picture } from "../../../view/src/markup/image";
import { rooted, useSurroundings } from "./root";
import { type BlockProps, type Color, nativeOf } from "./token";

export interface ImageProps
  extends Omit<BlockProps, "flex">,
    Omit<ImgHTMLAttributes<HTMLImageElement>, "width" | "height" | "color" | "src" | "alt"> {
  /** `https:`, `data:image/…` or `blob:`; the host must allow the place it comes from. */
  src: string;
  /** What it shows; empty for decoration. It stands in the place of a picture that is refused. */
  alt: string;
  fit?: "cover" | "contain" | "fill" | "scale-down" | "none" | undefined;
  position?:
    | "top left"
    | "top"
    | "top right"
    | "left"
    | "center"
    | "right"
    | "bottom left"
    | "bottom"
    | "bottom right"
    | undefined;
  background?: Color | undefined;
  flex?: number | string | undefined;
  /** A thin line around it. */
  frame?: boolean | undefined;
  /** To the edges of the card. */
  flush?: boolean | undefined;
}

export const Image = /* @__PURE__ */ rooted<HTMLImageElement, ImageProps>("Image", (props, ref) => {
  const { dark } = useSurroundings();
  return <Picture props={{ ...props }} dark={dark} native={{ ...nativeOf(props), ref }} />;
});

/** What a chart draws of its data: bars, a line or an area. */
export interface Series<R> {
  type?: "bar" | "area" | "line" | undefined;
  /** Which member of a data point. */
  dataKey: Extract<keyof R, string>;
  /** Its name; the key without it. */
  label?: string | undefined;
  color?: Color | undefined;
  /** Bars and areas with the same word are stacked. */
  stack?: string | undefined;
  curveType?:
    | "basis"
    | "basisClosed"
    | "basisOpen"
    | "bump"
    | "bumpX"
    | "bumpY"
    | "linear"
    | "linearClosed"
    | "monotone"
    | "monotoneX"
    | "monotoneY"
    | "natural"
    | "step"
    | "stepAfter"
    | "stepBefore"
    | undefined;
}

interface Axis<R> {
  dataKey: Extract<keyof R, string>;
  hide?: boolean | undefined;
  /** Other words for the values, by value. */
  labels?: Record<string, string> | undefined;
}

export interface ChartProps<R> extends Omit<BlockProps, "radius" | "margin"> {
  data: readonly R[];
  series: readonly Series<R>[];
  /** Which member names the points below them. */
  xAxis: Extract<keyof R, string> | Axis<R>;
  showYAxis?: boolean | undefined;
  /** Shown without it if there is more than one series. */
  showLegend?: boolean | undefined;
  showTooltip?: boolean | undefined;
  /** Between the bars of one point, in pixels. */
  barGap?: number | undefined;
  /** Between the bars of two points, in pixels or as `"20%"`. */
  barCategoryGap?: number | string | undefined;
  /** What it shows, for those who cannot see it; made of the series without it. */
  label?: string | undefined;
  /** What stands there if there are no numbers. */
  empty?: string | undefined;
}

interface ChartComponent {
  <R extends object>(props: ChartProps<R>): React.ReactNode;
  displayName?: string;
}

/** Bars, lines or areas. Mouse, touch and arrow keys walk along its points. */
export const Chart = /* @__PURE__ */ rooted<never, ChartProps<Record<string, unknown>>>(
  "Chart",
  (props) => {
    const { locale } = useSurroundings();
    return <Drawing {...props} locale={locale} />;
  },
) as unknown as ChartComponent;
