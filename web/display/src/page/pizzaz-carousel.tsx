/** @jsxImportSource react */
// Three to eight things side by side, each with a few words and at most one thing to do. If there are
// more, all of them are there full screen.

import { words } from "@widgetcast/i18n/display/item";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { type Data, Picture, read, TAKES, useItems } from "../item/item";
import { mount, useCommon, usePlace, useWords } from "../part/app";
import { arrow, Badge, Button, Empty, Header, ModeButtons, Skeleton } from "../part/control";
import { useAsk, useOpen } from "../part/host";
import { Load } from "../part/load";

const MOST = 8;

function Carousel({ title, items: given }: Data) {
  const say = useWords(words);
  const common = useCommon();
  const ask = useAsk();
  const open = useOpen();
  const all = useItems(given);
  const { mode } = usePlace();
  const items = mode === "fullscreen" ? all : all.slice(0, MOST);
  const strip = useRef<HTMLUListElement>(null);
  const [seen, setSeen] = useState({ from: 0, to: 0 });

  const look = () => {
    const { current: list } = strip;
    if (!list) return;
    const frame = list.getBoundingClientRect();
    const places = [...list.children].flatMap((child, at) => {
      const { left, right, width } = child.getBoundingClientRect();
      const inside = Math.min(right, frame.right) - Math.max(left, frame.left);
      return inside > width - 1 ? [at] : [];
    });
    const [from] = places;
    // On the way from one to the next, none may be whole.
    if (from !== undefined) setSeen({ from, to: places.at(-1) ?? from });
  };
  useEffect(() => {
    const { current: list } = strip;
    if (!list) return;
    const watch = new ResizeObserver(() => setTimeout(look));
    watch.observe(list);
    return () => watch.disconnect();
  }, [items.length]);

  const go = (at: number) => {
    const { current: list } = strip;
    const child = list?.children[Math.max(0, Math.min(at, items.length - 1))];
    if (!list || !child) return;
    const isTurned = getComputedStyle(list).direction === "rtl";
    const side = isTurned ? "right" : "left";
    const left = child.getBoundingClientRect()[side] - list.getBoundingClientRect()[side];
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    list.scrollBy({ left, behavior: isStill ? "auto" : "smooth" });
  };
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || /Down|Up/.test(event.key)) return;
    const step = arrow(event);
    if (step === undefined) return;
    event.preventDefault();
    go(Math.abs(step) > 1 ? (step < 0 ? 0 : items.length) : seen.from + step);
  };

  const name = title ?? (given ? say("count", { n: items.length }) : say("pizzas"));
  if (items.length === 0) return <Empty icon="grid" title={say("none")} />;
  const range = { from: seen.from + 1, to: seen.to + 1, all: items.length };
  const isWhole = seen.from === 0 && seen.to === items.length - 1;
  return (
    <section className="carousel" aria-roledescription="carousel" aria-label={name}>
      <Header
        title={name}
        note={
          all.length > items.length
            ? say("clipped", { n: MOST, all: all.length })
            : !isWhole && (
                <span className="number">
                  {range.from === range.to
                    ? common("item", { n: range.from, all: range.all })
                    : say("range", range)}
                </span>
              )
        }
      >
        {!isWhole && (
          <>
            <Button
              kind="ghost"
              icon="back"
              label={common("previous")}
              isDisabled={seen.from === 0}
              onClick={() => go(seen.from - 1)}
            />
            <Button
              kind="ghost"
              icon="forth"
              label={common("next")}
              isDisabled={seen.to === items.length - 1}
              onClick={() => go(seen.from + 1)}
            />
          </>
        )}
        <ModeButtons isMore={all.length > MOST || mode === "pip"} />
      </Header>
      <ul
        className="strip"
        ref={strip}
        onScroll={look}
        onKeyDown={onKey}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        aria-label={name}
      >
        {items.map((item) => {
          const { url } = item;
          return (
            <li key={item.id} className="tile">
              <Picture item={item} />
              <div className="body">
                <h2>
                  <bdi>{item.title}</bdi>
                </h2>
                {(item.subtitle ?? item.description) && (
                  <p className="note lines">
                    <bdi>{item.subtitle ?? item.description}</bdi>
                  </p>
                )}
                {item.tag && (
                  <p>
                    <Badge>{item.tag}</Badge>
                  </p>
                )}
                {url ? (
                  <Button
                    icon="out"
                    label={`${say("open")}: ${item.title}`}
                    onClick={() => open(url.href) || window.open(url.href, "_blank", "noopener")}
                  >
                    {say("open")}
                  </Button>
                ) : (
                  ask && (
                    <Button
                      icon="chat"
                      label={`${common("ask")}: ${item.title}`}
                      onClick={() => ask(say("prompt", { title: item.title }))}
                    >
                      {common("ask")}
                    </Button>
                  )
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

mount(() => (
  <Load
    read={read}
    takes={TAKES}
    sample={{} as Data}
    wait={() => <Skeleton kind="card" lines={3} />}
  >
    {(data) => <Carousel {...data} />}
  </Load>
));
