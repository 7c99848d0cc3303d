// A form for the values of a command, in words for users: rows instead of JSON, and the author's sample.

import {
  blank,
  chosen,
  type Dict,
  drop,
  type Field,
  field,
  type Group,
  type Json,
  type List,
  type Path,
  put,
  type Schema,
  write,
} from "@widgetcast/schema";
import { words } from "@widgetcast/view";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { say } from "../place";
import type { Command } from "../protocol";
import { begin } from "../values";
import { Icon } from "./icon";
import { IconButton } from "./part";

interface Form {
  root: Schema;
  whole: Json;
  set(whole: Json): void;
}
interface Place<F extends Field = Field> {
  form: Form;
  field: F;
  path: Path;
  value: Json | undefined;
  isRequired: boolean;
  label: string;
}

const change = ({ form, path }: Place, value: Json) => form.set(put(form.whole, path, value));
const clear = ({ form, path }: Place) => form.set(drop(form.whole, path));

function Control(place: Place & { id: string }) {
  const { field: one, value, isRequired, id } = place;
  const naming = { id, class: "entry", required: isRequired, dir: "auto" as const };
  // What is left empty is not sent, unless it has to be.
  const onText = ({ currentTarget }: { currentTarget: { value: string } }) =>
    currentTarget.value || isRequired ? change(place, currentTarget.value) : clear(place);
  const text = typeof value === "string" ? value : "";
  switch (one.kind) {
    case "number":
      return (
        <input
          {...naming}
          type="number"
          step={one.whole ? 1 : "any"}
          min={Number(one.schema.minimum ?? Number.NaN) || undefined}
          max={Number(one.schema.maximum ?? Number.NaN) || undefined}
          value={typeof value === "number" ? value : ""}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            Number.isNaN(valueAsNumber) ? clear(place) : change(place, valueAsNumber)
          }
        />
      );
    case "enum":
      return (
        <select
          {...naming}
          value={value === undefined ? "" : String(one.values.indexOf(value))}
          onChange={({ currentTarget }) => {
            const picked = one.values[Number(currentTarget.value || -1)];
            if (picked === undefined) clear(place);
            else change(place, picked);
          }}
        >
          {(!isRequired || value === undefined) && <option value="" />}
          {one.values.map((known, at) => (
            <option key={at} value={String(at)}>
              {typeof known === "string" ? words(known) : String(known)}
            </option>
          ))}
        </select>
      );
    case "text":
      if (one.long) return <textarea {...naming} rows={2} value={text} onInput={onText} />;
      return (
        <input
          {...naming}
          type={(/^(date|time|email)$/.test(one.input) ? one.input : "text") as "text"}
          maxLength={Number(one.schema.maxLength) || undefined}
          value={text}
          onInput={onText}
        />
      );
    default:
      // What has no better control.
      return (
        <textarea
          {...naming}
          rows={3}
          defaultValue={value === undefined ? "" : write(value)}
          onChange={({ currentTarget }) => {
            try {
              change(place, JSON.parse(currentTarget.value));
              currentTarget.setCustomValidity("");
            } catch (error) {
              currentTarget.setCustomValidity((error as Error).message);
            }
          }}
        />
      );
  }
}

function Rows({ form, field: one, path, value, label }: Place<List>) {
  const rows = Array.isArray(value) ? value : [];
  const most = Number(one.schema.maxItems ?? Number.POSITIVE_INFINITY);
  const single = label.replace(/(?<=[a-z]{2})s$/, "");
  const add = () => form.set(put(form.whole, path, [...rows, blank(one.items, form.root)]));
  return (
    <fieldset class="value-rows">
      <legend>{label}</legend>
      {one.description && <p class="quiet">{one.description}</p>}
      {rows.map((row, at) => (
        <div key={at} class="value-row">
          <FieldOf
            form={form}
            schema={one.items}
            path={[...path, at]}
            value={row}
            isRequired
            label={`${single} ${at + 1}`}
          />
          <IconButton
            icon="cross"
            size={16}
            label={say("removeRow", { name: `${single} ${at + 1}` })}
            onClick={() => form.set(drop(form.whole, [...path, at]))}
          />
        </div>
      ))}
      <button type="button" class="button" disabled={rows.length >= most} onClick={add}>
        <Icon name="plus" size={14} />
        {say("addRow", { name: single })}
      </button>
    </fieldset>
  );
}

interface FieldProps {
  form: Form;
  schema: Schema;
  path: Path;
  value: Json | undefined;
  isRequired: boolean;
  label: string;
}

function FieldOf({ schema, ...props }: FieldProps) {
  const id = useId();
  let one = field(schema, props.form.root);
  // Of several kinds the one that the value has.
  if (one.kind === "choice")
    one = field(
      one.options[Math.max(0, chosen(props.value, one, props.form.root))]?.schema,
      props.form.root,
    );
  const label = one.title ?? props.label;
  const place: Place = { ...props, field: one, label };
  if (one.kind === "const") return null;
  if (one.kind === "array") return <Rows {...place} field={one} />;
  if (one.kind === "object")
    return (
      <fieldset class="values">
        <legend>{label}</legend>
        <Members form={props.form} group={one} path={props.path} value={props.value} />
      </fieldset>
    );
  if (one.kind === "flag")
    return (
      <label class="value-flag">
        <input
          type="checkbox"
          class="wc-tick"
          checked={props.value === true}
          onChange={({ currentTarget }) => change(place, currentTarget.checked)}
        />
        {label}
      </label>
    );
  return (
    <div class="value">
      <label for={id}>
        {label}
        {props.isRequired && <span aria-hidden="true"> *</span>}
      </label>
      <Control {...place} id={id} />
      {one.description && <p class="quiet">{one.description}</p>}
    </div>
  );
}

/** The members of an object: those that need a value first, the others folded. */
function Members(props: { form: Form; group: Group; path: Path; value: Json | undefined }) {
  const draw = (isRequired: boolean) =>
    props.group.members
      .filter(({ required }) => required === isRequired)
      .map(({ name, schema }) => (
        <FieldOf
          key={name}
          form={props.form}
          schema={schema}
          path={[...props.path, name]}
          value={(props.value as Dict | undefined)?.[name]}
          isRequired={isRequired}
          label={words(name)}
        />
      ));
  const others = draw(false);
  return (
    <>
      {draw(true)}
      {others.length > 0 && (
        <details class="value-others">
          <summary>{say("optional")}</summary>
          <div class="values">{others}</div>
        </details>
      )}
    </>
  );
}

export function ValuesForm(props: {
  command: Command;
  schema: Schema;
  /** What is known already. */
  given: Dict;
  sample: Dict | undefined;
  onRun(values: Dict): void;
  onClose(): void;
}) {
  const { command, schema, sample } = props;
  const one = field(schema, schema);
  const [values, setValues] = useState<Json>(() => ({ ...begin(schema), ...props.given }));
  const form: Form = { root: schema, whole: values, set: setValues };
  const title = command.title || command.name;
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <form
      class="ask-values"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        props.onRun(values as Dict);
      }}
      onKeyDown={(event) => event.key === "Escape" && props.onClose()}
    >
      <header>
        <p class="strong" dir="auto">
          {title}
        </p>
        <IconButton icon="cross" size={16} label={say("close")} onClick={props.onClose} />
      </header>
      {sample && (
        <button
          type="button"
          class="button is-primary"
          ref={first}
          onClick={() => props.onRun(sample)}
        >
          {say("sample")}
        </button>
      )}
      <div class="values">
        {one.kind === "object" && <Members form={form} group={one} path={[]} value={values} />}
      </div>
      <div class="row">
        <button type="submit" class={sample ? "button" : "button is-primary"}>
          {say("send")}
        </button>
      </div>
    </form>
  );
}
