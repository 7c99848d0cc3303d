/** @jsxImportSource #jsx */

import type { ReactNode } from "react";
import { attributes, type Native } from "./element";
import { ICON_SIZES } from "./icon";
import { choice, flags, type Given, pick, text } from "./prop";

/** The classes of a button. Without `style` it is secondary, unless it has a colour or submits. */
export function buttonKind(props: Given<"Button">, submit: boolean, bare: boolean): string {
  const plain = !props.style;
  const loud = props.style === "primary" || (plain && submit);
  return (
    choice("v", props.variant, loud || (plain && props.color) ? "solid" : "soft") +
    choice("c", props.color, loud || (plain && props.variant) ? "primary" : "secondary") +
    choice("s", props.size) +
    flags(props, "pill", "block", "uniform") +
    (bare ? " wc-uniform" : "")
  );
}

/** The size of a button's icons in pixels. */
export function buttonIconSize(props: Given<"Button">): number {
  const size = text(props.size);
  return pick(ICON_SIZES, props.iconSize) ?? (/xs/.test(size) ? 14 : /xl/.test(size) ? 18 : 16);
}

export function renderButton(
  kind: string,
  [start, label, end]: [start: ReactNode, label: ReactNode, end: ReactNode],
  busy: boolean,
  native: Native,
) {
  return (
    <button
      {...attributes({ className: `wc-btn${kind}` }, { type: "button", ...native })}
      aria-busy={busy || undefined}
    >
      <span className="wc-face">
        {start}
        {label && <span className="wc-clip">{label}</span>}
        {end}
      </span>
      {busy && <span className="wc-spin" />}
    </button>
  );
}
