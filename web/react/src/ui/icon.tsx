/** @jsxImportSource react */

import { type HTMLAttributes, isValidElement, type ReactElement } from "react";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import {
  ICON_SIZES,
  type IconDrawing,
  renderDrawing,
  renderGlyph,
} from "../../../view/src/markup/icon";
import { color } from "../../../view/src/markup/token";
import { rooted } from "./root";
import { type Color, nativeOf } from "./token";

export interface IconProps extends Omit<HTMLAttributes<HTMLSpanElement>, "color" | "children"> {
  /** One of `@widgetcast/react/icons`, or the nodes of a lucide icon. */
  drawing: IconDrawing;
  size?: ComponentProps["Icon"]["size"];
  color?: Color | undefined;
  /** The accessible name; without one, the icon is decorative. */
  label?: string | undefined;
}

export const Icon = /* @__PURE__ */ rooted<HTMLSpanElement, IconProps>(
  "Icon",
  ({ drawing, size = "md", color: paint, label, ...props }, ref) =>
    renderGlyph(renderDrawing(drawing, ICON_SIZES[size], label), color(paint), {
      ...nativeOf(props),
      ref,
    }),
);

/** An icon in a component: a drawing, or any element. */
export type IconLike = IconDrawing | ReactElement;

export const glyph = (icon: IconLike | undefined, size: number) =>
  icon && (isValidElement(icon) ? icon : renderGlyph(renderDrawing(icon as IconDrawing, size)));
