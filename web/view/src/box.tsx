// Boxes, forms, tables, and what separates them.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Part } from "./context";
import { flags, match, number, type Props, pick, record, text } from "./prop";
import { background, block, border, color, length, put, type Style, space, spacing } from "./token";
import { isValid, useAction } from "./use-action";

function place(value: unknown): string | undefined {
  return match(
    text(value).replace(/^(between|around|evenly)$/, "space-$1"),
    /^(start|center|end|baseline|stretch|space-\w+)$/,
  );
}

/** The style of a box, with every value allow-listed. */
export function boxStyle(props: Props, dark: boolean): Style {
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
  // A box of a fixed size is a frame for a picture or an icon: the text beside it gives way.
  if (!style.flex && typeof (props.size ?? props.width) === "number") style.flexShrink = "0";
  return style;
}

export function Box(part: Part) {
  const { node, props, context } = part;
  const { type, form } = node;
  const row = type === "Row" || (type !== "Col" && props.direction === "row");
  const look = {
    class: `wc-${row ? "row" : "col"}${type === "Box" ? " wc-box" : ""}`,
    style: boxStyle(props, context.dark),
  };
  return form ? (
    <FormFrame part={part} {...look}>
      {part.renderChildren({ form: node })}
    </FormFrame>
  ) : (
    <div {...look}>{part.renderChildren()}</div>
  );
}

/** The action of a form itself. */
export function submission({ type, props }: Part["node"]): unknown {
  return type === "Form" ? props.onSubmitAction : record(props.confirm)?.action;
}

/** A form. Enter in one of its fields sends it. */
export function FormFrame(frame: {
  part: Part;
  class: string;
  style?: Style;
  children: ComponentChildren;
}) {
  const { node, context } = frame.part;
  const [, run] = useAction({ node, context: { ...context, form: node } }, "self");
  return (
    <form
      noValidate
      class={`wc-form ${frame.class}`}
      style={frame.style}
      onSubmit={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        const field = event.target as HTMLInputElement;
        if (event.key !== "Enter" || event.isComposing || field.tagName !== "INPUT") return;
        event.preventDefault();
        event.stopPropagation();
        if (/^(checkbox|radio)$/.test(field.type)) return;
        const button = event.currentTarget.querySelector<HTMLElement>("[data-submit]");
        if (button) return button.click();
        if (isValid(event)) run(submission(node));
      }}
    >
      {frame.children}
    </form>
  );
}

export function Divider({ props }: Part) {
  const style: Style = {};
  put(style, "--line", color(props.color, true));
  put(style, "--size", length(props.size));
  put(style, "--gap", space(props.spacing));
  return <hr class={`wc-line${flags(props, "flush")}`} style={style} />;
}

export function Spacer({ props }: Part) {
  const size = length(props.minSize);
  return <div class="wc-spacer" style={size ? { minWidth: size, minHeight: size } : {}} />;
}

export function Transition({ node, renderChildren }: Part) {
  const shown = useRef<string>(undefined);
  // A child with another key gets a new frame, which fades in. The first one does not.
  const key = node.children[0]?.key ?? "";
  const moved = shown.current !== undefined && shown.current !== key;
  shown.current = key;
  return (
    <div class={moved ? "wc-fade" : ""} key={key}>
      {renderChildren()}
    </div>
  );
}

export function Table({ renderChildren }: Part) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must take the keyboard
    <section class="wc-scroll" aria-label="Table" tabIndex={0}>
      <table class="wc-table">
        <tbody>{renderChildren()}</tbody>
      </table>
    </section>
  );
}

export function TableRow({ props, renderChildren }: Part) {
  const head = props.header === true;
  return <tr class={head ? "wc-head" : ""}>{renderChildren({ head })}</tr>;
}

const COLUMN: Style = { xs: "4rem", sm: "6rem", md: "9rem", lg: "13rem", xl: "18rem" };
const DOWN: Style = { start: "top", center: "middle", end: "bottom" };

export function TableCell({ props, context, renderChildren }: Part) {
  const Tag = context.head ? "th" : "td";
  const style = spacing(props.padding, "padding");
  const align = place(props.align);
  put(style, "width", length(props.width) ?? pick(COLUMN, props.colSize));
  put(style, "textAlign", align);
  put(style, "verticalAlign", pick(DOWN, props.vAlign));
  const span = (value: unknown) => Math.floor(number(value, 1, 100) ?? 1);
  return (
    <Tag
      scope={context.head ? "col" : undefined}
      style={style}
      colSpan={span(props.colSpan)}
      rowSpan={span(props.rowSpan)}
    >
      <div class="wc-col wc-cell" style={align ? { alignItems: align } : {}}>
        {renderChildren({ head: false })}
      </div>
    </Tag>
  );
}
