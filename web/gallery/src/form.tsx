// A form made from a JSON Schema. Each field shows a value and says what it should be instead; the
// value itself lives with the page, which also shows it as JSON.

import {
  blank,
  type Choice,
  chosen,
  drop,
  type Field,
  field,
  type Group,
  has,
  type Input,
  isDict,
  type Json,
  kindName,
  type List,
  type Numeric,
  type Options,
  type Path,
  pointer,
  put,
  type Schema,
  same,
  shift,
  type Text,
  write,
} from "@widgetcast/schema";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Fault } from "./api";
import { Icon, type Sign } from "./icon";
import { fault } from "./json";
import { classes } from "./part";

/** What every field needs to know of the whole. */
export interface Form {
  root: Schema;
  value: Json;
  errors: Fault[];
  onValue(value: Json): void;
}
interface Place<F extends Field = Field> {
  form: Form;
  field: F;
  path: Path;
  value: Json | undefined;
  required: boolean;
  label: string;
}

const idOf = (path: Path): string =>
  `f${pointer(path).replace(/[^\w-]/g, (c) => `.${c.charCodeAt(0)}.`)}`;
const errorsAt = (form: Form, path: Path): string[] => {
  const here = pointer(path);
  return form.errors.filter((one) => one.pointer === here).map((one) => one.message);
};
const set = ({ form, path }: Place, value: Json) => form.onValue(put(form.value, path, value));
const unset = ({ form, path }: Place) => form.onValue(drop(form.value, path));

/** An empty control means an absent value where that is allowed. */
function setOrUnset(place: Place, empty: boolean, value: Json) {
  if (empty && !place.required && typeof place.path.at(-1) === "string") unset(place);
  else set(place, value);
}

const described = (place: Place): string | undefined => {
  const id = idOf(place.path);
  const ids = [
    place.field.description && `${id}.d`,
    errorsAt(place.form, place.path).length > 0 && `${id}.e`,
  ].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
};
const control = (place: Place) => ({
  id: idOf(place.path),
  "aria-describedby": described(place),
  "aria-invalid": errorsAt(place.form, place.path).length > 0,
  "aria-required": place.required,
});

const STAMP = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|z|[+-]\d\d:\d\d)?$/;

/** The clock's control knows no zone: the zone stays as it was. */
function Stamp(place: Place<Text>) {
  const match = STAMP.exec(String(place.value ?? ""));
  if (place.value && !match) return <Line {...place} />;
  return (
    <input
      {...control(place)}
      type="datetime-local"
      step={1}
      value={match ? `${match[1]}T${match[2]}` : ""}
      onInput={(event) => {
        const { value } = event.currentTarget;
        const full = value.length === 16 ? `${value}:00` : value;
        setOrUnset(place, value === "", value && `${full}${match?.[4] ?? "Z"}`);
      }}
    />
  );
}

const SHAPES: Partial<Record<Input, RegExp | null>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d(:\d\d)?$/,
  datetime: null,
};

function Line(place: Place<Text>) {
  const value = typeof place.value === "string" ? place.value : "";
  const input = (event: { currentTarget: { value: string } }) =>
    setOrUnset(place, event.currentTarget.value === "", event.currentTarget.value);
  if (place.field.long || value.includes("\n"))
    return <textarea {...control(place)} rows={3} value={value} onInput={input} />;
  // A clock or a calendar would hide a value that it cannot read.
  const format = SHAPES[place.field.input];
  const fits = value === "" || (format?.test(value) ?? true);
  const type = { type: fits && format !== null ? place.field.input : "text" } as { type: "text" };
  return <input {...control(place)} {...type} value={value} onInput={input} />;
}

/** Numbers keep what was typed until it is a number: "1." and "-" are on the way to one. */
function NumberLine(place: Place<Numeric>) {
  const shown = place.value === undefined || place.value === null ? "" : String(place.value);
  const [typed, setTyped] = useState(shown);
  useEffect(() => {
    setTyped((now) => (now !== "" && Number(now) === place.value ? now : shown));
  }, [shown, place.value]);
  return (
    <input
      {...control(place)}
      type="text"
      inputMode={place.field.whole ? "numeric" : "decimal"}
      value={typed}
      onInput={(event) => {
        const text = event.currentTarget.value.trim();
        setTyped(text);
        const number = Number(text);
        if (text === "") setOrUnset(place, true, null);
        else if (Number.isFinite(number)) set(place, number);
        else if (!/^[-+]?\d*[.eE]?[-+]?$/.test(text)) set(place, text);
      }}
      onBlur={() => setTyped(shown)}
    />
  );
}

function Select(place: Place<Options>) {
  const { values } = place.field;
  const at = values.findIndex((one) => same(one, place.value));
  return (
    <select
      {...control(place)}
      value={String(at)}
      onChange={(event) => {
        const value = values[Number(event.currentTarget.value)];
        setOrUnset(place, value === undefined, value ?? null);
      }}
    >
      {(at < 0 || !place.required) && (
        <option value="-1">
          {at < 0 && place.value !== undefined ? String(place.value) : "—"}
        </option>
      )}
      {values.map((value, index) => (
        <option key={write(value)} value={String(index)}>
          {typeof value === "string" ? value : write(value)}
        </option>
      ))}
    </select>
  );
}

/** What has no control of its own: its JSON, taken over as soon as it is JSON. */
function RawField(place: Place) {
  const shown = place.value === undefined ? "" : write(place.value);
  const [typed, setTyped] = useState(shown);
  useEffect(() => {
    setTyped((now) => {
      try {
        return same(JSON.parse(now), place.value) ? now : shown;
      } catch {
        return shown;
      }
    });
  }, [shown, place.value]);
  const wrong = typed.trim() === "" ? undefined : fault(typed);
  return (
    <>
      <textarea
        {...control(place)}
        class="mono"
        rows={Math.min(12, typed.split("\n").length + 1)}
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          if (text.trim() === "") setOrUnset(place, true, null);
          else if (!fault(text)) set(place, JSON.parse(text));
        }}
      />
      {wrong && <p class="fault">Invalid JSON: {wrong.message}</p>}
    </>
  );
}

function Small(props: { icon: Sign; label: string; disabled?: boolean; onClick(): void }) {
  return (
    <button
      type="button"
      class="button bare tiny"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled ?? false}
      onClick={props.onClick}
    >
      <Icon name={props.icon} size={14} />
    </button>
  );
}

function Items(place: Place<List>) {
  const { form, path, field: one } = place;
  const items = Array.isArray(place.value) ? place.value : [];
  const most = Number(one.schema.maxItems ?? Number.POSITIVE_INFINITY);
  const single = one.title ?? place.label;
  return (
    <>
      {items.length > 0 && (
        <ol class="items">
          {items.map((item, index) => (
            <li key={index}>
              <FieldOf
                form={form}
                schema={one.items}
                path={[...path, index]}
                value={item}
                required
                label={`${single} ${index + 1}`}
                tools={
                  <>
                    <Small
                      icon="up"
                      label={`Move ${single} ${index + 1} up`}
                      disabled={index === 0}
                      onClick={() => set(place, shift(items, index, -1))}
                    />
                    <Small
                      icon="down"
                      label={`Move ${single} ${index + 1} down`}
                      disabled={index === items.length - 1}
                      onClick={() => set(place, shift(items, index, 1))}
                    />
                    <Small
                      icon="cross"
                      label={`Remove ${single} ${index + 1}`}
                      onClick={() => form.onValue(drop(form.value, [...path, index]))}
                    />
                  </>
                }
              />
            </li>
          ))}
        </ol>
      )}
      <button
        type="button"
        id={idOf(path)}
        class="button small add"
        disabled={items.length >= most}
        onClick={() => set(place, [...items, blank(one.items, form.root)])}
      >
        <Icon name="plus" size={14} /> Add to {single}
      </button>
    </>
  );
}

function Alternatives(place: Place<Choice>) {
  const { form, field: one } = place;
  // Two alternatives may look alike; then what was picked last counts.
  const [picked, setPicked] = useState<{ at: number; value: Json }>();
  const at =
    picked && same(picked.value, place.value) ? picked.at : chosen(place.value, one, form.root);
  const option = one.options[at];
  return (
    <>
      <select
        {...control(place)}
        value={String(place.value === undefined ? -1 : at)}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          if (next < 0) return unset(place);
          const value = blank(one.options[next]?.schema, form.root);
          setPicked({ at: next, value });
          set(place, value);
        }}
      >
        {(place.value === undefined || !place.required) && <option value="-1">—</option>}
        {one.options.map((known, index) => (
          <option key={index} value={String(index)}>
            {known.label}
          </option>
        ))}
      </select>
      {option && place.value !== undefined && place.value !== null && (
        <Body {...place} field={field(option.schema, form.root)} nested />
      )}
    </>
  );
}

/** The members of an object, and what was said about names that it does not have. */
export function Members(props: { form: Form; field: Group; path: Path; value: Json | undefined }) {
  const { form, path, value } = props;
  const base = pointer(path);
  const names = new Set(props.field.members.map((member) => pointer([member.name])));
  const strange = form.errors.filter(({ pointer: at }) => {
    if (!at.startsWith(`${base}/`)) return false;
    const rest = at.slice(base.length);
    const end = rest.indexOf("/", 1);
    return !names.has(end < 0 ? rest : rest.slice(0, end));
  });
  return (
    <>
      {strange.map((one) => (
        <p class="fault" key={one.pointer + one.message}>
          <code>{one.pointer}</code> {one.message}
        </p>
      ))}
      {props.field.members.map((member) => (
        <FieldOf
          key={member.name}
          form={form}
          schema={member.schema}
          path={[...path, member.name]}
          value={has(value, member.name) ? (value as Record<string, Json>)[member.name] : undefined}
          required={member.required}
          label={member.name}
        />
      ))}
    </>
  );
}

function Body({ nested, ...place }: Place & { nested?: boolean }) {
  const { field: one, value } = place;
  if (value === null && one.kind !== "json" && one.kind !== "const")
    return <p class="null">null</p>;
  // A value of another type cannot be shown by the control; its JSON can.
  if (value !== undefined && misfit(one, value)) return <RawField {...place} />;
  switch (one.kind) {
    case "text":
      return one.input === "datetime" ? (
        <Stamp {...place} field={one} />
      ) : (
        <Line {...place} field={one} />
      );
    case "number":
      return <NumberLine {...place} field={one} />;
    case "enum":
      return <Select {...place} field={one} />;
    case "array":
      return <Items {...place} field={one} />;
    case "choice":
      return <Alternatives {...place} field={one} />;
    case "const":
      return (
        <output class="fixed">
          {typeof one.value === "string" ? one.value : write(one.value)}
        </output>
      );
    case "flag":
      return <Switch {...place} />;
    case "object":
      return value === undefined && !nested ? (
        <button
          type="button"
          id={idOf(place.path)}
          class="button small add"
          onClick={() => set(place, blank(one.schema, place.form.root))}
        >
          <Icon name="plus" size={14} /> Add {place.label}
        </button>
      ) : (
        <div class="members">
          <Members form={place.form} field={one} path={place.path} value={value} />
        </div>
      );
    case "json":
      return <RawField {...place} />;
  }
}

function Switch(place: Place) {
  return (
    <label class="switch">
      <input
        {...control(place)}
        type="checkbox"
        aria-label={place.label}
        checked={place.value === true}
        onChange={(event) => set(place, event.currentTarget.checked)}
      />
      <span aria-hidden="true">{place.value === undefined ? "not set" : String(place.value)}</span>
    </label>
  );
}

function misfit(one: Field, value: Json): boolean {
  switch (one.kind) {
    case "text":
      return typeof value !== "string";
    case "number":
      return typeof value !== "number";
    case "flag":
      return typeof value !== "boolean";
    case "array":
      return !Array.isArray(value);
    case "object":
      return !isDict(value);
    default:
      return false;
  }
}

interface FieldProps {
  form: Form;
  schema: Schema;
  path: Path;
  value: Json | undefined;
  required: boolean;
  label: string;
  tools?: ComponentChildren;
}

function FieldOf({ schema, tools, ...rest }: FieldProps) {
  const one = field(schema, rest.form.root);
  const place: Place = { ...rest, field: one };
  const { path, value, required, label, form } = place;
  const id = idOf(path);
  const errors = errorsAt(form, path);
  const group = one.kind === "object" || one.kind === "array";
  const Tag = group ? "fieldset" : "div";
  const removable = !required && value !== undefined && one.kind !== "text" && one.kind !== "enum";
  return (
    <Tag
      class={classes("field", group && "group", errors.length > 0 && "bad")}
      aria-labelledby={group ? `${id}.l` : undefined}
    >
      <div class="head">
        {group || one.kind === "flag" || one.kind === "const" ? (
          <span class="label" id={`${id}.l`}>
            {label}
          </span>
        ) : (
          <label class="label" for={id}>
            {label}
          </label>
        )}
        <span class="type">{kindName(one)}</span>
        {required && !tools && <span class="needed">required</span>}
        <span class="space" />
        {one.nullable && (
          <button
            type="button"
            class="chip"
            aria-pressed={value === null}
            aria-label={`${label} is null`}
            onClick={() => set(place, value === null ? blankOf(one, form.root) : null)}
          >
            null
          </button>
        )}
        {removable && !tools && (
          <Small icon="cross" label={`Clear ${label}`} onClick={() => unset(place)} />
        )}
        {tools}
      </div>
      {one.description && (
        <p class="about" id={`${id}.d`}>
          {one.description}
        </p>
      )}
      <Body {...place} />
      {errors.length > 0 && (
        <p class="fault" id={`${id}.e`}>
          {errors.join("; ")}
        </p>
      )}
    </Tag>
  );
}

/** What a nullable field becomes when it is no longer null. */
function blankOf(one: Field, root: Schema): Json {
  if (one.kind === "choice") return blank(one.options[0]?.schema, root);
  const value = blank(one.schema, root);
  return value ?? (one.kind === "text" ? "" : one.kind === "number" ? 0 : {});
}
