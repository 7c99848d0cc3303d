// The controls of a Slack message: buttons, menus and fields. What a user does with them is told as Slack
// tells it: the action, and what every field of the message holds. Values are set as attributes, so that a
// copy of the drawing has them, too.

import { element, type Json, list, object, text } from "./slack-part";

/** Told of an action and of the state of all fields, by block and by id. */
export type OnPress = (action: Json, values: Json) => void;

/** What the controls of one message share. */
export interface Controls {
  /** Every field, and how to read what it holds. */
  fields: { block: string; id: string; read(): Json }[];
  onPress: OnPress | undefined;
}

/** Where a control is. */
export interface Place {
  controls: Controls;
  /** The id of the block. */
  block: string;
  /** What an input block calls its field; a control elsewhere acts by itself. */
  label?: string;
}

function stateOf({ fields }: Controls): Json {
  const values: Record<string, Json> = {};
  for (const { block, id, read } of fields) values[block] = { ...values[block], [id]: read() };
  return values;
}

const press = ({ controls }: Place, action: Json) => controls.onPress?.(action, stateOf(controls));

/** Notes a field, and names it after its label. */
function field(item: Json, place: Place, control: HTMLElement, read: () => Json): void {
  const { controls, block, label } = place;
  controls.fields.push({
    block,
    id: text(item.action_id),
    read: () => ({ type: item.type, ...read() }),
  });
  const name = label || text(object(item.placeholder).text);
  if (name) control.setAttribute("aria-label", name);
}

const words = (value: unknown): string => text(object(object(value).text).text);

/** A control: a button, a menu, or the field of an input. */
export function drawControl(item: Json, place: Place): HTMLElement {
  switch (item.type) {
    case "button":
      return drawButton(item, place);
    case "static_select":
    case "overflow":
      return drawMenu(item, place);
    case "radio_buttons":
    case "checkboxes":
      return drawOptions(item, place);
    case "datepicker":
      return drawEntry(item, place, "date");
    case "number_input":
      return drawEntry(item, place, "number");
    default:
      return drawEntry(item, place, "text");
  }
}

function drawButton(item: Json, place: Place): HTMLElement {
  const button = element("button", `slack-button ${text(item.style)}`, words(item));
  button.setAttribute("type", "button");
  const { type, action_id, value, url, text: label } = item;
  button.addEventListener("click", () =>
    press(place, { type, action_id, block_id: place.block, text: label, value, url }),
  );
  return button;
}

/** A list to choose from: a field of an input block, or else an action. */
function drawMenu(item: Json, place: Place): HTMLElement {
  const menu = element("span", "slack-menu");
  const select = document.createElement("select");
  const options = list(item.options);
  const first = object(item.initial_option).value;
  const hint = text(object(item.placeholder).text) || "Choose an option";
  const offer = (label: string, value: string, isFirst: boolean) => {
    const made = document.createElement("option");
    made.textContent = label;
    made.value = value;
    made.toggleAttribute("selected", isFirst);
    select.append(made);
  };
  offer(hint, "", first === undefined);
  options.forEach((option, index) => {
    offer(words(option), String(index), first !== undefined && option.value === first);
  });
  const chosen = () => options[Number(select.value || "-1")] ?? null;
  const show = () => menu.classList.toggle("empty", !chosen());
  show();
  select.addEventListener("change", () => {
    show();
    const { type, action_id } = item;
    if (place.label === undefined && chosen())
      press(place, { type, action_id, block_id: place.block, selected_option: chosen() });
  });
  if (place.label !== undefined) field(item, place, select, () => ({ selected_option: chosen() }));
  else select.setAttribute("aria-label", hint);
  menu.append(select);
  return menu;
}

let groups = 0;

function drawOptions(item: Json, place: Place): HTMLElement {
  const first = new Set(
    [object(item.initial_option), ...list(item.initial_options)].map((option) => option.value),
  );
  const isMany = item.type === "checkboxes";
  const name = `slack-${++groups}`;
  const all = element("div", "slack-options");
  const boxes = list(item.options).map((option) => {
    const label = element("label", "");
    const box = document.createElement("input");
    box.type = isMany ? "checkbox" : "radio";
    box.name = name;
    box.defaultChecked = first.has(option.value);
    const beside = element("span", "", words(option));
    const note = text(object(option.description).text);
    if (note) beside.append(element("small", "", note));
    label.append(box, beside);
    all.append(label);
    return { box, option };
  });
  const chosen = () => boxes.filter(({ box }) => box.checked).map(({ option }) => option);
  all.setAttribute("role", "group");
  field(item, place, all, () =>
    isMany ? { selected_options: chosen() } : { selected_option: chosen()[0] ?? null },
  );
  return all;
}

/** A field that is written into. */
function drawEntry(item: Json, place: Place, type: string): HTMLElement {
  const value = String(item.initial_value ?? item.initial_date ?? "");
  const isTall = item.multiline === true;
  const entry = document.createElement(isTall ? "textarea" : "input");
  if (entry instanceof HTMLInputElement) {
    entry.type = type;
    if (type === "number") entry.step = item.is_decimal_allowed === true ? "any" : "1";
  }
  entry.className = isTall ? "slack-field tall" : "slack-field";
  entry.defaultValue = value;
  entry.placeholder = text(object(item.placeholder).text);
  const key = type === "date" ? "selected_date" : "value";
  field(item, place, entry, () => ({ [key]: entry.value || null }));
  return entry;
}
