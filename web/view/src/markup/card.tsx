/** @jsxImportSource #jsx */
// Cards and lists, and what is in a card's place while there is nothing to show.

import { translate } from "@widgetcast/i18n";
import { empty, more as moreText } from "@widgetcast/i18n/host";
import { details } from "@widgetcast/i18n/view";
import type { CSSProperties, ReactElement, ReactNode } from "react";
import { useLayoutEffect, useRef, useState } from "#react";
import { info } from "../../icon-drawings";
import { renderChevron } from "./chevron";
import { attributes, type Look, type Native } from "./element";
import { renderDrawing } from "./icon";
import { choice, flags, type Given, number, type Props, text } from "./prop";
import { background, border, image, put, type Style, spacing, themeOn } from "./token";

/** The frame of a root, which is faded and inert while `locked`. */
export function RootFrame(props: {
  look: Look;
  theme: string | undefined;
  locked: boolean;
  native?: Native | undefined;
  children: ReactNode;
}) {
  const { theme, locked, look } = props;
  const element = useRef<HTMLElement>(null);
  const focused = useRef<Element | null>(null);
  // Not the attribute `inert`: React 18 does not know it. What becomes inert loses the focus, and
  // gets it back.
  useLayoutEffect(() => {
    const root = element.current;
    if (!root || locked === root.hasAttribute("inert")) return;
    if (locked) focused.current = (root.getRootNode() as Document).activeElement;
    root.toggleAttribute("inert", locked);
    if (locked) return;
    if (focused.current?.isConnected)
      (focused.current as HTMLElement).focus({ preventScroll: true });
    focused.current = null;
  }, [locked]);
  const { className, style } = look;
  const inner = { className: `wc-root ${className}`, style, theme: look.theme ?? theme };
  return (
    <section {...attributes(inner, props.native)} ref={element} aria-busy={locked || undefined}>
      {props.children}
    </section>
  );
}

/** The line above a card or a list: a picture of the site, or an icon, and a few words. */
export function renderStatus(given: Props, icon: ReactNode) {
  const favicon = image(given.favicon);
  return (
    text(given.text) && (
      <div className="wc-status">
        {favicon ? (
          <img
            src={favicon}
            alt=""
            referrerPolicy="no-referrer"
            className={flags(given, "frame")}
            onError={(event) => {
              event.currentTarget.hidden = true;
            }}
          />
        ) : (
          icon
        )}
        <span className="wc-clip">{text(given.text)}</span>
      </div>
    )
  );
}

export function cardLook(props: Given<"Card">, dark: boolean): Look {
  const style = border(props.border);
  put(style, "background", background(props.background, dark));
  const className = `wc-card${choice("card", props.size)}`;
  return { className, style, theme: themeOn(style.background, dark) };
}

/** What is inside the frame of a card. `children` are its body and foot, in a form if it is one. */
export function CardInside(card: {
  props: Given<"Card">;
  status?: ReactNode;
  locale?: string | undefined;
  /** The label of the button while the card is folded, and while it is not. */
  words?: [string, string];
  children: ReactNode;
}) {
  const label = translate(details, card.locale);
  const { words: labels = [label, label] } = card;
  const [open, setOpen] = useState(false);
  const collapsed = card.props.collapsed === true;
  return (
    <div className="wc-pad" style={padding(card.props.padding) as CSSProperties}>
      {card.status}
      {collapsed && (
        <button
          type="button"
          className="wc-more"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {labels[+open]}
          {renderChevron()}
        </button>
      )}
      {(open || !collapsed) && card.children}
    </div>
  );
}

// As variables, so that what is flush can cancel them.
function padding(value: unknown): Style {
  const sides = spacing(value, "padding");
  const style: Style = {};
  for (const side of ["BlockStart", "BlockEnd", "InlineStart", "InlineEnd"]) {
    const given = sides[`padding${side}`] ?? sides.padding;
    // What is large gives way in a narrow frame, where words need the room.
    const isWide = side.startsWith("Inline") && Number.parseFloat(given ?? "") > 32;
    put(style, `--pad-${side}`, isWide ? `min(${given},16vw)` : given);
  }
  return style;
}

export const renderBody = (children: ReactNode) => <div className="wc-body">{children}</div>;
export const renderFoot = (children: ReactNode) => <div className="wc-foot">{children}</div>;

const AUTO = 5;

/** How many entries show at first. No entry alone is hidden: the button would be as tall as it. */
export function visible(limit: unknown, total: number): number {
  const most = limit === "auto" ? AUTO : Math.floor(number(limit, 1, total) ?? total);
  return total > most + 1 ? most : total;
}

export const LIST_LOOK: Look = { className: "wc-card wc-card-lg wc-listview" };

/** The entries of a list; `isBare` says which of them need the padding of an entry. */
export function ListInside(list: {
  limit: unknown;
  locale: string | undefined;
  status?: ReactNode;
  items: ReactElement[];
  isBare(at: number): boolean;
  more?: ((count: number) => string) | undefined;
}) {
  const { items, more = (n) => translate(moreText, list.locale).replace("{n}", `${n}`) } = list;
  const [open, setOpen] = useState(false);
  const firstHidden = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (open) firstHidden.current?.focus();
  }, [open]);
  const edge = visible(list.limit, items.length);
  const shown = open ? items.length : edge;
  return (
    <>
      {list.status}
      {items.length === 0 && <p className="wc-item wc-hint">{translate(empty, list.locale)}</p>}
      <ul>
        {items.slice(0, shown).map((item, at) => (
          <li
            key={item.key ?? at}
            className={list.isBare(at) ? "wc-item" : ""}
            tabIndex={at === edge ? -1 : undefined}
            ref={at === edge ? firstHidden : null}
          >
            {item}
          </li>
        ))}
      </ul>
      {shown < items.length && (
        <button type="button" className="wc-more" onClick={() => setOpen(true)}>
          {more(items.length - shown)}
          {renderChevron()}
        </button>
      )}
    </>
  );
}

/** One entry; with `onClick` all of it is a button, named after its text. */
export function renderItem(
  look: Look,
  id: string,
  children: ReactNode,
  onClick: ((event: { currentTarget: Element }) => void) | undefined,
  busy: boolean,
) {
  return (
    <div className={onClick ? "wc-item wc-acts" : "wc-item"} aria-busy={busy || undefined}>
      {onClick && (
        <button type="button" className="wc-hit" aria-labelledby={id} onClick={onClick} />
      )}
      <div {...attributes(look)} id={id}>
        {children}
      </div>
    </div>
  );
}

/** A card while there is no result. The input is the model's business: it may be long, or data. */
export function renderWait(title: string) {
  return (
    <section className="wc-root wc-card wc-wait" aria-busy="true">
      <div className="wc-pad">
        <p className="wc-strong">{title}</p>
        <i />
        <i />
      </div>
    </section>
  );
}

/** A card that says what went wrong. */
export function renderFault(title: string, detail: string) {
  return (
    <section className="wc-root wc-card wc-fault" role="alert">
      <div className="wc-pad">
        {renderDrawing(info, 20)}
        <div>
          <p className="wc-words wc-strong">{title}</p>
          <p className="wc-words">{detail}</p>
        </div>
      </div>
    </section>
  );
}
