/** @jsxImportSource #jsx */
// Text, titles, captions, labels, badges.

import type { ReactNode } from "react";
import { attributes, type Look, type Native } from "./element";
import { choice, flags, type Given, isFigure, isFromRight, match, number, pick } from "./prop";
import { color, flex, length, put, type Style } from "./token";

const WEIGHTS: Style = { normal: "400", medium: "500", semibold: "600", bold: "700" };

/** The look of words; `value` are the words themselves, where they are known. */
export function textLook(
  base: "text" | "title" | "cap",
  props: Given<"Text"> & { flex?: unknown },
  value?: ReactNode,
): Look & { style: Style } {
  const style: Style = {};
  put(style, "color", color(props.color));
  put(style, "fontWeight", pick(WEIGHTS, props.weight));
  put(style, "flex", flex(props.flex));
  put(style, "textAlign", match(props.textAlign, /^(start|center|end)$/));
  const width = length(props.width);
  if (width) Object.assign(style, { width, maxWidth: "100%" });
  // A share of the row gives way to what is next to it, a column does not.
  if (width && !width.endsWith("%")) style.flexShrink = "0";
  let className = `wc-words wc-${base}${choice(base, props.size)}`;
  if (typeof value === "string" && value.length < 11) className += " wc-short";
  // Korean is broken between words alone, and a name of a few characters not at all.
  if (/\p{sc=Hangul}|^[\p{sc=Han}\p{scx=Hira}\p{scx=Kana}]{2,6}$/u.test(`${value}`))
    className += " wc-keep";
  // A word that no column has room for.
  if (/\S{24}/.test(`${value}`)) className += " wc-long";
  const most = number(props.maxLines, 1, 100);
  if (props.truncate === true || most === 1) {
    className += " wc-clip";
    // What is cut is the end of the words, whose direction may not be that of the card.
    const isRtl = isFromRight(value);
    if (isRtl !== undefined) style.direction = isRtl ? "rtl" : "ltr";
  } else if (most) {
    className += " wc-lines";
    style["--lines"] = `${Math.floor(most)}`;
  }
  const least = number(props.minLines, 1, 100);
  if (least) style.minHeight = `${least}lh`;
  if (props.italic === true) style.fontStyle = "italic";
  if (props.lineThrough === true) style.textDecoration = "line-through";
  return { className, style };
}

const whole = (words: string) => words.replace(/\s/g, "\u00a0");

/**
 * Lines end after a dot between parts, rather than within a short part: `HA 218 · Tue 9 March`; an amount is
 * never broken.
 */
function parted(words: ReactNode): ReactNode {
  if (typeof words !== "string") return words;
  if (isFigure(words)) return whole(words);
  const parts = words.split(" · ");
  return parts[1]
    ? parts.map((part) => (part.length < 17 ? whole(part) : part)).join("\u00a0· ")
    : words;
}

export function renderText(props: Given<"Text">, children: ReactNode, native?: Native) {
  const streaming = props.streaming === true;
  return (
    <p
      {...attributes(textLook("text", props, children), native)}
      aria-live={streaming ? "polite" : undefined}
    >
      {parted(children)}
      {streaming && <span className="wc-caret" aria-hidden="true" />}
    </p>
  );
}

export function renderTitle(
  props: Given<"Title">,
  children: ReactNode,
  native?: Native,
  level = 2,
) {
  const Tag = `h${level}` as "h2";
  return <Tag {...attributes(textLook("title", props, children), native)}>{parted(children)}</Tag>;
}

export function renderCaption(props: Given<"Caption">, children: ReactNode, native?: Native) {
  return <p {...attributes(textLook("cap", props, children), native)}>{parted(children)}</p>;
}

/** The label of a field; `mark` is what `renderMust` gives. */
export function renderLabel(
  props: Given<"Label">,
  children: ReactNode,
  mark: ReactNode,
  native: Native,
) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the attributes name the control
    <label {...attributes(textLook("text", { size: "sm", ...props }), native)}>
      {children}
      {mark}
    </label>
  );
}

/** The mark of a required field, unless its label has one. The control says it to those who cannot see. */
export function renderMust(label: string) {
  return (
    !/\*\s*$/.test(label) && (
      <span className="wc-must" aria-hidden="true">
        {"\u00a0*"}
      </span>
    )
  );
}

export function renderBadge(props: Given<"Badge">, children: ReactNode, native?: Native) {
  const kind = choice("v", props.variant) + choice("c", props.color) + choice("b", props.size);
  const className = `wc-badge${kind}${flags(props, "pill")}`;
  return <span {...attributes({ className }, native)}>{children}</span>;
}
