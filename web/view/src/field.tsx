// Fields with a native control: input, text area, check box, radio buttons, date.

import type { Part } from "./context";
import { day } from "./form-value";
import { Icon } from "./icon";
import { choice, flags, list, match, number, type Props, record, text } from "./prop";
import { entry, renderMust } from "./text";
import { useField, useFocusOnce } from "./use-field";

export function fieldClass(props: Props, more = ""): string {
  return (
    `wc-field${more}${choice("f", props.variant)}${choice("s", props.size)}` +
    choice("g", props.gutterSize) +
    flags(props, "pill", "block", "autoResize")
  );
}

export function Input(part: Part) {
  const { props } = part;
  const type = match(props.inputType, /^(number|email|password|tel|url)$/) ?? "text";
  const field = useField(part);
  return (
    <input
      {...field.naming}
      {...entry(props)}
      ref={useFocusOnce(props.autoFocus)}
      class={fieldClass(props, " wc-block")}
      type={type as "text"}
      {...{ step: "any" }}
      value={field.value}
      placeholder={field.hint}
      pattern={text(props.pattern) || undefined}
      onInput={(event) => field.set(event.currentTarget.value)}
    />
  );
}

export function Textarea(part: Part) {
  const { props } = part;
  const field = useField(part);
  const rows = number(props.rows, 1, 50) ?? 3;
  const focus = useFocusOnce(props.autoFocus);
  return (
    <textarea
      {...field.naming}
      {...entry(props)}
      ref={focus}
      class={fieldClass(props, " wc-block wc-area")}
      style={{ "--most": `${number(props.maxRows, 1, 200) ?? 40}`, "--least": `${rows}` }}
      rows={rows}
      value={field.value}
      placeholder={field.hint}
      onInput={(event) => field.set(event.currentTarget.value)}
    />
  );
}

/** A check box or a radio button with its label. */
function tick(
  props: Props,
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
  more: Props,
  marked = false,
) {
  return (
    <label class="wc-choice">
      <input
        class="wc-tick"
        type="checkbox"
        checked={checked}
        required={props.required === true}
        disabled={props.disabled === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
        {...more}
      />
      {label && (
        <span>
          {label}
          {marked && renderMust(label)}
        </span>
      )}
    </label>
  );
}

export function Checkbox(part: Part) {
  const { props } = part;
  const label = text(props.label);
  const field = useField<boolean>(part);
  const more = label ? { id: field.id } : field.naming;
  const marked = props.required === true;
  return tick(props, label, field.value, (on) => field.change(on, label), more, marked);
}

export interface Option {
  value: string;
  label: string;
  description: string;
  disabled: boolean;
}

export function options(value: unknown): Option[] {
  return list(value)
    .slice(0, 2000)
    .map((item) => {
      const given = record(item) ?? {};
      return {
        value: text(given.value),
        label: text(given.label) || text(given.value),
        description: text(given.description),
        disabled: given.disabled === true,
      };
    })
    .filter((option) => option.label);
}

export function RadioGroup(part: Part) {
  const { props } = part;
  const field = useField(part);
  return (
    <div
      {...field.naming}
      role="radiogroup"
      aria-required={props.required === true}
      class={props.direction === "row" ? "wc-radios wc-across" : "wc-radios"}
    >
      {options(props.options).map(({ value, label, disabled }) => {
        const state = { ...props, disabled: props.disabled === true || disabled };
        const more = { class: "wc-tick wc-dot", type: "radio", name: field.id, value };
        return tick(state, label, field.value === value, () => field.change(value, label), more);
      })}
    </div>
  );
}

/** `2026-03-09` in the reader's language. */
function spoken(value: string, locale: string | undefined): string {
  try {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
    return value && format.format(new Date(value));
  } catch {
    return value;
  }
}

// The browser's own date control, invisible above our styling: a calendar of ours would be clipped by
// the frame.
export function DatePicker(part: Part) {
  const { props, context } = part;
  const disabled = props.disabled === true;
  const field = useField(part);
  const shown = spoken(field.value, context.options.locale);
  return (
    <span class={fieldClass(props, " wc-wrap wc-when")} data-disabled={disabled || undefined}>
      <span class={shown ? "wc-clip" : "wc-clip wc-hint"} aria-hidden="true">
        {shown || field.hint || "Choose a date"}
      </span>
      <input
        {...field.naming}
        class="wc-date"
        type="date"
        value={field.value}
        min={day(props.min)}
        max={day(props.max)}
        disabled={disabled}
        onChange={(event) => field.change(event.currentTarget.value)}
      />
      {props.clearable === true && shown && !disabled && clear(() => field.change(""))}
      <Icon name="calendar" size={16} />
    </span>
  );
}

export function clear(onClick: () => void) {
  return (
    <button type="button" class="wc-clear" aria-label="Clear" onClick={onClick}>
      <Icon name="plus" size={16} />
    </button>
  );
}
