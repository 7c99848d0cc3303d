// How the attributes of a component and those of its user meet in one element.

import type { CSSProperties } from "react";
import type { Style } from "./token";

/** Attributes from trusted code, never from a tree. */
export type Native = Record<string, unknown>;

export interface Look {
  className: string;
  style?: Style | undefined;
}

/** The attributes of an element: its own class and style first, then what its user adds. */
export function attributes({ className, style }: Look, native: Native = {}) {
  return {
    ...native,
    className: native.className ? `${className} ${native.className}` : className,
    style: { ...style, ...(native.style as Style) } as CSSProperties,
  };
}
