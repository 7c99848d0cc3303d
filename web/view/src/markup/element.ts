// How the attributes of a component and those of its user meet in one element.

import type { CSSProperties } from "react";
import type { Style } from "./token";

/** Attributes from trusted code, never from a tree. */
export type Native = Record<string, unknown>;

export interface Look {
  className: string;
  style?: Style | undefined;
  /** The theme of what is inside, where it differs. */
  theme?: string | undefined;
}

/** The attributes of an element: its own class and style first, then what its user adds. */
export function attributes({ className, style, theme }: Look, native: Native = {}) {
  return {
    ...native,
    ...(theme && { "data-theme": theme }),
    className: native.className ? `${className} ${native.className}` : className,
    style: { ...style, ...(native.style as Style) } as CSSProperties,
  };
}
