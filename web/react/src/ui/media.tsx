/** @jsxImportSource react */
// Images and charts.

import type { ImgHTMLAttributes } from "react";
import { Chart as Drawing } from "../../../view/src/markup/chart";
import type {
  Axis as AxisProps,
  ComponentProps,
  Series as SeriesProps,
} from "../../../view/src/markup/component-props";
import { Image as Picture } from "../../../view/src/markup/image";
import { rooted, useSurroundings } from "./root";
import { type BlockProps, type Color, nativeOf } from "./token";

export interface ImageProps
  extends BlockProps,
    Pick<ComponentProps["Image"], "fit" | "position" | "frame" | "flush">,
    Omit<ImgHTMLAttributes<HTMLImageElement>, "width" | "height" | "color" | "src" | "alt"> {
  /** `https:`, `data:image/…` or `blob:`; the host must allow its origin. */
  src: string;
  /** Alt text; empty for decoration. Shown instead of a blocked image. */
  alt: string;
  background?: Color | undefined;
}

export const Image = /* @__PURE__ */ rooted<HTMLImageElement, ImageProps>("Image", (props, ref) => {
  const { dark } = useSurroundings();
  return <Picture props={{ ...props }} dark={dark} native={{ ...nativeOf(props), ref }} />;
});

/** A series of a chart: bars, a line or an area. */
export interface Series<R> extends Pick<SeriesProps, "label" | "stack" | "curveType"> {
  type?: SeriesProps["type"] | undefined;
  /** The key of the values in a data point. */
  dataKey: Extract<keyof R, string>;
  color?: Color | undefined;
}

interface Axis<R> extends Pick<AxisProps, "hide"> {
  dataKey: Extract<keyof R, string>;
  /** Labels for the values, by value. */
  labels?: Record<string, string> | undefined;
}

export interface ChartProps<R>
  extends Omit<BlockProps, "radius" | "margin">,
    Pick<ComponentProps["Chart"], "showYAxis" | "showLegend" | "showTooltip" | "barGap"> {
  data: readonly R[];
  series: readonly Series<R>[];
  /** The key of the labels on the x-axis. */
  xAxis: Extract<keyof R, string> | Axis<R>;
  /** The gap between the bars of two points, in pixels or as `"20%"`. */
  barCategoryGap?: number | string | undefined;
  /** The accessible name; by default generated from the series. */
  label?: string | undefined;
  /** Shown if there are no values. */
  empty?: string | undefined;
}

interface ChartComponent {
  <R extends object>(props: ChartProps<R>): React.ReactNode;
  displayName?: string;
}

/** Bars, lines or areas, navigable with mouse, touch and arrow keys. */
export const Chart = /* @__PURE__ */ rooted<never, ChartProps<Record<string, unknown>>>(
  "Chart",
  (props) => {
    const { locale } = useSurroundings();
    return <Drawing {...props} locale={locale} />;
  },
) as unknown as ChartComponent;
