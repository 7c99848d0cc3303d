// The roots of a tree: card, list, and the bare one.

import type { ComponentChildren } from "preact";
import { Box, boxStyle, FormFrame } from "./box";
import { face } from "./button";
import { choice, flags, match, number, record, text } from "./prop";
import { down, glyph } from "./text";
import { background, border, image, put, type Style, spacing } from "./token";
import { fire, type Part, type World } from "./world";

/** What a root changes for those inside: its theme, and itself as what an action may hold. */
function inside({
  props,
  world,
  set,
  refs,
}: Part): Partial<World> & { theme?: string | undefined } {
  const theme = match(props.theme, /^(light|dark)$/);
  let last: Element | null;
  return {
    theme,
    dark: theme ? theme === "dark" : world.dark,
    hold(held) {
      if (held) last = (refs.root?.getRootNode() as Document | undefined)?.activeElement ?? null;
      // What becomes inert loses the focus; it gets it back.
      set({ held }, () => {
        if (!held && last?.isConnected) (last as HTMLElement).focus({ preventScroll: true });
      });
    },
  };
}

/** Fades and locks everything inside while an action holds it. */
function frame(part: Part, name: string, style: Style, children: ComponentChildren) {
  const { held } = part.state;
  return (
    <section
      ref={(element) => {
        part.refs.root = element;
      }}
      class={`wc-root ${name}`}
      style={style}
      data-theme={inside(part).theme}
      aria-busy={held || undefined}
      inert={held === true}
    >
      {children}
    </section>
  );
}

function status({ props, world }: Part) {
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
          glyph(world, text(given.icon), 14)
        )}
        <span class="wc-clip">{text(given.text)}</span>
      </div>
    )
  );
}

export function Card(part: Part) {
  const { branch, props, state, set } = part;
  const change = inside(part);
  const style = border(props.border);
  put(style, "background", background(props.background, change.dark === true));
  const collapsed = props.collapsed === true;
  const folded = collapsed && !state.open;
  const form = branch.form ? { form: branch } : {};
  const inner = (
    <>
      <div class="wc-body">{part.kids({ ...change, ...form })}</div>
      {foot({ ...part, world: { ...part.world, ...change, ...form } as World })}
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
          {down()}
        </button>
      )}
      {!folded &&
        (branch.form ? (
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

function foot(part: Part) {
  const { branch, props, world, state } = part;
  const button = (given: unknown, kind: string, busy: string, submit: boolean) => {
    const { label, action } = record(given) ?? {};
    if (!text(label)) return null;
    return face(world, { label, submit }, kind, state[busy], (event) => {
      if (submit && !event.currentTarget.closest("form")?.reportValidity()) return;
      fire(part, action, busy === "no" ? "self" : "container", text(label), busy);
    });
  };
  const no = button(props.cancel, " wc-c-secondary", "no", false);
  const yes = button(props.confirm, " wc-v-solid wc-c-primary", "yes", branch.form > 0);
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
  const { branch, props, state, set, refs } = part;
  const items = part.kids(inside(part));
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
            class={branch.kids[at]?.type === "ListViewItem" ? "" : "wc-item"}
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
          {down()}
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
            fire(part, acts, "self", label?.slice(0, 80));
          }}
        />
      )}
      <div id={id} class="wc-row" style={boxStyle({ gap: props.gap, align: props.align }, false)}>
        {part.kids()}
      </div>
    </div>
  );
}

export function Basic(part: Part) {
  const change = inside(part);
  const kids = () => part.kids(change);
  return frame(
    part,
    "wc-basic",
    {},
    Box({ ...part, kids, world: { ...part.world, ...change } as World }),
  );
}
