// Every CSS value and address of a tree passes through here. What a function does not know it
// drops, so nothing but the shapes below ever reaches a style or an attribute.

import { primitive } from "./palette";
import { type Given, match, number, type Props, pick, record } from "./prop";

export type Style = Record<string, string>;

// Tokens that are named otherwise in the style sheet; the others are `--wc-` and their name.
const TOKENS: Style = {
  prose: "text",
  primary: "text",
  emphasis: "text",
  secondary: "text-2",
  tertiary: "text-3",
  "surface-secondary": "surface-2",
  "surface-tertiary": "surface-3",
  "surface-elevated": "raised",
  "surface-elevated-secondary": "surface-2",
};
const NAMED =
  /^(success|warning|danger|info|discovery|caution|surface|blue|purple|orange|green|red|yellow|pink)$/;
// Border tokens mean nothing as a text colour: `default` text would be all but invisible.
const BORDERS: Style = { default: "border", subtle: "border-subtle", strong: "border-strong" };

const COLOR = "rgba?|hsla?|hwb|(ok)?(lab|lch)|color(-mix)?|light-dark";
const COLORS = new RegExp(`^(${COLOR})$`, "i");
const IMAGES = new RegExp(`^(${COLOR}|(repeating-)?(linear|radial|conic)-gradient|url)$`, "i");
const MATH = /^(calc|min|max|clamp|)$/i;
const LENGTH = /^[+-]?(\d+\.?\d*|\.\d+)([a-z]{1,5}|%)$/i;

/** The value if it has only plain characters and no call but those that `known` allows. */
function plain(value: string, known: RegExp): string | undefined {
  if (value.length > 400 || !/^[\w\s.,%/()#+*-]+$/.test(value)) return undefined;
  return value.match(/[\w-]*\(/g)?.every((call) => known.test(call.slice(0, -1)))
    ? value
    : undefined;
}

function shade(value: unknown, border?: boolean): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.trim();
  const token =
    (border && pick(BORDERS, name)) || pick(TOKENS, name) || (NAMED.test(name) ? name : "");
  if (token) return `var(--wc-${token})`;
  if (/^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(name)) return name;
  // Colour names are left to the browser; a list of them would cost a kilobyte.
  if (/^[a-z]{3,20}$/i.test(name)) {
    return globalThis.CSS?.supports?.("color", name) ? name : undefined;
  }
  return primitive(name) ?? (/^[a-z-]+\(.+\)$/i.test(name) ? plain(name, COLORS) : undefined);
}

/** A safe CSS colour, or undefined. `{light, dark}` becomes `light-dark()`. */
export function color(value: unknown, border?: boolean): string | undefined {
  const pair = record(value);
  if (!pair) return shade(value, border);
  const light = shade(pair.light, border);
  const dark = shade(pair.dark, border);
  return light && dark ? `light-dark(${light},${dark})` : (light ?? dark);
}

/** A safe `background`: a colour, gradients, or pictures from an https address. */
export function background(value: unknown, dark: boolean): string | undefined {
  const pair = record(value);
  // light-dark() takes colours only, so a pair with a gradient is decided here.
  if (pair && !(shade(pair.light) && shade(pair.dark))) {
    return background(dark ? pair.dark : pair.light, dark);
  }
  const paint = color(value);
  if (paint || typeof value !== "string") return paint;
  const pictures: (string | undefined)[] = [];
  const rest = value.trim().replace(/url\((["']?)([^"'()\s\\]*)\1\)/gi, (_, _quote, address) => {
    pictures.push(image(address));
    return "url(0)";
  });
  if (pictures.includes(undefined) || !/gradient\(|url\(0\)/i.test(rest)) return undefined;
  const safe = plain(rest, IMAGES);
  if (!safe || !pictures[0]) return safe;
  const whole = safe.replace(/url\(0\)/g, () => `url("${pictures.shift()}")`);
  // An image may be blocked: the surface stays under it, or the text has nothing to stand on.
  const backed = `${whole},linear-gradient(var(--wc-raised),var(--wc-raised))`;
  return globalThis.CSS?.supports?.("background", backed) ? backed : whole;
}

/** How bright a fixed, opaque colour is, from 0 to 1; nothing for any other paint. */
function luminance(paint = ""): number | undefined {
  const [, hex = ""] = /^#([\da-f]{6}|[\da-f]{3})$/i.exec(paint) ?? [];
  const parts = (hex.length === 3 ? hex.replace(/./g, "$&$&") : hex).match(/../g);
  if (!parts) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map(
    (part) => (Number.parseInt(part, 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/**
 * The theme whose texts can be read on a ground, if those of the present one cannot: an author's pale tint
 * stays pale in the dark.
 */
export function themeOn(ground: string | undefined, dark: boolean): "light" | "dark" | undefined {
  const bright = luminance(ground);
  if (bright === undefined) return undefined;
  // White on it, or black, has a contrast below 3 to 1.
  return dark ? (bright > 0.3 ? "light" : undefined) : bright < 0.11 ? "dark" : undefined;
}

/** A safe CSS length, or undefined; a number counts `unit` pixels. */
export function length(value: unknown, unit = 1): string | undefined {
  const bare = number(value, -10000, 10000);
  if (bare !== undefined) return `${bare * unit}px`;
  if (typeof value !== "string") return undefined;
  const written = value.trim();
  if (LENGTH.test(written))
    return Math.abs(Number.parseFloat(written)) <= 10000 ? written : undefined;
  if (/^(auto|(min|max|fit)-content)$/.test(written)) return written;
  return /^[a-z]+\([^#_]+\)$/i.test(written) ? plain(written, MATH) : undefined;
}

/** A length where a bare number counts spacing units of 4 px. */
export function space(value: unknown): string | undefined {
  return length(value, 4);
}

// Browsers drop control characters inside an address, and that can hide its scheme.
function address(value: unknown, allowed: RegExp): string | undefined {
  const written = match(value, allowed);
  return written && /\p{Cc}/u.test(written) ? undefined : written;
}

/** An address that may be opened: https, http, mailto or tel. */
export function url(value: unknown): string | undefined {
  return address(value, /^(https?:\/\/[^/\s]|(?:mailto|tel):\S)\S*$/i);
}

/** An address that may be drawn: https, a picture as data, or a blob. */
export function image(value: unknown): string | undefined {
  return address(
    value,
    /^(https:\/\/[^/\s]\S*$|blob:\S+$|data:image\/(png|jpe?g|gif|webp|avif|svg\+xml)[;,])/i,
  );
}

const RADIUS: Style = {
  "2xs": "2px",
  xs: "4px",
  sm: "6px",
  md: "8px",
  lg: "10px",
  xl: "12px",
  "2xl": "16px",
  "3xl": "20px",
  "4xl": "24px",
  full: "9999px",
  "100%": "100%",
  none: "0",
};

// Left and right turn around with the writing direction, as the rest of the layout does.
const EDGES = [
  ["y", "top", "BlockStart"],
  ["y", "bottom", "BlockEnd"],
  ["x", "left", "InlineStart"],
  ["x", "right", "InlineEnd"],
] as const;

/** One value for all edges, or one for each. */
function edges(value: unknown, prop: string, read: (one: unknown) => string | undefined): Style {
  const all = read(value);
  if (all) return { [prop]: all };
  const sides: Props = record(value) ?? {};
  const style: Style = {};
  for (const [axis, side, logical] of EDGES)
    put(style, prop + logical, read(sides[side] ?? sides[axis]));
  return style;
}

/** Sets a property unless its value was dropped. */
export function put(style: Style, key: string, value: string | undefined): void {
  if (value) style[key] = value;
}

export function spacing(value: unknown, prop: "padding" | "margin"): Style {
  return edges(value, prop, space);
}

export function border(value: unknown): Style {
  return edges(value, "border", (one) => {
    const given = record(one);
    const size = number(given ? given.size : one, 0, 64);
    if (size === undefined) return undefined;
    const style = match(given?.style, /^(dashed|dotted|double|groove|ridge|inset|outset)$/);
    return `${size}px ${style ?? "solid"} ${color(given?.color, true) ?? "var(--wc-border)"}`;
  });
}

/** Sizes, ratio, radius and margin of a block. */
export function block(props: Given<"Box">): Style {
  const style = spacing(props.margin, "margin");
  for (const [key, both] of [
    ["height", "size"],
    ["width", "size"],
    ["minHeight", "minSize"],
    ["minWidth", "minSize"],
    ["maxHeight", "maxSize"],
    ["maxWidth", "maxSize"],
  ] as const) {
    put(style, key, length(props[key] ?? props[both]));
  }
  put(style, "aspectRatio", match(props.aspectRatio, /^[\d.]+(\s*\/\s*[\d.]+)?$/));
  put(style, "borderRadius", pick(RADIUS, props.radius));
  put(style, "flex", flex(props.flex));
  return style;
}

export function flex(value: unknown): string | undefined {
  return match(value, /^(none|auto|[\d. ]+(auto|px|%)?)$/);
}
