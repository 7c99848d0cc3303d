/** @jsxImportSource #jsx */
// Boxes, forms, and what separates them.

import type { KeyboardEvent, ReactNode } from "react";
import { useRef } from "#react";
import { attributes, type Look, type Native } from "./element";
import { flags, type Given, match, text } from "./prop";
import {
  background,
  block,
  border,
  color,
  length,
  put,
  type Style,
  space,
  spacing,
  themeOn,
} from "./token";

/** Where things are along a side, allow-listed. */
export function place(value: unknown): string | undefined {
  return match(
    // What is too wide starts at the edge: before it, no one could see or measure it.
    text(value)
      .replace(/^(between|around|evenly)$/, "space-$1")
      .replace(/^(center|end)$/, "safe $1"),
    /^(start|safe \w+|baseline|stretch|space-\w+)$/,
  );
}

/** The style of a box, with every value allow-listed. */
export function boxStyle(props: Given<"Box">, dark: boolean): Style {
  const style = {
    ...block(props),
    ...spacing(props.padding, "padding"),
    ...border(props.border),
  };
  put(style, "alignItems", place(props.align));
  put(style, "justifyContent", place(props.justify));
  put(style, "flexWrap", match(props.wrap, /^wrap(-reverse)?$/));
  put(style, "gap", space(props.gap));
  put(style, "background", background(props.background, dark));
  // A box of a fixed size is a frame for an image or an icon: the text next to it gives way.
  if (!style.flex && typeof (props.size ?? props.width) === "number") style.flexShrink = "0";
  return style;
}

/** The look of a `Row`, a `Col` or a `Box`; a form is a column. */
export function boxLook(type: string, props: Given<"Box">, dark: boolean): Look {
  const row = type === "Row" || (type !== "Col" && props.direction === "row");
  const style = boxStyle(props, dark);
  return {
    className: `wc-${row ? "row" : "col"}${type === "Box" ? " wc-box" : ""}${typeof props.size === "number" ? " wc-square" : ""}`,
    style,
    theme: themeOn(style.background, dark),
  };
}

export function renderBox(look: Look, children: ReactNode, native?: Native) {
  return <div {...attributes(look, native)}>{children}</div>;
}

// `submit` events never fire in a frame without allow-forms; this works there too.
export function isValid(event: { currentTarget: Element }): boolean {
  return event.currentTarget.closest("form")?.reportValidity() !== false;
}

type Entered = KeyboardEvent<HTMLFormElement> & { isComposing?: boolean };

/** A form. Enter in one of its fields presses its submit button, else runs `submit`. */
export function renderForm(
  { className, ...look }: Look,
  submit: (event: { currentTarget: HTMLFormElement }) => void,
  children: ReactNode,
  native?: Native,
) {
  return (
    <form
      noValidate
      {...attributes({ className: `wc-form ${className}`, ...look }, native)}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event: Entered) => {
        const field = event.target as HTMLInputElement;
        // React has it on the native event alone, Preact has no other.
        const isComposing = event.isComposing ?? event.nativeEvent?.isComposing;
        if (event.key !== "Enter" || isComposing || !field.matches("input,[data-line]")) return;
        event.preventDefault();
        event.stopPropagation();
        if (/^(checkbox|radio)$/.test(field.type)) return;
        const button = event.currentTarget.querySelector<HTMLElement>("[data-submit]");
        if (button) return button.click();
        if (isValid(event)) submit(event);
      }}
    >
      {children}
    </form>
  );
}

export function renderDivider(props: Given<"Divider">, native?: Native) {
  const style: Style = {};
  put(style, "--line", color(props.color, true));
  put(style, "--size", length(props.size));
  put(style, "--gap", space(props.spacing));
  return <hr {...attributes({ className: `wc-line${flags(props, "flush")}`, style }, native)} />;
}

export function renderSpacer(props: Given<"Spacer">, native?: Native) {
  const size = length(props.minSize);
  const style: Style = size ? { minWidth: size, minHeight: size } : {};
  return <div {...attributes({ className: "wc-spacer", style }, native)} />;
}

/** What has another name than before gets a new frame, which fades in. The first one does not. */
export function Fade({ name, children }: { name: string; children: ReactNode }) {
  const shown = useRef<string>(undefined);
  const moved = shown.current !== undefined && shown.current !== name;
  shown.current = name;
  return (
    <div className={moved ? "wc-fade" : ""} key={name}>
      {children}
    </div>
  );
}
