// The values that several components take, as types.

import type { ComponentProps, Edge } from "../../../view/src/markup/component-props";

/** A colour: a token, a step of the palette such as `blue-500`, any CSS colour, or one per theme. */
export type Color = ColorName | (string & {}) | { light: string; dark: string };
type ColorName =
  | "prose"
  | "primary"
  | "emphasis"
  | "secondary"
  | "tertiary"
  | "success"
  | "warning"
  | "danger"
  | "info"
  | "discovery"
  | "caution"
  | "surface"
  | "surface-secondary"
  | "surface-tertiary";

/** Pixels, or a CSS length. */
export type Length = number | string;
/** Steps of 4 pixels, or a CSS length. */
export type Space = number | string;

export interface Sides<T> {
  top?: T | undefined;
  right?: T | undefined;
  bottom?: T | undefined;
  left?: T | undefined;
  x?: T | undefined;
  y?: T | undefined;
}

export interface Line {
  size: number;
  color?: Color | "default" | "subtle" | "strong" | undefined;
  style?: Edge["style"];
}

/** The font size, from 12 to 20 pixels. */
export type TextSize = NonNullable<ComponentProps["Text"]["size"]>;
/** The height of a control, from 24 to 48 pixels; `lg` by default. */
export type ControlSize = NonNullable<ComponentProps["Button"]["size"]>;

type Sizes =
  | "width"
  | "height"
  | "size"
  | "minWidth"
  | "minHeight"
  | "minSize"
  | "maxWidth"
  | "maxHeight"
  | "maxSize";

/** Sizes, ratio, radius and margin. */
export interface BlockProps
  extends Pick<ComponentProps["Box"], Sizes | "aspectRatio" | "radius" | "flex"> {
  margin?: Space | Sides<Space> | undefined;
}

// The props that components read themselves; an element does not get them as attributes.
const OWN = new Set(
  `align aspectRatio autoResize background barCategoryGap barGap block border clearable collapsed
  color colSize data direction drawing empty fit flex flush footer frame gap gutterSize header
  headings height iconEnd iconSize iconStart inputType italic justify label level limit lineThrough
  margin maxHeight maxLines maxRows maxSize maxWidth minHeight minLines minSize minWidth more
  onLink options padding pending pill position radius renderCode renderImage searchable
  series showLegend showTooltip showYAxis size spacing src state status streaming submit texts
  textAlign theme truncate uniform vAlign variant weight width wrap xAxis`.split(/\s+/),
);

/** The props that are attributes of the element: `id`, `className`, `aria-…`, handlers. */
export function nativeOf(props: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !OWN.has(name)));
}
