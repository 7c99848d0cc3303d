import { translate } from "@widgetcast/i18n";
import { choose } from "@widgetcast/i18n/host";
import { submission } from "./box";
import type { PartOf, RenderContext } from "./context";
import { isValid } from "./markup/box";
import { buttonIconSize, buttonKind, renderButton } from "./markup/button";
import { type Given, text } from "./markup/prop";
import { renderIcon } from "./text";
import { useAction } from "./use-action";

/** A button, for all components of a tree that have one. */
export function drawButton(
  context: RenderContext,
  props: Given<"Button">,
  kind: string,
  busy: boolean,
  onClick: (event: { currentTarget: Element }) => void,
) {
  const label = text(props.label);
  const start = text(props.iconStart);
  const end = text(props.iconEnd);
  const size = buttonIconSize(props);
  const face: Parameters<typeof renderButton>[1] = [
    renderIcon(context, start, size),
    label,
    renderIcon(context, end, size),
  ];
  return renderButton(kind, face, busy, {
    disabled: props.disabled === true,
    // A button without a label is named after its icon.
    "aria-label": label
      ? undefined
      : (start || end || translate(choose, context.options.locale)).replace(/^.*:|-/g, " ").trim(),
    "data-submit": props.submit === true || undefined,
    onClick,
  });
}

export function Button(part: PartOf<"Button">) {
  const { props, context } = part;
  const [busy, run] = useAction(part, "self");
  const submit = props.submit === true;
  const label = text(props.label);
  return drawButton(context, props, buttonKind(props, submit, !label), busy, (event) => {
    const own = submit && context.form ? submission(context.form) : undefined;
    if (!submit || isValid(event)) run(props.onClickAction ?? own, label);
  });
}
