// The roots of a tree: card, list, and the bare one.

import type { ComponentChildren } from "preact";
import { Box, boxStyle, FormFrame } from "./box";
import { renderButton } from "./button";
import { type Part, type RenderContext, runAction } from "./context";
import { choice, flags, match, number, record, text } from "./prop";
import { renderChevron, renderIcon } from "./text";
import { background, border, image, put, type Style, spacing } from "./token";

/** What a root changes for its children: the theme, and what an action locks. */
function inside({
  props,
  context,
  set,
  refs,
}: Part): Partial<RenderContext> & { theme?: string | undefined } {
  const theme = match(props.theme, /^(light|dark)$/);
  let last: Element | null;
  return {
    theme,
    dark: theme ? theme === "dark" : context.dark,
    setBusy(locked) {
      if (locked) last = (refs.root?.getRootNode() as Document | undefined)?.activeElement ?? null;
      // What becomes inert loses the focus; it gets it back.
      set({ locked }, () => {
        if (!locked && last?.isConnected) (last as HTMLElement).focus({ preventScroll: true });
      });
    },
  };
}

/** A root, which is faded and inert while an action locks it. */
function frame(part: Part, name: string, style: Style, children: ComponentChildren) {
  const { locked } = part.state;
  return (
    <section
      ref={(element) => {
        part.refs.root = element;
      }}
      class={`wc-root ${name}`}
      style={style}
      data-theme={inside(part).theme}
      aria-busy={locked || undefined}
      inert={locked === true}
    >
      {children}
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
  const { node, props, state, set } = part;
  const change = inside(part);
  const style = border(props.border);
  put(style, "background", background(props.background, change.dark === true));
  const collapsed = props.collapsed === true;
  const folded = collapsed && !state.open;
  const form = node.form ? { form: node } : {};
  const inner = (
    <>
      <div class="wc-body">{part.renderChildren({ ...change, ...form })}</div>
      {footer({ ...part, context: { ...part.context, ...change, ...form } as RenderContext })}
    </>
  );
  return frame(
    part,
    `wc-card${choice("card", props.size)}`,
    style,
    <div class="wc-pad" style={padding(props.padding)}>
      {status(part)}
      {collapsed && (
        <button
          type="button"
          class="wc-more"
          aria-expanded={!folded}
          onClick={() => set({ open: folded })}
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
    </div>,
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

function footer(part: Part) {
  const { node, props, context, state } = part;
  const button = (
    given: unknown,
    kind: string,
    busy: "confirming" | "cancelling",
    submit: boolean,
  ) => {
    const { label, action } = record(given) ?? {};
    if (!text(label)) return null;
    return renderButton(context, { label, submit }, kind, state[busy] === true, (event) => {
      if (submit && !event.currentTarget.closest("form")?.reportValidity()) return;
      runAction(part, action, busy === "cancelling" ? "self" : "container", text(label), busy);
    });
  };
  const no = button(props.cancel, " wc-c-secondary", "cancelling", false);
  const yes = button(props.confirm, " wc-v-solid wc-c-primary", "confirming", node.form > 0);
  return (
    (no || yes) && (
      <div class="wc-foot">
        {no}
        {yes}
      </div>
    )
  );
}

const AUTO = 5;

/** How many entries show at first. `auto` hides no entry alone: the button is as tall as it. */
export function visible(limit: unknown, total: number): number {
  if (limit === "auto") return total > AUTO + 1 ? AUTO : total;
  return Math.min(total, Math.floor(number(limit, 1, total) ?? total));
}

export function ListView(part: Part) {
  const { node, props, state, set, refs } = part;
  const items = part.renderChildren(inside(part));
  const edge = visible(props.limit, items.length);
  const shown = state.open ? items.length : edge;
  return frame(
    part,
    "wc-card wc-card-lg wc-listview",
    {},
    <>
      {status(part)}
      <ul>
        {items.slice(0, shown).map((item, at) => (
          <li
            key={item.key}
            class={node.children[at]?.type === "ListViewItem" ? "" : "wc-item"}
            tabIndex={at === edge ? -1 : undefined}
            ref={(element) => {
              if (at === edge) refs.first = element;
            }}
          >
            {item}
          </li>
        ))}
      </ul>
      {shown < items.length && (
        <button
          type="button"
          class="wc-more"
          onClick={() => set({ open: true }, () => refs.first?.focus())}
        >
          Show {items.length - shown} more
          {renderChevron()}
        </button>
      )}
    </>,
  );
}

export function ListViewItem(part: Part) {
  const { props, state, id } = part;
  const acts = record(props.onClickAction);
  return (
    <div class={acts ? "wc-item wc-acts" : "wc-item"} aria-busy={state.busy || undefined}>
      {acts && (
        <button
          type="button"
          class="wc-hit"
          aria-labelledby={id}
          onClick={(event) => {
            const label = event.currentTarget.nextElementSibling?.textContent?.trim();
            runAction(part, acts, "self", label?.slice(0, 80));
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
  const change = inside(part);
  const renderChildren = () => part.renderChildren(change);
  return frame(
    part,
    "wc-basic",
    {},
    Box({ ...part, renderChildren, context: { ...part.context, ...change } as RenderContext }),
  );
}
