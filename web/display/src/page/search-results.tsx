/** @jsxImportSource react */
// Results to scan: open one through the host, or ask about all. Filtering by tag, and asking about one,
// need more room than a card in a conversation has: they are there full screen, and where there is none.

import { words } from "@widgetcast/i18n/display/search";
import { type KeyboardEvent, useMemo, useState } from "react";
import { mount, useCommon, usePlace, useWords } from "../part/app";
import {
  arrow,
  Badge,
  Button,
  Chip,
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
import { type Fields, records, textOf, texts } from "../part/list";
import { Load } from "../part/load";
import { useKept } from "../part/state";
import { siteOf, webUrl } from "../part/url";

interface Result {
  id: string;
  title: string;
  description?: string | undefined;
  url?: URL | undefined;
  tags: string[];
}
interface Data {
  query: string;
  results: Result[];
}

function read({ query, results }: Fields): Data | undefined {
  if (!Array.isArray(results)) return undefined;
  const found = records(results).filter(
    (one) => textOf(one.title) ?? textOf(one.url) ?? textOf(one.description),
  );
  if (results.length > 0 && found.length === 0) return undefined;
  return {
    query: textOf(query) ?? "",
    results: found.map((one, at) => ({
      id: `${textOf(one.id) ?? ""}-${at}`,
      title: textOf(one.title) ?? textOf(one.url) ?? "–",
      description: textOf(one.description),
      url: webUrl(one.url),
      tags: [...new Set(texts(one.tags))],
    })),
  };
}

const FEW = 5;
const MOST_TAGS = 8;
/** Of one result. */
const SHOWN_TAGS = 4;
/** The titles for a question; the model has all results anyway. */
const listOf = (titles: string[]) =>
  `${titles.slice(0, FEW).join("; ")}${titles.length > FEW ? "; …" : ""}`;

function Results({ query, results }: Data) {
  const say = useWords(words);
  const common = useCommon();
  const { mode, locale } = usePlace();
  const ask = useAsk();
  const expand = useExpand();
  const list = useFit<HTMLOListElement>();
  const isFull = mode === "fullscreen";
  const [kept, keep] = useKept();
  const [limit, setLimit] = useState(FEW);

  const tags = useMemo(() => {
    const counts = new Map<string, number>();
    for (const tag of results.flatMap((one) => one.tags))
      counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return [...counts]
      .sort(([a, x], [b, y]) => y - x || a.localeCompare(b, locale))
      .slice(0, MOST_TAGS);
  }, [results, locale]);
  const asked = textOf(kept.tag);
  const tag = results.some((one) => one.tags.includes(asked ?? "")) ? asked : undefined;
  const choose = (next: string | undefined) => {
    keep({ tag: next ?? null });
    setLimit(FEW);
  };

  const chosen = tag ? results.filter((one) => one.tags.includes(tag)) : results;
  // A card inline must stay short; full screen has room for all.
  const most = isFull ? chosen.length : limit;
  const rest = chosen.length - most;
  // Where the rest has a button of its own, that one is the way to the full screen.
  const isMore = (results.length > FEW || tags.length > 1) && (mode === "pip" || rest <= 0);

  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    if (
      event.key !== "ArrowDown" &&
      event.key !== "ArrowUp" &&
      event.key !== "Home" &&
      event.key !== "End"
    )
      return;
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-item]")];
    const at = items.findIndex((item) => item.contains(document.activeElement));
    const next = items[stepped(at, arrow(event) ?? 0, items.length)];
    const target = next?.querySelector<HTMLElement>("a, button") ?? next;
    if (!target) return;
    event.preventDefault();
    target.focus();
  };

  return (
    <>
      <Header
        title={query ? say("title", { query }) : say("count", { n: results.length })}
        note={
          <span role="status">
            {tag
              ? say("some", { n: chosen.length, all: results.length })
              : say("count", { n: results.length })}
          </span>
        }
      >
        <ModeButtons isMore={isMore} />
      </Header>
      {tags.length > 0 && results.length > 1 && mode !== "pip" && !expand && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form
        <div className="row" role="group" aria-label={say("filter")}>
          <Chip isPressed={!tag} onClick={() => choose(undefined)}>
            {say("all")}
          </Chip>
          {tags.map(([name, count]) => (
            <Chip
              key={name}
              isPressed={tag === name}
              count={count.toLocaleString(locale)}
              onClick={() => choose(tag === name ? undefined : name)}
            >
              {name}
            </Chip>
          ))}
        </div>
      )}
      {results.length === 0 && (
        <Empty icon="search" title={say("none")}>
          <p className="note">{say("other")}</p>
        </Empty>
      )}
      <ol className="results" ref={list} onKeyDown={onKey}>
        {chosen.slice(0, most).map((one) => (
          <li key={one.id} data-item className="result">
            <article>
              {one.url && <p className="site">{siteOf(one.url)}</p>}
              <h2>
                {one.url ? (
                  <Link url={one.url.href}>
                    <bdi>{one.title}</bdi>
                  </Link>
                ) : (
                  <bdi>{one.title}</bdi>
                )}
              </h2>
              {one.description && (
                <p className="clamp">
                  <bdi>{one.description}</bdi>
                </p>
              )}
              {(one.tags.length > 0 || (isFull && ask)) && mode !== "pip" && (
                <div className="row under">
                  {one.tags.length > 0 && (
                    <span className="row tags">
                      {one.tags.slice(0, SHOWN_TAGS).map((name) => (
                        <Badge key={name} tone={name === tag ? "info" : "plain"}>
                          {name}
                        </Badge>
                      ))}
                      {one.tags.length > SHOWN_TAGS && (
                        <span className="note" title={one.tags.slice(SHOWN_TAGS).join(", ")}>
                          +{one.tags.length - SHOWN_TAGS}
                        </span>
                      )}
                    </span>
                  )}
                  {isFull && ask && (
                    <Button
                      kind="ghost"
                      icon="chat"
                      isSmall
                      label={`${common("ask")}: ${one.title}`}
                      onClick={() =>
                        ask(
                          say("prompt", {
                            title: one.title,
                            query,
                            url: one.url ? ` ${one.url.href}` : "",
                          }),
                        )
                      }
                    >
                      {common("ask")}
                    </Button>
                  )}
                </div>
              )}
            </article>
          </li>
        ))}
      </ol>
      {mode !== "pip" && (rest > 0 || (ask && results.length > 0)) && (
        <div className="row">
          {ask && results.length > 0 && (
            <Button
              kind="primary"
              icon="chat"
              onClick={() =>
                ask(say("compare", { query, titles: listOf(chosen.map(({ title }) => title)) }))
              }
            >
              {say("which")}
            </Button>
          )}
          {rest > 0 && (
            <Button onClick={expand ?? (() => setLimit(limit + 10))}>
              {common("more", { n: expand ? rest : Math.min(rest, 10) })}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

mount(() => (
  <Load
    read={read}
    takes="{ query, results: { title, description?, url?, tags? }[] }"
    wait={({ query, results }) => {
      const words = textOf(query);
      const first = records(results).flatMap((one) => textOf(one.title) ?? []);
      return (
        <>
          {words && <Header title={`“${words}”`} />}
          {first.length > 0 && (
            <ol className="results">
              {first.map((title) => (
                <li key={title} className="result">
                  <h2>
                    <bdi>{title}</bdi>
                  </h2>
                </li>
              ))}
            </ol>
          )}
          <Skeleton />
        </>
      );
    }}
  >
    {(data) => <Results {...data} />}
  </Load>
));
