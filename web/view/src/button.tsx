import { submission } from "./box";
import type { Part, RenderContext } from "./context";
import { choice, flags, type Props, pick, text } from "./prop";
import { ICONS, renderIcon } from "./text";
import { isValid, useAction } from "./use-action";

/** A button, for all components that have one. */
export function renderButton(
  context: RenderContext,
  props: Props,
  kind: string,
  busy: boolean,
  onClick: (event: { currentTarget: Element }) => void,
) {
  const label = text(props.label);
  const start = text(props.iconStart);
  const end = text(props.iconEnd);
  const size = text(props.size);
  const icon = pick(ICONS, props.iconSize) ?? (/xs/.test(size) ? 14 : /xl/.test(size) ? 18 : 16);
  return (
    <button
      type="button"
      class={`wc-btn${kind}`}
      disabled={props.disabled === true}
      aria-busy={busy || undefined}
      // A button without a label is named after its icon.
      aria-label={label ? undefined : (start || end || "button").replace(/^.*:|-/g, " ").trim()}
      data-submit={props.submit === true || undefined}
      onClick={onClick}
    >
      <span class="wc-face">
        {renderIcon(context, start, icon)}
        {label && <span class="wc-clip">{label}</span>}
        {renderIcon(context, end, icon)}
      </span>
      {busy && <span class="wc-spin" />}
    </button>
  );
}

export function Button(part: Part) {
  const { props, context } = part;
  const [busy, run] = useAction(part, "self");
  const submit = props.submit === true;
  const label = text(props.label);
  // Without `style` a button is secondary, unless it has a colour or submits.
  const bare = !props.style;
  const loud = props.style === "primary" || (bare && submit);
  const kind =
    choice("v", props.variant, loud || (bare && props.color) ? "solid" : "soft") +
    choice("c", props.color, loud || (bare && props.variant) ? "primary" : "secondary") +
    choice("s", props.size) +
    flags(props, "pill", "block", "uniform") +
    (label ? "" : " wc-uniform");
  return renderButton(context, props, kind, busy, (event) => {
    const own = submit && context.form ? submission(context.form) : undefined;
    if (!submit || isValid(event)) run(props.onClickAction ?? own, label);
  });
}
