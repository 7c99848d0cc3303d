// Select. Plain lists use the browser's own control, which can leave the frame; lists that are
// searched or carry descriptions get a list box of ours.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Part } from "./context";
import { clear, fieldClass, type Option, options } from "./field";
import { Icon } from "./icon";
import { renderChevron } from "./text";
import { type Field, useField } from "./use-field";

interface Inner {
  disabled: boolean;
  all: Option[];
  field: Field<string>;
  chosen: Option | undefined;
  choose(value: string): void;
}

export function Select(part: Part) {
  const { props } = part;
  const all = options(props.options);
  const field = useField(part);
  const chosen = all.find(({ value }) => value === field.value);
  const choose = (value: string) =>
    field.change(value, all.find((option) => option.value === value)?.label);
  const disabled = props.disabled === true;
  const search = props.searchable === true || (props.searchable !== false && all.length > 15);
  const inner = { disabled, all, field, chosen, choose };
  return (
    <span class={fieldClass(props, " wc-wrap")} data-disabled={disabled || undefined}>
      {search || all.some((option) => option.description) ? (
        <Picker {...inner} search={search} />
      ) : (
        <Native {...inner} />
      )}
      {props.clearable === true && chosen && !disabled && clear(() => choose(""))}
      {renderChevron()}
    </span>
  );
}

function Native({ disabled, all, field, chosen, choose }: Inner) {
  return (
    <select
      {...field.naming}
      class={chosen ? "wc-pick" : "wc-pick wc-hint"}
      disabled={disabled}
      value={chosen ? field.value : ""}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {!chosen && (
        <option value="" disabled hidden>
          {field.hint || "Choose"}
        </option>
      )}
      {all.map(({ value, label, disabled }) => (
        <option value={value} disabled={disabled}>
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
  const { disabled, all, field, chosen, choose, search } = props;
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
      <button
        {...field.naming}
        ref={button}
        type="button"
        role="combobox"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        class={chosen ? "wc-pick" : "wc-pick wc-hint"}
        disabled={disabled}
        onClick={() => (open ? hide(false) : show())}
        onKeyDown={(event) => {
          if (open || !/^Arrow(Up|Down)$/.test(event.key)) return;
          event.preventDefault();
          show();
        }}
      >
        <div class="wc-clip">{chosen?.label ?? (field.hint || "Choose")}</div>
      </button>
      {open && (
        <div
          ref={stretch}
          class="wc-panel"
          onFocusOut={(event) => {
            const next = event.relatedTarget as Element | null;
            if (!event.currentTarget.contains(next) && next?.id !== field.id) hide(false);
          }}
        >
          {search && (
            <input
              {...reads}
              class="wc-search"
              type="text"
              role="combobox"
              aria-expanded="true"
              aria-label="Search"
              placeholder="Search"
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
            class="wc-list"
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
                class="wc-option"
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
                {one === chosen && <Icon name="check" size={16} />}
              </div>
            ))}
          </div>
          {found.length === 0 && <p class="wc-none">No matches</p>}
        </div>
      )}
    </>
  );
}
