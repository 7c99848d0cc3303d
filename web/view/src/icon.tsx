// Icons. The page holds the 64 names of ChatKit in a short notation: paths in one string, `o` a
// circle and `r` a rectangle after a bar, all outlines; a leading `*` fills them too, a leading
// `!` paints the path alone, even-odd. Icons of lucide come with the tree and are checked here.
//
// The drawings are from lucide (ISC), in part from Feather (MIT); see ../NOTICE.

import { ICON_PREFIX } from "@widgetcast/client/wire";
import type { VNode } from "preact";
import { createElement } from "preact";
import data from "../icon-data.json" with { type: "json" };
import { list, record, text } from "./prop";

export type IconNode = [tag: string, attributes: Record<string, string>][];

const TAGS = /^(path|circle|rect|line|polyline|polygon|ellipse)$/;
const SHAPE = /^(d|points|transform|[cr]?[xy]|r|[xy][12]|width|height)$/;
// Numbers, path commands and the names of transforms need no other character.
const SAFE = /^[\w\s.,()+-]{1,4000}$/;

const known: Record<string, string> = data;

function drawing(code: string): VNode[] {
  return code
    .replace(/^[*!]/, "")
    .split("|")
    .map((shape) => {
      const [a = "", b = "", c = "", d = "", e = ""] = shape.slice(1).split(" ");
      if (shape[0] === "o") return circle(a, b, c);
      if (shape[0] === "r") return <rect x={a} y={b} width={c} height={d} rx={e} />;
      return <path d={shape} />;
    });
}

// The outline of a dot has a hole in the middle as soon as it is thinner than the dot.
function circle(cx: string, cy: string, r: string): VNode {
  return <circle cx={cx} cy={cy} r={r} {...(Number(r) <= 1 && { fill: "currentColor" })} />;
}

/** The nodes of an icon that came with a tree, without what is not a plain shape. */
function shapes(icon: unknown): VNode[] {
  const drawn: VNode[] = [];
  for (const node of list(icon).slice(0, 64)) {
    const [tag, given] = list(node);
    if (typeof tag !== "string" || !TAGS.test(tag)) continue;
    const attributes: Record<string, string> = {};
    for (const [key, value] of Object.entries(record(given) ?? {})) {
      const plain = text(value);
      if (SHAPE.test(key) && SAFE.test(plain)) attributes[key] = plain;
    }
    const { cx = "", cy = "", r = "" } = attributes;
    drawn.push(tag === "circle" ? circle(cx, cy, r) : createElement(tag, attributes));
  }
  return drawn;
}

export function Icon(props: {
  name: string;
  size?: number | undefined;
  icons?: Record<string, IconNode> | undefined;
  label?: string | undefined;
}): VNode {
  const name = text(props.name);
  const { icons = {}, label } = props;
  const code = Object.hasOwn(known, name) ? (known[name] ?? "") : "";
  const sent = !code && Object.hasOwn(icons, name) ? shapes(icons[name]) : [];
  // An unknown name is drawn as a plain ring, which keeps the layout.
  const ring = !code && sent.length === 0;
  const size = props.size ?? "1em";
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: it has a label or is hidden
    <svg
      class={`wc-icon${/^(chevron|arrow)-(left|right)$/.test(name.replace(ICON_PREFIX, "")) ? " wc-icon-turn" : ""}`}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={/^[*!]/.test(code) ? "currentColor" : "none"}
      fill-rule="evenodd"
      stroke={code[0] === "!" ? "none" : "currentColor"}
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": true })}
    >
      {ring ? circle("12", "12", "8") : code ? drawing(code) : sent}
    </svg>
  );
}

export const iconCss = `
.wc-icon{flex:none;display:block;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.wc-icon-turn:dir(rtl){transform:scaleX(-1)}
`;
