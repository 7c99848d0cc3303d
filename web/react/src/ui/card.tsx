/** @jsxImportSource react */
// Cards and lists.

import { translate } from "@widgetcast/i18n";
import * as view from "@widgetcast/i18n/view";
import { Children, type HTMLAttributes, type ReactElement, type ReactNode, useId } from "react";
import { boxStyle } from "../../../view/src/markup/box";
import {
  CardInside,
  cardLook,
  LIST_LOOK,
  ListInside,
  RootFrame,
  renderBody,
  renderFault,
  renderFoot,
  renderItem,
  renderStatus,
  renderWait,
} from "../../../view/src/markup/card";
import type { ComponentProps } from "../../../view/src/markup/component-props";
import { renderText, renderTitle } from "../../../view/src/markup/text";
import { usePending } from "./button";
import { glyph, type IconLike } from "./icon";
import { rooted, Themed, useSurroundings } from "./root";
import { type Color, type Line, nativeOf, type Sides, type Space } from "./token";

/** A status line above a card or a list, such as its source. */
export interface Status {
  text: string;
  /** The URL of a small image. */
  favicon?: string | undefined;
  /** Draws a frame around the favicon. */
  frame?: boolean | undefined;
  icon?: IconLike | undefined;
}

/** The state of a call, as `useTool()` returns it. */
export type CallState =
  | { status: "waiting"; input?: object | undefined }
  | { status: "done" }
  | { status: "failed"; error: { message: string } }
  | { status: "cancelled"; reason?: string | undefined };

type Native = Omit<HTMLAttributes<HTMLElement>, "color" | "title" | "children">;

interface RootLook extends Native, Pick<ComponentProps["Card"], "theme"> {
  status?: Status | undefined;
}

export interface CardProps<S extends CallState = CallState>
  extends RootLook,
    Pick<ComponentProps["Card"], "size" | "collapsed"> {
  title?: string | undefined;
  padding?: Space | Sides<Space> | undefined;
  border?: number | Line | Sides<number | Line> | undefined;
  background?: Color | undefined;
  /** Fades the card and disables its inputs. */
  pending?: boolean | undefined;
  /** Buttons at the bottom. */
  footer?: ReactNode;
  /** The result of `useTool()`: until the call is done, the card shows its state. */
  state?: S | undefined;
  /** Custom labels; by default, they are in the language of the page. */
  texts?: Partial<CardTexts> | undefined;
  /** With `state`, also a function that gets the completed call. */
  children?: ReactNode | ((done: Extract<S, { status: "done" }>) => ReactNode);
}

export interface CardTexts {
  waiting: string;
  failed: string;
  cancelled: string;
  /** The button that expands a collapsed card. */
  unfold: string;
  fold: string;
}

const textsIn = (locale: string): CardTexts => ({
  waiting: translate(view.loading, locale),
  failed: translate(view.failed, locale),
  cancelled: translate(view.cancelled, locale),
  unfold: translate(view.details, locale),
  fold: translate(view.details, locale),
});

/** The placeholder of a card while its call is not done. */
function standIn(state: Exclude<CallState, { status: "done" }>, title: string, texts: CardTexts) {
  if (state.status === "waiting") return renderWait(title || texts.waiting);
  if (state.status === "failed") return renderFault(texts.failed, state.error.message);
  const { reason } = state;
  const words = reason ? `${texts.cancelled}: ${reason}` : texts.cancelled;
  return (
    <RootFrame theme={undefined} locked={false} look={cardLook({}, false)}>
      <CardInside props={{}}>
        {renderBody(renderText({ size: "sm", color: "secondary" }, words))}
      </CardInside>
    </RootFrame>
  );
}

const statusOf = (status: Status | undefined) =>
  status && renderStatus({ ...status }, glyph(status.icon, 14));

interface CardComponent {
  <S extends CallState>(props: CardProps<S>): ReactNode;
  displayName?: string;
}

/** A framed card: the usual root of a view. */
export const Card = /* @__PURE__ */ rooted<never, CardProps>(
  "Card",
  ({ title = "", status, footer, state, texts, pending = false, children, ...props }) => {
    const around = useSurroundings();
    const { theme } = props;
    const dark = theme ? theme === "dark" : around.dark;
    const said = { ...textsIn(around.locale), ...texts };
    if (state && state.status !== "done") return standIn(state, title, said);
    const shown = typeof children === "function" ? state && children(state) : children;
    const look = cardLook({ ...props }, dark);
    return (
      <Themed dark={dark}>
        <RootFrame theme={theme} locked={pending} look={look} native={nativeOf(props)}>
          <CardInside
            props={{ ...props }}
            status={statusOf(status)}
            words={[said.unfold, said.fold]}
          >
            {renderBody(
              <>
                {title && renderTitle({ size: "sm" }, title)}
                {shown}
              </>,
            )}
            {footer && renderFoot(footer)}
          </CardInside>
        </RootFrame>
      </Themed>
    );
  },
) as CardComponent;

export interface ListViewProps extends RootLook, Pick<ComponentProps["ListView"], "limit"> {
  /** The label of the "show more" button. */
  more?: ((count: number) => string) | undefined;
  pending?: boolean | undefined;
  children?: ReactNode;
}

/** A card of entries, each a `ListViewItem` or anything else. */
export const ListView = /* @__PURE__ */ rooted<never, ListViewProps>(
  "ListView",
  ({ status, limit, more, pending = false, children, theme, ...props }) => {
    const around = useSurroundings();
    // Only elements have keys; a text between them is none.
    const items = Children.toArray(children) as ReactElement[];
    return (
      <Themed dark={theme ? theme === "dark" : around.dark}>
        <RootFrame theme={theme} locked={pending} look={LIST_LOOK} native={nativeOf(props)}>
          <ListInside
            limit={limit}
            status={statusOf(status)}
            items={items}
            isBare={(at) => items[at]?.type !== ListViewItem}
            locale={around.locale}
            more={more}
          />
        </RootFrame>
      </Themed>
    );
  },
);

export interface ListViewItemProps extends Pick<ComponentProps["ListViewItem"], "gap" | "align"> {
  /** Makes the whole entry a button. */
  onClick?: (() => unknown) | undefined;
  pending?: boolean | undefined;
  children?: ReactNode;
}

/** An entry of a list: its children side by side. */
export const ListViewItem = /* @__PURE__ */ rooted<never, ListViewItemProps>(
  "ListViewItem",
  ({ onClick, pending = false, gap, align, children }) => {
    const id = useId();
    const [isRunning, run] = usePending();
    const look = { className: "wc-row", style: boxStyle({ gap, align }, false) };
    const isBusy = pending || isRunning;
    const press = onClick && (() => isBusy || run(onClick));
    return renderItem(look, id, children, press, isBusy);
  },
);
