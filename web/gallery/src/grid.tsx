// Every tool as a card. A card costs little until it is seen: the browser skips its layout, and
// its sample is fetched and drawn when it comes near the screen.

import type { Theme } from "@widgetcast/theme";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Finding, Tool } from "./api";
import { Icon } from "./icon";
import { classes, memo } from "./part";
import { Picture } from "./picture";
import { known, load, type Sample } from "./sample";
import type { Hit } from "./search";
import { Thumbnail } from "./thumbnail";

const FIRST = 36;
const STEP = 160;

/** Safari has no word for it. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(run, 100);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(run, { timeout: 1000 });
  return () => cancelIdleCallback(id);
}

const watched = new Map<Element, (seen: boolean) => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const entry of entries) watched.get(entry.target)?.(entry.isIntersecting);
  },
  { rootMargin: "240px" },
);

function Marked({ text, marks }: { text: string; marks: [number, number][] }) {
  const parts = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}

function Preview(props: {
  sample: Sample | undefined;
  tool: Tool;
  theme: Theme;
  version: number;
  isNear: boolean;
}) {
  const { sample, tool, theme, version } = props;
  if (tool.kind === "tool" && tool.drawn)
    return props.isNear ? (
      <Thumbnail tool={tool.name} theme={theme} version={version} />
    ) : (
      <div class="skeleton" />
    );
  if (tool.kind === "tool")
    return (
      <p class="hint">
        <Icon name="play" size={20} />
        Runs only on request
      </p>
    );
  if (!sample) return <div class="skeleton" />;
  if ("failed" in sample) return <p class="hint">{sample.failed}</p>;
  if (sample.isError || sample.tree === null) return <p class="hint">{sample.text}</p>;
  return <Picture tree={sample.tree} icons={sample.icons} theme={theme} />;
}

interface CardProps {
  tool: Tool;
  marks: [number, number][];
  finding?: Finding | undefined;
  /** Changes when the file did. */
  version: number;
  theme: Theme;
}

const Card = memo(function Card({ tool, marks, finding, version, theme }: CardProps) {
  const root = useRef<HTMLLIElement>(null);
  const seen = useRef(false);
  const [sample, setSample] = useState(() => known(tool.name));
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    const element = root.current;
    if (!element || !tool.drawn) return;
    let alive = true;
    // What is on the screen from top to bottom, then what is below, then what is above.
    const rank = () => {
      if (!alive || !seen.current) return undefined;
      const { top, bottom } = element.getBoundingClientRect();
      return bottom < 0 ? 1e6 - bottom : top;
    };
    watched.set(element, (near) => {
      seen.current = near;
      if (near) setNear(true);
      if (near && tool.kind === "widget") load(tool.name, rank, setSample);
    });
    observer.observe(element);
    return () => {
      alive = false;
      observer.unobserve(element);
      watched.delete(element);
    };
  }, [tool.name, tool.kind, tool.drawn, version]);

  return (
    <li class="card" ref={root}>
      <div class="stage" inert aria-hidden="true">
        <div class="zoom">
          <Preview tool={tool} theme={theme} version={version} sample={sample} isNear={isNear} />
        </div>
      </div>
      <div class="caption">
        <h2 dir="auto">
          <a href={`#/${encodeURIComponent(tool.name)}`}>
            <Marked text={tool.title} marks={marks} />
          </a>
          {tool.kind === "tool" && <span class="tag">tool</span>}
          {finding && (
            <span class={classes("tag", finding.severity)}>
              {finding.broken ? "broken on disk" : finding.severity}
            </span>
          )}
        </h2>
        <p dir="auto">{tool.description}</p>
      </div>
    </li>
  );
});

export function Grid(props: {
  hits: Hit<Tool>[];
  findings: Map<string, Finding>;
  versions: Map<string, number>;
  theme: Theme;
  onLeave(): void;
}) {
  const list = useRef<HTMLUListElement>(null);
  // The first screens at once, the rest in steps, whenever the page has nothing else to do.
  const [most, setMost] = useState(FIRST);
  const isAll = most >= props.hits.length;
  useEffect(() => (isAll ? undefined : whenIdle(() => setMost(most + STEP))), [isAll, most]);
  const key = (event: KeyboardEvent) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("h2 a") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const columns = countColumns(list.current);
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + columns,
      ArrowUp: at - columns,
      Home: 0,
      End: links.length - 1,
    }[event.key];
    if (event.key === "Escape" || (to !== undefined && to < 0)) {
      event.preventDefault();
      props.onLeave();
    } else if (to !== undefined) {
      event.preventDefault();
      links[Math.min(to, links.length - 1)]?.focus();
    }
  };
  return (
    <ul class="grid" ref={list} onKeyDown={key}>
      {props.hits.slice(0, most).map(({ entry, marks }) => (
        <Card
          key={entry.name}
          tool={entry}
          marks={marks}
          theme={props.theme}
          finding={props.findings.get(entry.name)}
          version={props.versions.get(entry.name) ?? 0}
        />
      ))}
    </ul>
  );
}

function countColumns(list: HTMLElement | null): number {
  return list ? getComputedStyle(list).gridTemplateColumns.split(" ").length : 1;
}
