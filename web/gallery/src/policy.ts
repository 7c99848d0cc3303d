// What to declare so that a policy allows what it refused.

import type { Refused } from "./frame";

export interface Declaration {
  /** What was refused, in words. */
  text: string;
  /** The line to add to the page's declaration or the settings, where there is one. */
  line: string | undefined;
  /** The member of `_meta.ui.csp` that it ends up in. */
  member: string | undefined;
}

const KINDS: [directive: RegExp, member: string, method: string][] = [
  [/^connect-src/, "connectDomains", "connect"],
  [/^frame-src|^child-src/, "frameDomains", "frame"],
  [/^(img|script|style|font|media)-src/, "resourceDomains", "resource"],
];

function originOf(address: string): string | undefined {
  try {
    const { origin, protocol } = new URL(address);
    return /^(https?|wss?):$/.test(protocol) ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** How to let views, and this page, load images from an origin. */
export const imageOrigin = (origin: string) =>
  `image_origins = ["${origin}"] under [settings] in widgetcast.toml, or serve --image-origin ${origin}`;

/** `isWidget`: the page is the one that draws widgets, whose images have a setting. */
export function declarationOf({ directive, address }: Refused, isWidget: boolean): Declaration {
  const origin = originOf(address);
  const text = `${directive} ${origin ?? address}`;
  const kind = KINDS.find(([pattern]) => pattern.test(directive));
  if (!kind || !origin) return { text, line: undefined, member: undefined };
  const [, member, method] = kind;
  if (isWidget && /^img-src/.test(directive)) return { text, line: imageOrigin(origin), member };
  return { text, line: `.${method}(["${origin}"])`, member };
}

/** More are not read by anybody. */
const MOST = 60;

/** One more, unless it is there already or there are enough. */
export function withRefused(all: Declaration[], one: Refused, isWidget: boolean): Declaration[] {
  if (all.length >= MOST) return all;
  const found = declarationOf(one, isWidget);
  return all.some(({ text }) => text === found.text) ? all : [...all, found];
}
