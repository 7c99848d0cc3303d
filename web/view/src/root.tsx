// The roots of a tree: card, list, and the bare one.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Box, boxStyle, FormFrame } from "./box";
import { renderButton } from "./button";
import type { Part, RenderContext } from "./context";
import { choice, flags, match, number, record, text } from "./prop";
import { renderChevron, renderIcon } from "./text";
import { background, border, image, put, type Style, spacing } from "./token";
import { useAction } from "./use-action";

interface Root {
  theme: string | undefined;
  /** What a root changes for its children: the theme, and what an action locks. */
  change: Partial<RenderContext>;
  locked: boolean;
  element: { current: HTMLElement | null };
}

function useRoot({ props, context }: Part): Root {
  const theme = match(props.theme, /^(light|dark)$/);
  const [locked, setLocked] = useState(false);
  const element = useRef<HTMLElement>(null);
  const focused = useRef<Element | null>(null);
  // What becomes inert loses the focus; it gets it back.
  useLayoutEffect(() => {
    if (!locked && focused.current?.isConnected)
      (focused.current as HTMLElement).focus({ preventScroll: true });
    focused.current = null;
  }, [locked]);
  const change = {
    dark: theme ? theme === "dark" : context.dark,
    setBusy(busy: boolean) {
      if (busy)
        focused.current =
          (element.current?.getRootNode() as Document | undefined)?.activeElement ?? null;
      setLocked(busy);
    },
  };
  return { theme, change, locked, element };
}

/** The frame of a root, which is faded and inert while an action locks it. */
function RootFrame(props: {
  root: Root;
  class: string;
  style?: Style;
  children: ComponentChildren;
}) {
  const { theme, locked, element } = props.root;
  return (
    <section
      ref={element}
      class={`wc-root ${props.class}`}
      style={props.style}
      data-theme={theme}
      aria-busy={locked || undefined}
      inert={locked}
    >
      {props.children}
    </section>
  );
}

function status({ props, context }: Part) {
  const given = record(props.status) ?? {};
  const favicon = image(given.favicon);
  return (
    text(given.text) && (
      <div class="wc-status">
        {favicon ? (
          <img
            src={favicon}
            alt=""
            referrerpolicy="no-referrer"
            class={flags(given, "frame")}
            onError={(event) => {
              event.currentTarget.hidden = true;
            }}
          />
        ) : (
          renderIcon(context, text(given.icon), 14)
        )}
        <span class="wc-clip">{text(given.text)}</span>
      </div>
    )
  );
}

export function Card(part: Part) {
  const { node, props, context } = part;
  const root = useRoot(part);
  const [open, setOpen] = useState(false);
  const style = border(props.border);
  put(style, "background", background(props.background, root.change.dark === true));
  const collapsed = props.collapsed === true;
  const folded = collapsed && !open;
  const change = node.form ? { ...root.change, form: node } : root.change;
  const inner = (
    <>
      <div class="wc-body">{part.renderChildren(change)}</div>
      <Footer node={node} context={{ ...context, ...change }} />
    </>
  );
  return (
    <RootFrame root={root} class={`wc-card${choice("card", props.size)}`} style={style}>
      <div class="wc-pad" style={padding(props.padding)}>
        {status(part)}
        {collapsed && (
          <button
            type="button"
            class="wc-more"
            aria-expanded={!folded}
            onClick={() => setOpen(folded)}
          >
            {folded ? "Show details" : "Hide details"}
            {renderChevron()}
          </button>
        )}
        {!folded &&
          (node.form ? (
            <FormFrame part={part} class="wc-col">
              {inner}
            </FormFrame>
          ) : (
            inner
          ))}
      </div>
    </RootFrame>
  );
}

// As variables, so that what is flush can cancel them.
function padding(value: unknown): Style {
  const sides = spacing(value, "padding");
  const style: Style = {};
  for (const side of ["BlockStart", "BlockEnd", "InlineStart", "InlineEnd"]) {
    put(style, `--pad-${side}`, sides[`padding${side}`] ?? sides.padding);
  }
  return style;
}

/** The two buttons of a card. */
function Footer(part: Pick<Part, "node" | "context">) {
  const { node, context } = part;
  const cancel = record(node.props.cancel) ?? {};
  const confirm = record(node.props.confirm) ?? {};
  const [cancelling, runCancel] = useAction(part, "self");
  const [confirming, runConfirm] = useAction(part, "container");
  const submit = node.form > 0;
  if (!text(cancel.label) && !text(confirm.label)) return null;
  return (
    <div class="wc-foot">
      {text(cancel.label) &&
        renderButton(context, { label: cancel.label }, " wc-c-secondary", cancelling, () =>
          runCancel(cancel.action, text(cancel.label)),
        )}
      {text(confirm.label) &&
        renderButton(
          context,
          { label: confirm.label, submit },
          " wc-v-solid wc-c-primary",
          confirming,
          (event) => {
            if (submit && !event.currentTarget.closest("form")?.reportValidity()) return;
            runConfirm(confirm.action, text(confirm.label));
          },
        )}
    </div>
  );
}

const AUTO = 5;

/** How many entries show at first. `auto` hides no entry alone: the button is as tall as it. */
export function visible(limit: unknown, total: number): number {
  if (limit === "auto") return total > AUTO + 1 ? AUTO : total;
  return Math.min(total, Math.floor(number(limit, 1, total) ?? total));
}

export function ListView(part: Part) {
  const { node, props } = part;
  const root = useRoot(part);
  const [open, setOpen] = useState(false);
  const firstHidden = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (open) firstHidden.current?.focus();
  }, [open]);
  const items = part.renderChildren(root.change);
  const edge = visible(props.limit, items.length);
  const shown = open ? items.length : edge;
  return (
    <RootFrame root={root} class="wc-card wc-card-lg wc-listview">
      {status(part)}
      <ul>
        {items.slice(0, shown).map((item, at) => (
          <li
            key={item.key}
            class={node.children[at]?.type === "ListViewItem" ? "" : "wc-item"}
            tabIndex={at === edge ? -1 : undefined}
            ref={at === edge ? firstHidden : null}
          >
            {item}
          </li>
        ))}
      </ul>
      {shown < items.length && (
        <button type="button" class="wc-more" onClick={() => setOpen(true)}>
          Show {items.length - shown} more
          {renderChevron()}
        </button>
      )}
    </RootFrame>
  );
}

export function ListViewItem(part: Part) {
  const { props, id } = part;
  const [busy, run] = useAction(part, "self");
  const action = record(props.onClickAction);
  return (
    <div class={action ? "wc-item wc-acts" : "wc-item"} aria-busy={busy || undefined}>
      {action && (
        <button
          type="button"
          class="wc-hit"
          aria-labelledby={id}
          onClick={(event) => {
            const label = event.currentTarget.nextElementSibling?.textContent?.trim();
            run(action, label?.slice(0, 80));
          }}
        />
      )}
      <div id={id} class="wc-row" style={boxStyle({ gap: props.gap, align: props.align }, false)}>
        {part.renderChildren()}
      </div>
    </div>
  );
}

export function Basic(part: Part) {
  const root = useRoot(part);
  return (
    <RootFrame root={root} class="wc-basic">
      <Box
        {...part}
        context={{ ...part.context, ...root.change }}
        renderChildren={() => part.renderChildren(root.change)}
      />
    </RootFrame>
  );
}
