/** @jsxImportSource #jsx */
// Select. Plain lists use the browser's own control, which can leave the frame; lists that are
// searched or carry descriptions get a list box of ours.

import { translate } from "@widgetcast/i18n";
import { choose as chooseText } from "@widgetcast/i18n/host";
import { clear, no_matches, search as searchText } from "@widgetcast/i18n/view";
import type { FocusEvent, KeyboardEvent } from "react";
import { useLayoutEffect, useRef, useState } from "#react";
import { check } from "../../icon-drawings";
import { renderChevron } from "./chevron";
import type { Native } from "./element";
import { fieldClass, type Option, options, renderClear } from "./field";
import { renderDrawing } from "./icon";
import type { Given } from "./prop";

/** What a field is to its control. */
export interface Choice {
  value: string;
  /** What stands there while nothing is chosen. */
  hint: string;
  id: string;
  /** Under which name a form of the page finds the value. */
  name?: string | undefined;
  /** Its id, and what names it for those who cannot see it. */
  naming: Native;
}

interface Inner {
  disabled: boolean;
  all: Option[];
  field: Choice;
  chosen: Option | undefined;
  words: Words;
  choose(value: string): void;
}

/** What a select says by itself. */
export interface Words {
  choose: string;
  search: string;
  none: string;
  clear: string;
}

export function Select(select: {
  props: Given<"Select">;
  field: Choice;
  locale: string | undefined;
  words?: Partial<Words> | undefined;
  onChoose(value: string, label: string | undefined): void;
}) {
  const { props, field, locale } = select;
  const all = options(props.options);
  const chosen = all.find(({ value }) => value === field.value);
  const choose = (value: string) =>
    select.onChoose(value, all.find((option) => option.value === value)?.label);
  const disabled = props.disabled === true;
  const search = props.searchable === true || (props.searchable !== false && all.length > 15);
  const words: Words = {
    choose: translate(chooseText, locale),
    search: translate(searchText, locale),
    none: translate(no_matches, locale),
    clear: translate(clear, locale),
    ...select.words,
  };
  const inner = { disabled, all, field, chosen, choose, words };
  return (
    <span className={fieldClass(props, " wc-wrap")} data-disabled={disabled || undefined}>
      {search || all.some((option) => option.description) ? (
        <Picker {...inner} search={search} />
      ) : (
        <NativeSelect {...inner} />
      )}
      {props.clearable === true &&
        chosen &&
        !disabled &&
        renderClear(() => choose(""), words.clear)}
      {renderChevron()}
    </span>
  );
}

function NativeSelect({ disabled, all, field, chosen, choose, words }: Inner) {
  return (
    <select
      {...field.naming}
      name={field.name}
      className={chosen ? "wc-pick" : "wc-pick wc-hint"}
      disabled={disabled}
      value={chosen ? field.value : ""}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {!chosen && (
        <option value="" disabled hidden>
          {field.hint || words.choose}
        </option>
      )}
      {all.map(({ value, label, disabled }, key) => (
        <option key={key} value={value} disabled={disabled}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The list may reach below the last line of the page: the page grows for as long as it is open. */
function stretch(panel: HTMLElement | null): void {
  if (!panel) return;
  const root = panel.closest<HTMLElement>(".wc");
  panel.querySelector<HTMLElement>("input,[role=listbox]")?.focus({ preventScroll: true });
  if (!root) return;
  const need = panel.getBoundingClientRect().bottom - root.getBoundingClientRect().top;
  root.style.minHeight = `${Math.ceil(need + 8)}px`;
}

function Picker(props: Inner & { search: boolean }) {
  const { disabled, all, field, chosen, choose, search, words } = props;
  const [{ open, query, active }, setState] = useState({ open: false, query: "", active: 0 });
  const set = (change: { open?: boolean; query?: string; active?: number }) =>
    setState((now) => ({ ...now, ...change }));
  const button = useRef<HTMLButtonElement>(null);
  const option = useRef<HTMLDivElement>(null);
  const byKey = useRef(false);
  useLayoutEffect(() => {
    if (byKey.current) option.current?.scrollIntoView({ block: "nearest" });
    byKey.current = false;
  }, [active]);
  const found = all.filter(({ label, description }) =>
    `${label} ${description}`.toLowerCase().includes(query.trim().toLowerCase()),
  );
  const listId = `${field.id}-list`;

  const show = () =>
    set({ open: true, query: "", active: Math.max(0, chosen ? all.indexOf(chosen) : 0) });

  const hide = (focus: boolean) => {
    button.current?.closest<HTMLElement>(".wc")?.style.removeProperty("min-height");
    set({ open: false });
    if (focus) button.current?.focus();
  };

  const take = (taken: Option | undefined) => {
    if (!taken || taken.disabled) return;
    choose(taken.value);
    hide(true);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -1e9, End: 1e9 }[key];
    if (step) {
      const next = Math.min(found.length - 1, Math.max(0, active + step));
      byKey.current = true;
      set({ active: next });
    } else if (key === "Enter" || (key === " " && !search)) take(found[active]);
    else if (key === "Escape") hide(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const reads = {
    "aria-controls": listId,
    "aria-activedescendant": found[active] ? `${listId}-${active}` : undefined,
  };
  return (
    <>
      {field.name && <input type="hidden" name={field.name} value={field.value} />}
      <button
        {...field.naming}
        ref={button}
        type="button"
        role="combobox"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        className={chosen ? "wc-pick" : "wc-pick wc-hint"}
        disabled={disabled}
        onClick={() => (open ? hide(false) : show())}
        onKeyDown={(event) => {
          if (open || !/^Arrow(Up|Down)$/.test(event.key)) return;
          event.preventDefault();
          show();
        }}
      >
        <div className="wc-clip">{chosen?.label ?? (field.hint || words.choose)}</div>
      </button>
      {open && (
        <div
          ref={stretch}
          className="wc-panel"
          // React lets `blur` bubble, Preact does not; both pass it down.
          onBlurCapture={(event: FocusEvent) => {
            const next = event.relatedTarget as Element | null;
            if (!event.currentTarget.contains(next) && next?.id !== field.id) hide(false);
          }}
        >
          {search && (
            <input
              {...reads}
              className="wc-search"
              type="text"
              role="combobox"
              aria-expanded="true"
              aria-label={words.search}
              placeholder={words.search}
              autoComplete="off"
              value={query}
              onKeyDown={onKeyDown}
              onInput={(event) => set({ query: event.currentTarget.value, active: 0 })}
            />
          )}
          <div
            {...field.naming}
            {...(search ? {} : reads)}
            id={listId}
            className="wc-list"
            role="listbox"
            tabIndex={search ? -1 : 0}
            onKeyDown={search ? undefined : onKeyDown}
          >
            {found.map((one, at) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the list box holds the focus
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list box takes the keys
              <div
                key={at}
                ref={at === active ? option : null}
                id={`${listId}-${at}`}
                role="option"
                className="wc-option"
                aria-selected={one === chosen}
                aria-disabled={one.disabled || undefined}
                data-active={at === active || undefined}
                onPointerMove={() => at !== active && set({ active: at })}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(one)}
              >
                <span>
                  {one.label}
                  {one.description && <span>{one.description}</span>}
                </span>
                {one === chosen && renderDrawing(check, 16)}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="wc-none">{words.none}</p>}
        </div>
      )}
    </>
  );
}
