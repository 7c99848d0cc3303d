/** @jsxImportSource #jsx */
// Text components of a tree: text, titles, captions, labels, badges, icons, Markdown.

import type { PartOf, RenderContext } from "./context";
import { fieldId } from "./form-value";
import { Icon as Drawing } from "./icon";
import { ICON_SIZES, renderGlyph } from "./markup/icon";
import { Markdown as Prose } from "./markup/markdown";
import { type Given, number, type Props, pick, record, text } from "./markup/prop";
import * as markup from "./markup/text";
import { color } from "./markup/token";
import { useField, useFocusOnce } from "./use-field";

export function Text(part: PartOf<"Text">) {
  const { props } = part;
  const edit = record(props.editable);
  if (edit && text(edit.name)) return <EditableText part={part} edit={edit} />;
  const value = text(props.value);
  if (!value && props.streaming !== true && !props.minLines) return null;
  return markup.renderText(props, value);
}

function EditableText({ part, edit }: { part: PartOf<"Text">; edit: Props }) {
  const { minLines, maxLines, truncate: _, ...props } = part.props;
  const field = useField(part);
  const least = number(minLines, 1, 100) ?? 1;
  const long = least > 1 || (number(maxLines, 1, 100) ?? 1) > 1 || text(props.value).includes("\n");
  const pattern = text(edit.pattern);
  const { style, className } = markup.textLook("text", props);
  const shared = {
    ...field.naming,
    ...entry(edit),
    ref: useFocusOnce(edit.autoFocus),
    className: `${className} wc-edit`,
    style,
    value: field.value,
    placeholder: field.hint,
    autoComplete: text(edit.autoComplete) || "off",
    // One line goes on in the next where it does not fit, and has no breaks of its own.
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      field.set(long ? value : value.replaceAll("\n", " ")),
  };
  return pattern && !long ? (
    <input {...shared} pattern={pattern} />
  ) : (
    <textarea {...shared} rows={least} data-line={!long || undefined} />
  );
}

/** What all fields for typing share. */
export function entry(props: Given<"Input">) {
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

export function Title({ props, node, context }: PartOf<"Title">) {
  const level = node.index === context.heading ? 1 : 2;
  return text(props.value) && markup.renderTitle(props, text(props.value), undefined, level);
}

export function Caption({ props }: PartOf<"Caption">) {
  return text(props.value) && markup.renderCaption(props, unbroken(text(props.value)));
}

/** Facts in a line, such as `Handbook · 2 Feb 2027`: it breaks between them, before the dot. */
const unbroken = (line: string): string =>
  line.includes(" · ")
    ? line
        .split(" · ")
        .map((part) => (part.length < 15 ? part.replaceAll(" ", "\u00a0") : part))
        .join(" ·\u00a0")
    : line;

export function Label({ props, context }: PartOf<"Label">) {
  const name = text(props.fieldName);
  const id = fieldId(context, name);
  const value = text(props.value);
  const mark = context.required.has(name) && markup.renderMust(value);
  return markup.renderLabel(props, value, mark, { id: `${id}-label`, htmlFor: id });
}

export function Markdown({ props, context }: PartOf<"Markdown">) {
  return (
    <Prose
      value={text(props.value)}
      streaming={props.streaming === true}
      locale={context.options.locale}
      onLink={(url) => {
        context.options.onAction?.({ type: "open_link", payload: { url } }, { type: "Markdown" });
      }}
    />
  );
}

export function Badge({ props }: PartOf<"Badge">) {
  return text(props.label) && markup.renderBadge(props, text(props.label));
}

export function Icon({ props, context }: PartOf<"Icon">) {
  const size = pick(ICON_SIZES, props.size) ?? 18;
  return renderIcon(context, text(props.name), size, color(props.color));
}

export function renderIcon(context: RenderContext, name: string, size: number, paint?: string) {
  return (
    name && renderGlyph(<Drawing name={name} size={size} icons={context.options.icons} />, paint)
  );
}
