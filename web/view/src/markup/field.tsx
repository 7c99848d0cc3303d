/** @jsxImportSource #jsx */
// Fields with a native control: input, text area, check box, radio buttons, date.

import { translate } from "@widgetcast/i18n";
import { choose_date, clear } from "@widgetcast/i18n/view";
import type { ReactNode } from "react";
import { calendar, plus } from "../../icon-drawings";
import { attributes, type Native } from "./element";
import { renderDrawing } from "./icon";
import { choice, day, flags, type Given, list, match, number, record, text } from "./prop";
import { renderMust } from "./text";

type Look = Given<"Input"> & Given<"Textarea"> & Given<"Select">;

export function fieldClass(props: Look, more = ""): string {
  return (
    `wc-field${more}${choice("f", props.variant)}${choice("s", props.size)}` +
    choice("g", props.gutterSize) +
    flags(props, "pill", "block", "autoResize")
  );
}

export function renderInput(props: Given<"Input">, native: Native) {
  const type = match(props.inputType, /^(number|email|password|tel|url)$/) ?? "text";
  const look = { className: fieldClass(props, " wc-block") };
  return <input type={type} step="any" {...attributes(look, native)} />;
}

export function renderTextarea(props: Given<"Textarea">, native: Native) {
  const rows = number(props.rows, 1, 50) ?? 3;
  const className = fieldClass(props, " wc-block wc-area");
  const style = { "--most": `${number(props.maxRows, 1, 200) ?? 40}`, "--least": `${rows}` };
  return <textarea {...attributes({ className, style }, native)} rows={rows} />;
}

/** A check box with its label; with `dot` a radio button. */
export function renderTick(label: ReactNode, mark: ReactNode, native: Native, dot = false) {
  return (
    <label key={dot ? (native.value as string) : undefined} className="wc-choice">
      <input
        type={dot ? "radio" : "checkbox"}
        {...attributes({ className: dot ? "wc-tick wc-dot" : "wc-tick" }, native)}
      />
      {label && (
        <span>
          {label}
          {mark}
        </span>
      )}
    </label>
  );
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

/** Radio buttons. `tick` gives the attributes of the one for an option, without its value. */
export function renderRadios(
  props: Given<"RadioGroup">,
  tick: (option: Option) => Native,
  native: Native,
) {
  const look = { className: props.direction === "row" ? "wc-radios wc-across" : "wc-radios" };
  const required = props.required === true;
  return (
    <div {...attributes(look, native)} role="radiogroup" aria-required={required}>
      {options(props.options).map((option) => {
        const disabled = props.disabled === true || option.disabled;
        const { value, label } = option;
        return renderTick(label, false, { required, disabled, value, ...tick(option) }, true);
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
export function renderDate(
  props: Given<"DatePicker">,
  date: {
    value: string;
    hint: string;
    locale: string | undefined;
    clear(): void;
    /** The label of the button that does it. */
    label?: string | undefined;
  },
  native: Native,
) {
  const disabled = props.disabled === true;
  const shown = spoken(date.value, date.locale);
  const clearable = props.clearable === true && shown && !disabled;
  return (
    <span className={fieldClass(props, " wc-wrap wc-when")} data-disabled={disabled || undefined}>
      <span className={shown ? "wc-clip" : "wc-clip wc-hint"} aria-hidden="true">
        {shown || date.hint || translate(choose_date, date.locale)}
      </span>
      <input
        {...attributes({ className: "wc-date" }, native)}
        type="date"
        value={date.value}
        min={day(props.min)}
        max={day(props.max)}
        disabled={disabled}
      />
      {clearable && renderClear(date.clear, date.label ?? translate(clear, date.locale))}
      {renderDrawing(calendar, 16)}
    </span>
  );
}

export function renderClear(onClick: () => void, label: string) {
  return (
    <button type="button" className="wc-clear" aria-label={label} onClick={onClick}>
      {renderDrawing(plus, 16)}
    </button>
  );
}

export const renderMark = (required: unknown, label: ReactNode) =>
  required === true && renderMust(text(label));
