// The components and icons that a widget is made of, to look things up.

import { type Dict, isDict, type Json } from "@widgetcast/schema";
import { draw, css as viewCss } from "@widgetcast/view";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { componentsPath, iconsPath } from "./address";
import { Icon } from "./icon";
import { Copy, Notice, plural } from "./part";

export const CATALOGUE = "#catalogue";
const MOST_ICONS = 300;

type Node = [tag: string, attributes: Record<string, string>];
interface IconRow {
  name: string;
  nodes: Node[];
}
interface Component {
  name: string;
  words: string;
  props: { name: string; words: string; type: string; isRequired: boolean }[];
}

function readIcons(text: string): IconRow[] {
  return text.split("\n").flatMap((line) => {
    const [name, nodes] = line.split("\t");
    return name && nodes?.startsWith("[") ? [{ name, nodes: JSON.parse(nodes) as Node[] }] : [];
  });
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** The values that a schema allows, in a few words. */
function typeOf(schema: Json | undefined): string {
  if (!isDict(schema)) return "";
  if (typeof schema.$ref === "string") return schema.$ref.replace(/^.*\//, "");
  if (Array.isArray(schema.enum)) return schema.enum.map(String).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  for (const list of [schema.anyOf, schema.oneOf])
    if (Array.isArray(list))
      return [...new Set(list.map(typeOf).filter(Boolean))].slice(0, 6).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map(String).join(" | ");
  return textOf(schema.type);
}

/** The components in the JSON Schema of `.widget` files. */
export function readComponents(schema: Json): Component[] {
  const definitions = isDict(schema) ? (schema.$defs ?? schema.definitions) : undefined;
  if (!isDict(definitions)) return [];
  return Object.entries(definitions).flatMap(([key, found]) => {
    const members = isDict(found) && isDict(found.properties) ? found.properties : undefined;
    const type = isDict(members?.type) ? members.type.const : undefined;
    if (!isDict(found) || !members || typeof type !== "string") return [];
    const required = Array.isArray(found.required) ? found.required : [];
    const props = Object.entries(members)
      .filter(([name]) => name !== "type")
      .map(([name, value]) => ({
        name,
        words: textOf(isDict(value) ? value.description : undefined),
        type: typeOf(value),
        isRequired: required.includes(name),
      }));
    return [{ name: type, words: textOf(found.description) || key, props }];
  });
}

const EXAMPLES: Record<string, Dict> = {
  Badge: { type: "Badge", label: "Ready", color: "success" },
  Button: { type: "Button", label: "Order", style: "primary" },
  Caption: { type: "Caption", value: "Updated a minute ago" },
  Checkbox: { type: "Checkbox", name: "a", label: "With cutlery", defaultChecked: true },
  DatePicker: { type: "DatePicker", name: "b" },
  Divider: { type: "Divider" },
  Icon: { type: "Icon", name: "star", size: "xl" },
  Input: { type: "Input", name: "c", placeholder: "Your name" },
  Label: { type: "Label", value: "Dish", fieldName: "d" },
  Markdown: { type: "Markdown", value: "Some *words*, a `code` and\n\n- a list" },
  RadioGroup: {
    type: "RadioGroup",
    name: "e",
    options: [
      { label: "Tea", value: "t" },
      { label: "Coffee", value: "c" },
    ],
    defaultValue: "t",
  },
  Select: {
    type: "Select",
    name: "f",
    options: [
      { label: "Soup", value: "s" },
      { label: "Pasta", value: "p" },
    ],
    defaultValue: "s",
  },
  Text: { type: "Text", value: "A line of text" },
  Textarea: { type: "Textarea", name: "g", placeholder: "Anything to add?" },
  Title: { type: "Title", value: "A title" },
};

function Example({ tree }: { tree: Dict }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const outer = place.current;
    if (!outer) return;
    const shadow = outer.shadowRoot ?? outer.attachShadow({ mode: "open" });
    const style = new CSSStyleSheet();
    style.replaceSync(viewCss);
    shadow.adoptedStyleSheets = [style];
    const root = document.createElement("div");
    shadow.replaceChildren(root);
    draw(root, { type: "Basic", children: [tree] });
  }, [tree]);
  return <div class="example" ref={place} inert aria-hidden="true" />;
}

function useLoaded() {
  const [icons, setIcons] = useState<IconRow[]>([]);
  const [components, setComponents] = useState<Component[]>([]);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const load = async () => {
      const [first, second] = await Promise.all([fetch(componentsPath()), fetch(iconsPath())]);
      if (!first.ok || !second.ok) throw new Error(`The server returned ${first.status}`);
      setComponents(readComponents(await first.json()));
      setIcons(readIcons(await second.text()));
    };
    load().catch((error: Error) => setProblem(error.message));
  }, []);
  return { icons, components, problem };
}

export function Catalogue() {
  const { icons, components, problem } = useLoaded();
  const [query, setQuery] = useState("");
  const word = query.trim().toLowerCase();
  const some = useMemo(() => icons.filter(({ name }) => name.includes(word)), [icons, word]);
  const parts = components.filter(
    ({ name, props }) =>
      name.toLowerCase().includes(word) || props.some((prop) => prop.name.toLowerCase() === word),
  );
  return (
    <main class="catalogue">
      <header class="head-line">
        <a class="back" href="#/">
          <Icon name="back" size={15} /> All widgets
        </a>
        <div>
          <h1 tabIndex={-1}>Components and icons</h1>
        </div>
        <p>All components, props and icons, rendered by this version.</p>
      </header>
      {problem && <Notice tone="error">{problem}</Notice>}
      <search class="find">
        <label class="box">
          <Icon name="search" />
          <span class="unseen">Search components and icons</span>
          <input
            type="search"
            placeholder="Search"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
        <p class="quiet" role="status">
          {plural(parts.length, "component")}, {plural(some.length, "icon")}
        </p>
      </search>
      <section class="components" aria-label="Components">
        {parts.map((part) => (
          <details key={part.name}>
            <summary>
              <strong>{part.name}</strong>
              <span>{part.words}</span>
            </summary>
            {EXAMPLES[part.name] && <Example tree={EXAMPLES[part.name] as Dict} />}
            <dl>
              {part.props.map((prop) => (
                <div key={prop.name}>
                  <dt>
                    <code>{prop.name}</code>
                    {prop.isRequired && <span class="tag">required</span>}
                  </dt>
                  <dd>
                    {prop.type && <code>{prop.type}</code>} {prop.words}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        ))}
      </section>
      <ul class="icons" aria-label="Icons">
        {some.slice(0, MOST_ICONS).map(({ name, nodes }) => (
          <li key={name}>
            <svg class="icon" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true">
              {nodes.map(([tag, attributes], index) => {
                const Tag = tag as "path";
                return <Tag key={index} {...attributes} />;
              })}
            </svg>
            <span>{name}</span>
            <Copy text={name} label={`Copy ${name}`} />
          </li>
        ))}
      </ul>
      {some.length > MOST_ICONS && (
        <p class="quiet">Search to see the other {some.length - MOST_ICONS} icons.</p>
      )}
    </main>
  );
}
