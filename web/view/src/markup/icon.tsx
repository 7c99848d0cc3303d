/** @jsxImportSource #jsx */
// Icons. A drawing is a text in a short notation: paths in one string, `o` a circle and `r` a
// rectangle after a bar, all outlines; a leading `*` fills them too, a leading `!` paints the path
// alone, even-odd; a `~` before that mirrors it where text runs from right to left. Or it is a list
// of nodes, as lucide has them, which is checked here because it may have come with a tree.
//
// The drawings are from lucide (ISC), in part from Feather (MIT); see ../../NOTICE.

import type { ReactElement } from "react";
import { createElement } from "#react";
import { attributes, type Native } from "./element";
import { list, record, text } from "./prop";
import type { Style } from "./token";

export type IconNode = [tag: string, attributes: Record<string, string>][];
/** A drawing of `@widgetcast/react/icons`, or the nodes of an icon of lucide. */
export type IconDrawing = string | IconNode;

export const ICON_SIZES: Record<string, number> = {
  xs: 14,
  sm: 16,
  md: 18,
  lg: 20,
  xl: 22,
  "2xl": 24,
  "3xl": 32,
};

const TAGS = /^(path|circle|rect|line|polyline|polygon|ellipse)$/;
const SHAPE = /^(d|points|transform|[cr]?[xy]|r|[xy][12]|width|height)$/;
// Numbers, path commands and the names of transforms need no other character.
const SAFE = /^[\w\s.,()+-]{1,4000}$/;

function drawn(code: string): ReactElement[] {
  return code.split("|").map((shape, key) => {
    const [a = "", b = "", c = "", d = "", e = ""] = shape.slice(1).split(" ");
    if (shape[0] === "o") return circle(a, b, c, key);
    if (shape[0] === "r") return <rect key={key} x={a} y={b} width={c} height={d} rx={e} />;
    return <path key={key} d={shape} />;
  });
}

// The outline of a dot has a hole in the middle as soon as it is thinner than the dot.
function circle(cx: string, cy: string, r: string, key = 0): ReactElement {
  const fill = Number(r) <= 1 && { fill: "currentColor" };
  return <circle key={key} cx={cx} cy={cy} r={r} {...fill} />;
}

/** The nodes of an icon, without what is not a plain shape. */
function shapes(icon: unknown): ReactElement[] {
  const drawn: ReactElement[] = [];
  for (const node of list(icon).slice(0, 64)) {
    const [tag, given] = list(node);
    if (typeof tag !== "string" || !TAGS.test(tag)) continue;
    const attributes: Record<string, string> = {};
    for (const [key, value] of Object.entries(record(given) ?? {})) {
      const plain = text(value);
      if (SHAPE.test(key) && SAFE.test(plain)) attributes[key] = plain;
    }
    const { cx = "", cy = "", r = "" } = attributes;
    const key = drawn.length;
    drawn.push(
      tag === "circle" ? circle(cx, cy, r, key) : createElement(tag, { key, ...attributes }),
    );
  }
  return drawn;
}

export function renderDrawing(
  drawing: IconDrawing | undefined,
  size: number | string = "1em",
  label?: string,
  turns = typeof drawing === "string" && drawing[0] === "~",
): ReactElement {
  const code = typeof drawing === "string" ? drawing.replace("~", "") : "";
  const sent = code ? drawn(code.replace(/^[*!]/, "")) : shapes(drawing);
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label or is hidden
    <svg
      className={turns ? "wc-icon wc-icon-turn" : "wc-icon"}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={/^[*!]/.test(code) ? "currentColor" : "none"}
      stroke={code[0] === "!" ? "none" : "currentColor"}
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    >
      {/* A drawing without a shape is a plain ring, which keeps the layout. */}
      {sent[0] ? sent : circle("12", "12", "8")}
    </svg>
  );
}

/** An icon in a line of text. */
export function renderGlyph(icon: ReactElement, color?: string, native?: Native) {
  const style: Style = color ? { color } : {};
  return <span {...attributes({ className: "wc-glyph", style }, native)}>{icon}</span>;
}

export const iconCss = `
.wc-icon{flex:none;display:block;fill-rule:evenodd;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.wc-icon-turn:dir(rtl){transform:scaleX(-1)}
`;
