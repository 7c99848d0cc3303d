/** @jsxImportSource react */
// A grid of things. One opens full screen, in the place of the grid; where there is no full screen,
// the grid itself says what there is to say, because a card in a conversation has one level.

import { words } from "@widgetcast/i18n/display/item";
import { Title } from "@widgetcast/react/ui";
import { type KeyboardEvent, useLayoutEffect, useRef } from "react";
import { type Data, type Item, Picture, read, TAKES, useItems } from "../item/item";
import { mount, useCommon, usePlace, useWords } from "../part/app";
import {
  arrow,
  Badge,
  Button,
  Empty,
  Header,
  Link,
  ModeButtons,
  Skeleton,
  stepped,
  useExpand,
} from "../part/control";
import { useFit } from "../part/fit";
import { useAsk } from "../part/host";
import { textOf } from "../part/list";
import { Load } from "../part/load";
import { useKept } from "../part/state";
import { siteOf } from "../part/url";

const FEW = 12;

function Detail({
  item,
  count,
  at,
  onMove,
  onBack,
}: {
  item: Item;
  count: number;
  at: number;
  onMove(step: number): void;
  onBack(): void;
}) {
  const say = useWords(words);
  const common = useCommon();
  const ask = useAsk();
  const head = useRef<HTMLHeadingElement>(null);
  // The reader is told what has opened, and the keyboard goes on from there.
  useLayoutEffect(() => head.current?.focus({ preventScroll: true }), [item.id]);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = /^Arrow(Left|Right)$/.test(event.key) ? arrow(event) : undefined;
    if (event.key === "Escape") onBack();
    else if (step) onMove(step);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for what its buttons do too
    <div className="detail" onKeyDown={onKey}>
      <div className="row bar">
        <Button kind="ghost" icon="back" onClick={onBack}>
          {say("back")}
        </Button>
        <span className="row tight">
          <span className="note number">{common("item", { n: at + 1, all: count })}</span>
          <Button kind="ghost" icon="back" label={common("previous")} onClick={() => onMove(-1)} />
          <Button kind="ghost" icon="forth" label={common("next")} onClick={() => onMove(1)} />
          <ModeButtons />
        </span>
      </div>
      <article>
        <Picture item={item} />
        <div className="words">
          <Title level={1} size="sm" ref={head} tabIndex={-1}>
            <bdi>{item.title}</bdi>
          </Title>
          {item.subtitle && <p className="note">{item.subtitle}</p>}
          {item.tag && (
            <p>
              <Badge>{item.tag}</Badge>
            </p>
          )}
          {item.description && (
            <p>
              <bdi>{item.description}</bdi>
            </p>
          )}
          {item.url && <Link url={item.url.href}>{siteOf(item.url)}</Link>}
          {ask && (
            <Button
              kind="primary"
              icon="chat"
              onClick={() => ask(say("prompt", { title: item.title }))}
            >
              {common("ask")}
            </Button>
          )}
        </div>
      </article>
    </div>
  );
}

/** All that there is to say of an item, where it cannot be opened. */
function Figure({ item }: { item: Item }) {
  return (
    <div className="figure">
      <Picture item={item} />
      <span className="name">
        {item.url ? <Link url={item.url.href}>{item.title}</Link> : item.title}
      </span>
      {item.subtitle && <span className="note">{item.subtitle}</span>}
      {item.description && <span className="note clamp">{item.description}</span>}
    </div>
  );
}

function Gallery({ title, items: given }: Data) {
  const say = useWords(words);
  const common = useCommon();
  const { mode } = usePlace();
  const expand = useExpand();
  const isFull = mode === "fullscreen";
  const all = useItems(given);
  const [state, keep] = useKept();
  const count = say("count", { n: all.length });
  const openId = textOf(state.open);
  const at = all.findIndex(({ id }) => id === openId);
  const grid = useFit<HTMLUListElement>();
  const left = useRef<string>(undefined);

  // Back in the grid the focus is where it left.
  useLayoutEffect(() => {
    if (at >= 0 || !left.current) return;
    const place = all.findIndex(({ id }) => id === left.current);
    left.current = undefined;
    grid.current?.querySelectorAll("button")[place]?.focus();
  });

  const open = all[at];
  if (open && isFull)
    return (
      <Detail
        item={open}
        at={at}
        count={all.length}
        onMove={(step) => keep({ open: all[stepped(at, step, all.length)]?.id })}
        onBack={() => {
          left.current = open.id;
          keep({ open: null });
        }}
      />
    );

  const isAll = state.all === true || isFull;
  const shown = isAll && mode !== "pip" ? all : all.slice(0, FEW);
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = arrow(event);
    const tiles = [...event.currentTarget.querySelectorAll("button")];
    const from = tiles.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || from < 0) return;
    event.preventDefault();
    // Up and down go by a row, and how many are in a row is what the layout made of it.
    const top = tiles[0]?.getBoundingClientRect().top;
    const inRow = tiles.filter((tile) => tile.getBoundingClientRect().top === top).length;
    const far = /Up|Down/.test(event.key) ? step * inRow : step;
    const to = Math.abs(step) > 1 ? stepped(from, step, tiles.length) : from + far;
    tiles[to]?.focus();
  };
  return (
    <>
      <Header
        title={title ?? (given ? count : say("gallery"))}
        note={title || !given ? count : undefined}
      >
        <ModeButtons isMore={all.length > 0} />
      </Header>
      {all.length === 0 && <Empty icon="grid" title={say("none")} />}
      <ul className="tiles" ref={grid} onKeyDown={onKey}>
        {shown.map((item) => (
          <li key={item.id}>
            {isFull || expand ? (
              <button
                type="button"
                onClick={() => {
                  keep({ open: item.id });
                  expand?.();
                }}
              >
                <Picture item={item} />
                <span className="name">{item.title}</span>
                {item.subtitle && <span className="note">{item.subtitle}</span>}
              </button>
            ) : (
              <Figure item={item} />
            )}
          </li>
        ))}
      </ul>
      {!isAll && all.length > FEW && mode !== "pip" && (
        <div className="row">
          <Button onClick={expand ?? (() => keep({ all: true }))}>
            {common("more", { n: all.length - FEW })}
          </Button>
        </div>
      )}
    </>
  );
}

mount(() => (
  <Load
    read={read}
    takes={TAKES}
    sample={{} as Data}
    wait={() => <Skeleton kind="card" lines={6} />}
  >
    {(data) => <Gallery {...data} />}
  </Load>
));
