// Text, titles, captions, labels, badges, Markdown.

import type { HTMLAttributes, LabelHTMLAttributes, ReactNode } from "react";
import { createElement } from "react";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import { Markdown as Prose } from "../../../view/src/markup/markdown";
import * as markup from "../../../view/src/markup/text";
import { rooted, useSurroundings } from "./root";
import { type Color, nativeOf, type TextSize } from "./token";

interface Words
  extends Pick<ComponentProps["Text"], "weight" | "textAlign" | "truncate" | "maxLines" | "width"> {
  color?: Color | undefined;
  flex?: number | string | undefined;
  children?: ReactNode;
}

type Native<E> = Omit<HTMLAttributes<E>, "color" | "children">;

export interface TextProps
  extends Words,
    Pick<ComponentProps["Text"], "size" | "minLines" | "italic" | "lineThrough" | "streaming">,
    Native<HTMLParagraphElement> {}

/** A line or paragraph of plain text. */
export const Text = /* @__PURE__ */ rooted<HTMLParagraphElement, TextProps>(
  "Text",
  ({ children, ...props }, ref) =>
    markup.renderText({ ...props }, children, { ...nativeOf(props), ref }),
);

export interface TitleProps extends Words, Native<HTMLHeadingElement> {
  size?: ComponentProps["Title"]["size"];
  /** The heading level; 2 by default. */
  level?: 1 | 2 | 3 | 4 | 5 | 6 | undefined;
}

export const Title = /* @__PURE__ */ rooted<HTMLHeadingElement, TitleProps>(
  "Title",
  ({ children, level, ...props }, ref) =>
    markup.renderTitle({ ...props }, children, { ...nativeOf(props), ref }, level),
);

export interface CaptionProps extends Words, Native<HTMLParagraphElement> {
  size?: ComponentProps["Caption"]["size"];
}

/** Small, secondary text. */
export const Caption = /* @__PURE__ */ rooted<HTMLParagraphElement, CaptionProps>(
  "Caption",
  ({ children, ...props }, ref) =>
    markup.renderCaption({ ...props }, children, { ...nativeOf(props), ref }),
);

export interface LabelProps
  extends Words,
    Omit<LabelHTMLAttributes<HTMLLabelElement>, "color" | "children"> {
  size?: TextSize | undefined;
  /** Marks it as the label of a required field. */
  required?: boolean | undefined;
}

/** The label of a field; `htmlFor` is the field's `id`. Most fields have a `label` prop instead. */
export const Label = /* @__PURE__ */ rooted<HTMLLabelElement, LabelProps>(
  "Label",
  ({ children, required, ...props }, ref) =>
    markup.renderLabel(
      { ...props },
      children,
      required && markup.renderMust(typeof children === "string" ? children : ""),
      { ...nativeOf(props), ref },
    ),
);

export interface BadgeProps
  extends Pick<ComponentProps["Badge"], "color" | "variant" | "size" | "pill">,
    Native<HTMLSpanElement> {
  children?: ReactNode;
}

/** A short label on a tinted background. */
export const Badge = /* @__PURE__ */ rooted<HTMLSpanElement, BadgeProps>(
  "Badge",
  ({ children, ...props }, ref) =>
    markup.renderBadge({ ...props }, children, { ...nativeOf(props), ref }),
);

export interface MarkdownProps extends Native<HTMLDivElement> {
  /** The Markdown source. HTML in it is shown as text. */
  children?: string | undefined;
  /** The text is still streaming: unfinished markup at its end is closed. */
  streaming?: boolean | undefined;
  /** Called for links; by default the host opens them. */
  onLink?: ((url: string) => void) | undefined;
  /** The number of heading levels above the text; 2 by default. */
  headings?: number | undefined;
  /** A custom renderer for code blocks. */
  renderCode?: ((code: string, language: string) => ReactNode) | undefined;
  /** Renders images; by default they are links, because most hosts block remote images. */
  renderImage?: ((url: string, alt: string) => ReactNode) | undefined;
}

/** Renders Markdown as elements, never as HTML. */
export const Markdown = /* @__PURE__ */ rooted<HTMLDivElement, MarkdownProps>(
  "Markdown",
  ({ children = "", streaming, onLink, headings, renderCode, renderImage, ...props }, ref) => {
    const { open, locale } = useSurroundings();
    const native = { ...nativeOf(props), ref };
    const options = { onLink: onLink ?? open, locale, headings, renderCode, renderImage };
    return createElement(Prose, { value: children, streaming, native, ...options });
  },
);
