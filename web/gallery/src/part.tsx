// Small parts that several places share.

import { Component, type ComponentChildren, type FunctionComponent, h } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type Sign } from "./icon";

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

export const classes = (...names: (string | false | undefined)[]): string =>
  names.filter(Boolean).join(" ");

/** Draws again only when a prop is another one. */
export function memo<P extends object>(Inner: FunctionComponent<P>) {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P) {
      const now: P = this.props;
      const names = new Set([...Object.keys(now), ...Object.keys(next)]) as Set<keyof P>;
      return [...names].some((name) => now[name] !== next[name]);
    }
    override render() {
      return h(Inner, this.props as P);
    }
  };
}

async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain http from another machine there is no clipboard object.
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function Copy(props: {
  text: string;
  label: string;
  /** With words beside the sign. */
  wide?: boolean;
  words?: string;
  icon?: Sign;
}) {
  const { text, label, wide } = props;
  const [done, setDone] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    await toClipboard(text);
    setDone(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setDone(false), 1500) as unknown as number;
  };
  return (
    <button
      type="button"
      class={classes("button", wide ? "small" : "bare")}
      aria-label={done ? `${label}: copied` : label}
      title={label}
      onClick={copy}
    >
      <Icon name={done ? "check" : (props.icon ?? "copy")} size={15} />
      {wide && <span aria-hidden="true">{done ? "Copied" : (props.words ?? "Copy")}</span>}
    </button>
  );
}

export interface Segment<T extends string> {
  value: T;
  label: string;
  icon?: Sign;
}

/** A few exclusive values side by side. */
export function Segments<T extends string>(props: {
  label: string;
  value: T;
  options: Segment<T>[];
  onChange(value: T): void;
  iconsOnly?: boolean;
}) {
  return (
    <fieldset class="segments" aria-label={props.label}>
      {props.options.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          aria-label={props.iconsOnly ? label : undefined}
          title={props.iconsOnly ? label : undefined}
          onClick={() => props.onChange(value)}
        >
          {icon && <Icon name={icon} size={15} />}
          {!props.iconsOnly && label}
        </button>
      ))}
    </fieldset>
  );
}

export interface Tab {
  id: string;
  label: string;
  count?: number;
}

/** Tabs as the ARIA practices have them: arrows move, Home and End jump. */
export function Tabs(props: {
  label: string;
  prefix: string;
  tabs: Tab[];
  value: string;
  onChange(id: string): void;
}) {
  const row = useRef<HTMLDivElement>(null);
  const key = (event: KeyboardEvent) => {
    const at = props.tabs.findIndex((tab) => tab.id === props.value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const tab = to === undefined ? undefined : props.tabs.at(to % props.tabs.length);
    if (!tab) return;
    event.preventDefault();
    props.onChange(tab.id);
    row.current?.querySelector<HTMLElement>(`#${props.prefix}-tab-${tab.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={props.label} ref={row} onKeyDown={key}>
      {props.tabs.map((tab) => (
        <button
          key={tab.id}
          id={`${props.prefix}-tab-${tab.id}`}
          type="button"
          role="tab"
          aria-selected={tab.id === props.value}
          aria-controls={tab.id === props.value ? `${props.prefix}-panel-${tab.id}` : undefined}
          tabIndex={tab.id === props.value ? 0 : -1}
          onClick={() => props.onChange(tab.id)}
        >
          {tab.label}
          {tab.count ? (
            <span class="count">
              {tab.count}
              <span class="unseen"> lost</span>
            </span>
          ) : null}
        </button>
      ))}
    </div>
  );
}

export function Notice(props: {
  tone: "error" | "warning" | "plain";
  children: ComponentChildren;
}) {
  return (
    <div class={classes("notice", props.tone)}>
      {props.tone !== "plain" && <Icon name="alert" />}
      <div>{props.children}</div>
    </div>
  );
}

/** Text that may be wider or longer than its place, and scrolls by keyboard too. */
export function Scroll(props: { label: string; kind: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard cannot scroll
    <section class={props.kind} aria-label={props.label} tabIndex={0}>
      <pre>{props.children}</pre>
    </section>
  );
}
