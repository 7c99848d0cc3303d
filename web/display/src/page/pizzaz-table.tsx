/** @jsxImportSource react */
// A table. A card must not scroll, so inline it shows its first rows; all of them, and the field that
// filters them, are there full screen. Where there is none, inline has pages and the field.

import { words } from "@widgetcast/i18n/display/table";
import { useHostContext, useMaxHeight } from "@widgetcast/react";
import { Input, Select, Textarea } from "@widgetcast/react/ui";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { mount, useCommon, usePlace, useWords } from "../part/app";
import { Button, Empty, Header, ModeButtons, Skeleton, useExpand } from "../part/control";
import { useCopy } from "../part/host";
import { Icon } from "../part/icon";
import { type Fields, isRecord, textOf, texts } from "../part/list";
import { Load } from "../part/load";
import { useWidth } from "../part/size";
import { useKept } from "../part/state";
import { csv } from "../table/csv";
import { Scroll, Sheet } from "../table/grid";
import { headOf } from "../table/head";
import { columnsOf, type Row, rowsOf } from "../table/kind";
import { shower } from "../table/show";
import { filtered, lines, type Order, type Ranks, rank, sorted } from "../table/sort";

interface Data {
  title?: string | undefined;
  names: string[];
  rows: Row[];
}

/** The tool's output has `data`, its input `rows`. */
function read({ title, columns, data, rows }: Fields): Data | undefined {
  const list = data ?? rows;
  if (!Array.isArray(columns) || !Array.isArray(list)) return undefined;
  return { title: textOf(title), names: texts(columns), rows: rowsOf(list) };
}

interface State {
  sort?: Order | undefined;
  filter: string;
  page: number;
}
const START: State = { filter: "", page: 0 };

/** What was kept, as far as it is what this page keeps. */
function useTable(): [State, (change: Partial<State>) => void] {
  const [{ sort, filter, page }, keep] = useKept();
  const column = isRecord(sort) ? textOf(sort.column) : undefined;
  const state: State = {
    sort:
      column === undefined ? undefined : { column, isDown: isRecord(sort) && sort.isDown === true },
    filter: typeof filter === "string" ? filter : START.filter,
    page: typeof page === "number" && page >= 0 ? Math.floor(page) : START.page,
  };
  return [state, (change) => keep({ ...change })];
}

/** Ranks are kept, and made before they are asked for when the browser has time. */
function useOrder(data: Data, columns: ReturnType<typeof columnsOf>, sort: Order | undefined) {
  const { locale } = usePlace();
  const { rows } = data;
  const ranks = useMemo(() => new Map<string, Ranks>(), [rows, locale]);
  const ranked = (name: string) => {
    const column = columns.find((one) => one.name === name);
    if (!column) return undefined;
    const made = ranks.get(name) ?? rank(rows, column, locale);
    ranks.set(name, made);
    return made;
  };
  useEffect(() => {
    const left = columns.map(({ name }) => name);
    let timer: ReturnType<typeof setTimeout>;
    const next = () => {
      const name = left.shift();
      if (name === undefined) return;
      ranked(name);
      timer = setTimeout(next, 20);
    };
    timer = setTimeout(next, 100);
    return () => clearTimeout(timer);
  }, [columns, ranks]);
  return useMemo(
    () => sorted(rows.length, sort && ranked(sort.column), sort?.isDown ?? false),
    [rows, columns, ranks, sort?.column, sort?.isDown],
  );
}

function Table(data: Data) {
  const { names, rows } = data;
  const say = useWords(words);
  const common = useCommon();
  const { locale, mode } = usePlace();
  const { timeZone } = useHostContext();
  const maxHeight = useMaxHeight();
  const copy = useCopy();
  const expand = useExpand();
  const [root, width] = useWidth();
  const [byHand, setByHand] = useState<string>();
  const [fit, setFit] = useState(0);
  const [{ sort, filter, page }, set] = useTable();

  const columns = useMemo(() => columnsOf(names, rows), [names, rows]);
  const show = useMemo(
    () => shower(columns, rows, locale, { yes: say("yes"), no: say("no") }, timeZone),
    [columns, rows, locale, say, timeZone],
  );
  const order = useOrder(data, columns, sort);
  const wanted = useDeferredValue(filter.trim());
  const texts = useRef<{ of: unknown; lines: string[] }>(undefined);
  const chosen = useMemo(() => {
    if (!wanted) return order;
    if (texts.current?.of !== show) texts.current = { of: show, lines: lines(rows, columns, show) };
    return filtered(order, texts.current.lines, wanted);
  }, [order, wanted, rows, columns, show]);

  const onSort = (column: string) => {
    // Up, down, and back to how the rows came.
    const next: Order | undefined =
      sort?.column !== column
        ? { column, isDown: false }
        : sort.isDown
          ? undefined
          : { column, isDown: true };
    set({ sort: next, page: 0 });
  };

  const title = data.title ?? say("table");
  const isFull = mode === "fullscreen";
  const isPip = mode === "pip";
  // The first columns that there is room for, and whether these are all.
  let need = 0;
  const fitting = columns.filter((column) => {
    need += Math.min(column.width, 16) * 0.55;
    return need <= width;
  });
  const isStacked = !isFull && !isPip && width > 0 && need > width;
  const most = isStacked ? (expand ? 3 : 4) : 8;
  const size = Math.max(
    isStacked ? 2 : 3,
    Math.min(
      // A press for one row or two costs more than their height; a row of a stack is as high as three.
      !isStacked && chosen.length <= most + 2 ? chosen.length : most,
      maxHeight ? Math.floor((maxHeight - 220) / (isStacked ? 130 : 40)) : Infinity,
    ),
  );
  const pages = Math.max(1, Math.ceil(chosen.length / size));
  const at = expand ? 0 : Math.min(page, pages - 1);
  const canFilter = rows.length > 5;
  // A filter that was set full screen can be taken away here.
  const isFiltered = canFilter && (!expand || filter !== "");
  const isMore = chosen.length > size || isStacked;
  // In an image less fits, and there is no button below; nor is there one below all rows.
  const isLess = isPip
    ? fit < chosen.length || fitting.length < columns.length
    : canFilter && !isMore;
  // Pages say themselves which rows they have.
  const shown = isPip ? fit : expand ? Math.min(size, chosen.length) : chosen.length;
  const onCopy = async () => {
    const text = csv(
      columns.map(({ name }) => name),
      chosen.map((one) => rows[one] as Row),
    );
    setByHand((await copy(text, { name: "table.csv", type: "text/csv" })) ? undefined : text);
  };
  const parts = { title, columns: isPip ? fitting : columns, rows, sort, show, onSort };
  const copyButton = (
    <Button icon="copy" onClick={onCopy}>
      {say("copy")}
    </Button>
  );
  return (
    <div className="table" ref={root}>
      <Header
        title={title}
        note={
          <span role="status">
            {shown < rows.length
              ? say("some", { n: shown, all: rows.length })
              : say("rows", { n: rows.length })}
          </span>
        }
      >
        <ModeButtons isMore={isLess} />
      </Header>
      {rows.length === 0 ? (
        <Empty icon="table" title={say("none")}>
          <p className="note">{names.map(headOf).join(" · ")}</p>
        </Empty>
      ) : (
        <>
          {(isFiltered || (isStacked && !expand)) && !isPip && (
            <div className="row controls">
              {isFiltered && (
                <span className="field filter">
                  <Icon name="search" />
                  <Input
                    type="search"
                    size="md"
                    pill
                    value={filter}
                    placeholder={say("filter")}
                    aria-label={say("filter")}
                    onChange={(event) => set({ filter: event.currentTarget.value, page: 0 })}
                  />
                </span>
              )}
              {isStacked && !expand && (
                <span className="field">
                  <Select
                    aria-label={say("sort")}
                    size="md"
                    pill
                    searchable={false}
                    value={sort?.column ?? ""}
                    options={[
                      { value: "", label: say("given") },
                      ...columns.map(({ name }) => ({ value: name, label: headOf(name) })),
                    ]}
                    onChange={(column) =>
                      set({ sort: column ? { column, isDown: false } : undefined, page: 0 })
                    }
                  />
                  {sort && (
                    <Button
                      kind="ghost"
                      icon={sort.isDown ? "down" : "up"}
                      label={say("turn")}
                      onClick={() => set({ sort: { ...sort, isDown: !sort.isDown }, page: 0 })}
                    />
                  )}
                </span>
              )}
              {isFull && copyButton}
            </div>
          )}
          {chosen.length === 0 ? (
            <Empty icon="search" title={say("unfound", { filter: wanted })}>
              <Button onClick={() => set({ filter: "", page: 0 })}>{say("clear")}</Button>
            </Empty>
          ) : isFull ? (
            <Scroll {...parts} order={chosen} />
          ) : (
            <Sheet
              {...parts}
              order={chosen.slice(at * size, (at + 1) * size)}
              first={at * size}
              count={chosen.length}
              isStacked={isStacked}
              onFit={setFit}
            />
          )}
          {!isPip && !(isFull && isFiltered) && (
            <footer className="row foot">
              <span className="row">
                {expand && isMore && (
                  <Button kind="primary" icon="expand" onClick={expand}>
                    {say("all", { n: chosen.length })}
                  </Button>
                )}
                {copyButton}
              </span>
              {!isFull && !expand && pages > 1 && (
                <nav className="row" aria-label={title}>
                  <span className="note number" role="status">
                    {say("range", {
                      from: at * size + 1,
                      to: Math.min((at + 1) * size, chosen.length),
                      all: chosen.length,
                    })}
                  </span>
                  <Button
                    kind="ghost"
                    icon="back"
                    label={common("previous")}
                    isDisabled={at === 0}
                    onClick={() => set({ page: at - 1 })}
                  />
                  <Button
                    kind="ghost"
                    icon="forth"
                    label={common("next")}
                    isDisabled={at === pages - 1}
                    onClick={() => set({ page: at + 1 })}
                  />
                </nav>
              )}
            </footer>
          )}
          {byHand !== undefined && (
            <Textarea
              className="byhand"
              readOnly
              rows={4}
              value={byHand}
              aria-label={say("csv")}
              onFocus={(event) => event.currentTarget.select()}
            />
          )}
        </>
      )}
    </div>
  );
}

mount(() => (
  <Load
    read={read}
    takes="{ title?, columns: string[], data: object[] }"
    wait={({ title }) => (
      <>
        {textOf(title) && <Header title={String(title)} />}
        <Skeleton kind="row" lines={5} />
      </>
    )}
  >
    {(data) => <Table {...data} />}
  </Load>
));
