// The whole page: every tool, or the one that the address names.

import type { Dict } from "@widgetcast/schema";
import { type Choice, recall, remember, type Theme, useTheme } from "@widgetcast/theme";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { CATALOGUE, Catalogue } from "./catalogue";
import { Page } from "./detail";
import { Findings, summary } from "./finding";
import { Grid } from "./grid";
import { Icon, Mark } from "./icon";
import { type Place, placeOf, readLink } from "./link";
import * as mcp from "./mcp";
import { ordered } from "./order";
import { classes, Notice, plural, Segments } from "./part";
import { DEFAULT_CONDITIONS, DEFAULT_PLAY, type Play, readPlay, writePlay } from "./play";
import * as sample from "./sample";
import { search } from "./search";
import { Showcase } from "./showcase";
import { Empty, Start } from "./start";

type Kind = "all" | "widget" | "tool" | "finding";

/** The part of the address after `#`. */
function useHash(): string {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = () => setHash(location.hash);
    addEventListener("hashchange", follow);
    // It may have changed since the first drawing.
    follow();
    return () => removeEventListener("hashchange", follow);
  }, []);
  return hash;
}

const PLAY_KEY = "widgetcast.play";

function recalled(): Play {
  try {
    return readPlay(JSON.parse(recall(PLAY_KEY) ?? ""));
  } catch {
    return DEFAULT_PLAY;
  }
}

/** What is drawn, and what a link says about it. Conditions last as long as the page. */
function usePlay(place: Place | undefined) {
  const word = place?.play;
  const read = useMemo((): { play?: Play; input?: Dict | undefined; problem?: string } => {
    if (word === undefined) return {};
    try {
      return readLink(word);
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) };
    }
  }, [word]);
  const [play, setPlay] = useState(() => read.play ?? recalled());
  useEffect(() => {
    if (read.play) setPlay(read.play);
  }, [read]);
  const onPlay = (next: Play) => {
    remember(PLAY_KEY, JSON.stringify(writePlay({ ...next, conditions: DEFAULT_CONDITIONS })));
    setPlay(next);
  };
  return { play, onPlay, given: read.input, problem: read.problem };
}

/** The index, kept up to date, and a count of changes for every tool that had one. */
function useIndex() {
  const [index, setIndex] = useState<api.Index>();
  const [problem, setProblem] = useState<string>();
  const [online, setOnline] = useState(true);
  const [versions, setVersions] = useState(new Map<string, number>());
  useEffect(() => {
    let turn = 0;
    let all: string[] = [];
    // Kept until an index lists them, which may take several requests.
    const changed = new Set<string>();
    const load = async () => {
      const mine = ++turn;
      try {
        const next = await api.index();
        if (mine !== turn) return;
        const isFirst = all.length === 0 && !placeOf(location.hash);
        all = next.tools.map((tool) => tool.name);
        const widgets = ordered(next.tools).filter(({ kind }) => kind === "widget");
        if (isFirst) sample.expect(widgets.slice(0, 4).map(({ name }) => name));
        setIndex(next);
        setProblem(undefined);
        const names = [...changed];
        changed.clear();
        if (names.length > 0)
          setVersions((now) => {
            const out = new Map(now);
            for (const name of names) out.set(name, (out.get(name) ?? 0) + 1);
            return out;
          });
      } catch (error) {
        if (mine === turn) setProblem(error instanceof Error ? error.message : String(error));
      }
    };
    const stop = api.watch((names) => {
      sample.forget(names);
      mcp.forget();
      for (const name of names ?? all) changed.add(name);
      load();
    }, setOnline);
    load();
    return stop;
  }, []);
  return { index, problem, online, versions };
}

export function App() {
  const { index, problem, online, versions } = useIndex();
  const { choice, theme, choose } = useTheme();
  const hash = useHash();
  const place = useMemo(() => placeOf(hash), [hash]);
  const isCatalogue = hash === CATALOGUE;
  const name = place?.name;
  const { play, onPlay, given, problem: linkProblem } = usePlay(place);
  const [isConnecting, setConnecting] = useState(false);
  const tool = index?.tools.find((one) => one.name === name);
  // The grid stays mounted, so that going back is immediate and keeps the scroll position.
  const visited = useRef(false);
  const isHome = name === undefined && !isCatalogue;
  visited.current ||= isHome;

  useEffect(() => {
    const server = index?.name ?? "Widgetcast";
    const here = isCatalogue ? "Catalogue" : (tool?.title ?? name);
    document.title = here === undefined ? server : `${here} · ${server}`;
  }, [index?.name, tool?.title, name, isCatalogue]);

  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to content
      </button>
      <Top
        wide={!isHome}
        index={index}
        online={online}
        choice={choice}
        onChoose={choose}
        start={isConnecting}
        onStart={() => setConnecting(!isConnecting)}
      />
      {problem && <Notice tone="error">The server does not respond: {problem}</Notice>}
      {index && visited.current && (
        <Home index={index} versions={versions} theme={theme} hidden={!isHome} />
      )}
      {index && isConnecting && (
        <div class="connect">
          <Start index={index} onClose={() => setConnecting(false)} />
        </div>
      )}
      {isCatalogue && <Catalogue />}
      {name !== undefined && (
        <Page
          key={hash}
          name={name}
          theme={theme}
          sender={index?.name ?? "Widgetcast"}
          play={play}
          onPlay={onPlay}
          given={given}
          problem={linkProblem}
          readOnly={tool?.readOnly ?? false}
          drawn={tool?.drawn ?? false}
          drafts={index?.drafts ?? false}
          version={versions.get(name) ?? 0}
        />
      )}
    </>
  );
}

function skip() {
  const target = document.querySelector<HTMLElement>("main:not([hidden]) :is(h1, input)");
  target?.focus();
}

function Top(props: {
  wide: boolean;
  index: api.Index | undefined;
  online: boolean;
  choice: Choice;
  onChoose(choice: Choice): void;
  start: boolean;
  onStart(): void;
}) {
  return (
    <header class={classes("top", props.wide && "wide")}>
      <a class="brand" href="#/">
        <Mark />
        <strong>{props.index?.name ?? "widgetcast"}</strong>
        {props.index && <span class="version">{props.index.version}</span>}
      </a>
      <span class="space" />
      <span class={classes("live", !props.online && "off")} role="status">
        <i aria-hidden="true" />
        <span>{props.online ? "Live" : "Reconnecting"}</span>
      </span>
      <a class="button small" href={CATALOGUE}>
        <Icon name="book" size={15} /> Catalogue
      </a>
      <button
        type="button"
        class="button small"
        aria-expanded={props.start}
        onClick={props.onStart}
      >
        <Icon name="plug" size={15} /> Connect
      </button>
      <Segments
        label="Colours"
        value={props.choice}
        iconsOnly
        options={[
          { value: "system", label: "System", icon: "screen" },
          { value: "light", label: "Light", icon: "sun" },
          { value: "dark", label: "Dark", icon: "moon" },
        ]}
        onChange={props.onChoose}
      />
    </header>
  );
}

function Home(props: {
  index: api.Index;
  versions: Map<string, number>;
  theme: Theme;
  hidden: boolean;
}) {
  const { index, hidden } = props;
  const { findings } = index;
  const tools = useMemo(() => ordered(index.tools), [index.tools]);
  const [best] = tools;
  const [query, setQuery] = useState("");
  const [kind, setKind] = useState<Kind>("all");
  const input = useRef<HTMLInputElement>(null);
  const root = useRef<HTMLElement>(null);

  const byTool = useMemo(() => {
    const out = new Map<string, api.Finding>();
    for (const finding of findings)
      if (finding.tool && (!out.has(finding.tool) || finding.broken))
        out.set(finding.tool, finding);
    return out;
  }, [findings]);
  const hits = useMemo(() => {
    const some = tools.filter(
      (tool) => kind === "all" || (kind === "finding" ? byTool.has(tool.name) : tool.kind === kind),
    );
    return search(some, query);
  }, [tools, query, kind, byTool]);

  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (hidden || event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (/^(input|textarea|select)$/i.test((event.target as HTMLElement).tagName)) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [hidden]);

  // The scroll position of the grid, and the card that had the focus.
  const place = useRef<{ top: number; link: HTMLElement | null }>({ top: 0, link: null });
  useEffect(() => {
    if (hidden) return;
    scrollTo(0, place.current.top);
    place.current.link?.focus({ preventScroll: true });
    const track = () => {
      place.current.top = scrollY;
    };
    addEventListener("scroll", track, { passive: true });
    return () => removeEventListener("scroll", track);
  }, [hidden]);

  const key = (event: KeyboardEvent) => {
    const first = root.current?.querySelector<HTMLElement>(".grid h2 a");
    if (event.key === "ArrowDown") {
      event.preventDefault();
      first?.focus();
    } else if (event.key === "Enter" && query) first?.click();
    else if (event.key === "Escape") setQuery("");
  };

  const widgets = tools.filter((tool) => tool.kind === "widget").length;
  const noun = widgets === tools.length ? "widget" : "tool";
  const kinds: { value: Kind; label: string }[] = [{ value: "all", label: "All" }];
  if (widgets > 0 && widgets < tools.length)
    kinds.push({ value: "widget", label: "Widgets" }, { value: "tool", label: "Tools" });
  if (tools.some((tool) => byTool.has(tool.name)))
    kinds.push({ value: "finding", label: "With findings" });

  return (
    <main
      class="home"
      hidden={hidden}
      ref={root}
      onFocusIn={(event) => {
        const target = event.target as HTMLElement;
        place.current.link = target.closest<HTMLElement>(".grid h2 a");
      }}
    >
      <Trouble findings={findings} />
      <div class="hero">
        <h1>
          {tools.length > 0 ? `${plural(tools.length, noun)},` : "Your widgets,"} ready for every
          agent host
        </h1>
        <p>Each is an MCP tool. Open one, change its data, and see how each host renders it.</p>
      </div>
      {best?.kind === "widget" && (
        <Showcase
          tool={best}
          theme={props.theme}
          sender={index.name}
          version={props.versions.get(best.name) ?? 0}
        />
      )}
      {tools.length === 0 ? (
        <Empty dir={index.dir} />
      ) : (
        <>
          <search class="find">
            <label class="box">
              <Icon name="search" />
              <span class="unseen">Search widgets and tools</span>
              <input
                ref={input}
                type="search"
                placeholder="Search"
                value={query}
                autocomplete="off"
                spellcheck={false}
                aria-keyshortcuts="/"
                onInput={(event) => setQuery(event.currentTarget.value)}
                onKeyDown={key}
              />
              <span class="slash" aria-hidden="true">
                /
              </span>
            </label>
            {kinds.length > 1 && (
              <Segments
                label="Show"
                value={kind}
                options={kinds}
                onChange={(next) => setKind(next)}
              />
            )}
            <p class="quiet" role="status">
              {query || kind !== "all"
                ? `${hits.length} of ${tools.length}`
                : plural(tools.length, noun)}
            </p>
          </search>
          {hits.length === 0 ? (
            <p class="nothing">
              No matches.{" "}
              <button
                type="button"
                class="link"
                onClick={() => {
                  setQuery("");
                  setKind("all");
                  input.current?.focus();
                }}
              >
                Show all
              </button>
            </p>
          ) : (
            <Grid
              hits={hits}
              findings={byTool}
              versions={props.versions}
              theme={props.theme}
              onLeave={() => input.current?.focus()}
            />
          )}
        </>
      )}
    </main>
  );
}

function Trouble({ findings }: { findings: api.Finding[] }) {
  const [open, setOpen] = useState(false);
  const error = findings.some((finding) => finding.severity === "error");
  return (
    <div role="status">
      {findings.length > 0 && (
        <details
          class={classes("trouble", error ? "error" : "warning")}
          open={open}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>
            <Icon name="alert" />
            {summary(findings)}
            <Icon name="fold" />
          </summary>
          <Findings findings={findings} links />
        </details>
      )}
    </div>
  );
}
