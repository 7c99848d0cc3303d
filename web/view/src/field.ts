// Fields of a tree with a native control: input, text area, check box, radio buttons, date.

import type { PartOf } from "./context";
import * as markup from "./markup/field";
import { type Given, text } from "./markup/prop";
import { entry } from "./text";
import { type Field, useField, useFocusOnce } from "./use-field";

/** What the fields for typing give their control. */
function useEntry(part: PartOf<"Input"> | PartOf<"Textarea">) {
  const { props } = part;
  const field = useField(part);
  return {
    ...field.naming,
    ...entry(props),
    ref: useFocusOnce(props.autoFocus),
    value: field.value,
    placeholder: field.hint,
    onInput: (event: { currentTarget: { value: string } }) => field.set(event.currentTarget.value),
  };
}

export function Input(part: PartOf<"Input">) {
  const pattern = text(part.props.pattern) || undefined;
  return markup.renderInput(part.props, { ...useEntry(part), pattern });
}

export const Textarea = (part: PartOf<"Textarea">) =>
  markup.renderTextarea(part.props, useEntry(part));

const ticked = (props: Given<"Checkbox">) => ({
  required: props.required === true,
  disabled: props.disabled === true,
});

export function Checkbox(part: PartOf<"Checkbox">) {
  const { props } = part;
  const label = text(props.label);
  const field = useField<boolean>(part);
  return markup.renderTick(label, markup.renderMark(props.required, label), {
    ...ticked(props),
    ...(label ? { id: field.id } : field.naming),
    checked: field.value,
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      field.change(event.currentTarget.checked, label),
  });
}

export function RadioGroup(part: PartOf<"RadioGroup">) {
  const field: Field<string> = useField(part);
  const tick = ({ value, label }: markup.Option) => ({
    name: field.id,
    checked: field.value === value,
    onChange: () => field.change(value, label),
  });
  return markup.renderRadios(part.props, tick, field.naming);
}

export function DatePicker(part: PartOf<"DatePicker">) {
  const { props, context } = part;
  const field = useField(part);
  const date = {
    value: field.value,
    hint: field.hint,
    locale: context.options.locale,
    clear: () => field.change(""),
  };
  return markup.renderDate(props, date, {
    ...field.naming,
    onChange: (event: { currentTarget: { value: string } }) =>
      field.change(event.currentTarget.value),
  });
}
