// Text components: text, titles, captions, labels, badges, icons, Markdown.

import type { Part, RenderContext } from "./context";
import { fieldId } from "./form-value";
import { Icon as Drawing } from "./icon";
import { Markdown as Prose } from "./markdown";
import { choice, flags, match, number, type Props, pick, record, text } from "./prop";
import { color, flex, length, put, type Style } from "./token";
import { useField, useFocusOnce } from "./use-field";

export const ICONS: Record<string, number> = {
  xs: 14,
  sm: 16,
  md: 18,
  lg: 20,
  xl: 22,
  "2xl": 24,
  "3xl": 32,
};
const WEIGHTS: Style = { normal: "400", medium: "500", semibold: "600", bold: "700" };

function textLook(base: string, props: Props) {
  const style: Style = {};
  put(style, "color", color(props.color));
  put(style, "fontWeight", pick(WEIGHTS, props.weight));
  put(style, "flex", flex(props.flex));
  put(style, "textAlign", match(props.textAlign, /^(start|center|end)$/));
  const width = length(props.width);
  if (width) Object.assign(style, { width, flexShrink: "0", maxWidth: "100%" });
  let name = `wc-words wc-${base}${choice(base, props.size)}`;
  const most = number(props.maxLines, 1, 100);
  if (props.truncate === true || most === 1) name += " wc-clip";
  else if (most) {
    name += " wc-lines";
    style["--lines"] = `${Math.floor(most)}`;
  }
  const least = number(props.minLines, 1, 100);
  if (least) style.minHeight = `${least}lh`;
  if (props.italic === true) style.fontStyle = "italic";
  if (props.lineThrough === true) style.textDecoration = "line-through";
  return { class: name, style };
}

export function Text(part: Part) {
  const { props } = part;
  const edit = record(props.editable);
  if (edit && text(edit.name)) return <EditableText part={part} edit={edit} />;
  const streaming = props.streaming === true;
  const value = text(props.value);
  if (!value && !streaming && !props.minLines) return null;
  return (
    <p {...textLook("text", props)} aria-live={streaming ? "polite" : undefined}>
      {value}
      {streaming && <span class="wc-caret" aria-hidden="true" />}
    </p>
  );
}

function EditableText({ part, edit }: { part: Part; edit: Props }) {
  const { minLines, maxLines, truncate: _, ...props } = part.props;
  const field = useField(part);
  const least = number(minLines, 1, 100) ?? 1;
  const long = least > 1 || (number(maxLines, 1, 100) ?? 1) > 1 || text(props.value).includes("\n");
  const { style, class: name } = textLook("text", props);
  const shared = {
    ...field.naming,
    ...entry(edit),
    ref: useFocusOnce(edit.autoFocus),
    class: `${name} wc-edit`,
    style,
    value: field.value,
    placeholder: field.hint,
    autoComplete: (text(edit.autoComplete) || "off") as "off",
    onInput: (event: { currentTarget: { value: string } }) => field.set(event.currentTarget.value),
  };
  return long ? (
    <textarea {...shared} rows={least} />
  ) : (
    <input {...shared} type="text" pattern={text(edit.pattern) || undefined} />
  );
}

/** What all fields for typing share. */
export function entry(props: Props) {
  const keep = props.allowAutofillExtensions === true ? undefined : "true";
  return {
    required: props.required === true,
    disabled: props.disabled === true,
    autoComplete: keep ? "off" : "on",
    // Password managers are told to ignore the field unless the author allows them.
    "data-1p-ignore": keep,
    "data-lpignore": keep,
    onFocus: (event: { currentTarget: { select(): void } }) => {
      if (props.autoSelect === true) event.currentTarget.select();
    },
  };
}

export function Title({ props }: Part) {
  return text(props.value) && <h2 {...textLook("title", props)}>{text(props.value)}</h2>;
}

export function Caption({ props }: Part) {
  return text(props.value) && <p {...textLook("cap", props)}>{text(props.value)}</p>;
}

export function Label({ props, context }: Part) {
  const name = text(props.fieldName);
  const id = fieldId(context, name);
  return (
    <label {...textLook("text", { size: "sm", ...props })} id={`${id}-label`} for={id}>
      {text(props.value)}
      {context.required.has(name) && renderMust(text(props.value))}
    </label>
  );
}

/** The mark of a required field, unless its label has one. The control says it to those who cannot see. */
export function renderMust(label: string) {
  return (
    !/\*\s*$/.test(label) && (
      <span class="wc-must" aria-hidden="true">
        {"\u00a0*"}
      </span>
    )
  );
}

export function Markdown({ props, context }: Part) {
  return (
    <Prose
      value={text(props.value)}
      streaming={props.streaming === true}
      onLink={(url) => {
        context.options.onAction?.({ type: "open_link", payload: { url } }, { type: "Markdown" });
      }}
    />
  );
}

export function Badge({ props }: Part) {
  const label = text(props.label);
  const kind = choice("v", props.variant) + choice("c", props.color) + choice("b", props.size);
  return label && <span class={`wc-badge${kind}${flags(props, "pill")}`}>{label}</span>;
}

export function Icon({ props, context }: Part) {
  return renderIcon(context, text(props.name), pick(ICONS, props.size) ?? 18, color(props.color));
}

export function renderIcon(context: RenderContext, name: string, size: number, paint?: string) {
  return (
    name && (
      <span class="wc-glyph" style={paint ? { color: paint } : {}}>
        <Drawing name={name} size={size} icons={context.options.icons} />
      </span>
    )
  );
}

export function renderChevron() {
  return (
    <span class="wc-down">
      <Drawing name="chevron-right" size={14} />
    </span>
  );
}
