// Text, titles, captions, labels, badges, Markdown.

import type { HTMLAttributes, LabelHTMLAttributes, ReactNode } from "react";
import { createElement } from "react";
import { Markdown as Prose } from "../../../view/src/markup/markdown";
import * as markup from "../../../view/src/markup/text";
import { rooted, useSurroundings } from "./root";
import { type Color, type Length, nativeOf, type TextSize } from "./token";

interface Words {
  color?: Color | undefined;
  weight?: "normal" | "medium" | "semibold" | "bold" | undefined;
  textAlign?: "start" | "center" | "end" | undefined;
  /** Cuts the text at the end of the line. */
  truncate?: boolean | undefined;
  /** Cuts the text after so many lines. */
  maxLines?: number | undefined;
  /** How wide the text may become. */
  width?: Length | undefined;
  flex?: number | string | undefined;
  children?: ReactNode;
}

type Native<E> = Omit<HTMLAttributes<E>, "color" | "children">;

export interface TextProps extends Words, Native<HTMLParagraphElement> {
  size?: TextSize | undefined;
  /** Keeps room for so many lines. */
  minLines?: number | undefined;
  italic?: boolean | undefined;
  lineThrough?: boolean | undefined;
  /** More of the text is still to come. */
  streaming?: boolean | undefined;
}

/** A line or paragraph of plain text. */
export const Text = /* @__PURE__ */ rooted<HTMLParagraphElement, TextProps>(
  "Text",
  ({ children, ...props }, ref) =>
    markup.renderText({ ...props }, children, { ...nativeOf(props), ref }),
);

export interface TitleProps extends Words, Native<HTMLHeadingElement> {
  size?: "sm" | "md" | "lg" | "xl" | "2xl" | "3xl" | "4xl" | "5xl" | undefined;
  /** Of the heading, 2 without it. */
  level?: 1 | 2 | 3 | 4 | 5 | 6 | undefined;
}

export const Title = /* @__PURE__ */ rooted<HTMLHeadingElement, TitleProps>(
  "Title",
  ({ children, level, ...props }, ref) =>
    markup.renderTitle({ ...props }, children, { ...nativeOf(props), ref }, level),
);

export interface CaptionProps extends Words, Native<HTMLParagraphElement> {
  size?: "sm" | "md" | "lg" | undefined;
}

/** Small, quiet text. */
export const Caption = /* @__PURE__ */ rooted<HTMLParagraphElement, CaptionProps>(
  "Caption",
  ({ children, ...props }, ref) =>
    markup.renderCaption({ ...props }, children, { ...nativeOf(props), ref }),
);

export interface LabelProps
  extends Words,
    Omit<LabelHTMLAttributes<HTMLLabelElement>, "color" | "children"> {
  size?: TextSize | undefined;
  /** Marks it as the label of a field that must be filled in. */
  required?: boolean | undefined;
}

/** The label of a field; `htmlFor` is the field's `id`. Fields have one of their own: `label`. */
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

export interface BadgeProps extends Native<HTMLSpanElement> {
  color?: "secondary" | "success" | "danger" | "warning" | "info" | "discovery" | undefined;
  variant?: "solid" | "soft" | "outline" | undefined;
  size?: "sm" | "md" | "lg" | undefined;
  /** Round ends. */
  pill?: boolean | undefined;
  children?: ReactNode;
}

/** A short word on a tinted ground. */
export const Badge = /* @__PURE__ */ rooted<HTMLSpanElement, BadgeProps>(
  "Badge",
  ({ children, ...props }, ref) =>
    markup.renderBadge({ ...props }, children, { ...nativeOf(props), ref }),
);

export interface MarkdownProps extends Native<HTMLDivElement> {
  /** The Markdown. HTML in it stays text. */
  children?: string | undefined;
  /** More of the text is still to come: what is open at its end is closed. */
  streaming?: boolean | undefined;
  /** Without it links are opened by the host. */
  onLink?: ((url: string) => void) | undefined;
  /** How many levels of heading are above the text; 2 without it. */
  headings?: number | undefined;
  /** Draws a block of code in another way. */
  renderCode?: ((code: string, language: string) => ReactNode) | undefined;
  /** Draws a picture, which else is a link: most hosts forbid to load it. */
  renderImage?: ((url: string, alt: string) => ReactNode) | undefined;
}

/** Markdown as elements; nothing of it is parsed as HTML. */
export const Markdown = /* @__PURE__ */ rooted<HTMLDivElement, MarkdownProps>(
  "Markdown",
  ({ children = "", streaming, onLink, headings, renderCode, renderImage, ...props }, ref) => {
    const { open } = useSurroundings();
    const native = { ...nativeOf(props), ref };
    const options = { onLink: onLink ?? open, headings, renderCode, renderImage };
    return createElement(Prose, { value: children, streaming, native, ...options });
  },
);
