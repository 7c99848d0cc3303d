// What a result looks like: in a view, on every other surface, and to the model.

import { useEffect, useRef, useState } from "preact/hooks";
import { ansi } from "./ansi";
import type { Drawing, Loss, Shown } from "./api";
import { Code } from "./code";
import { Frame, type Note } from "./frame";
import { Copy, classes, plural, Scroll, Segments, size, type Tab, Tabs } from "./part";
import { Picture } from "./picture";
import { recall, remember, type Theme } from "./theme";
import { type Json, write } from "./value";

const LABELS: Record<string, string> = {
  chatkit: "ChatKit",
  "slack-blocks": "Slack",
  "slack-work-object": "Work Object",
  "adaptive-card": "Adaptive Card",
  terminal: "Terminal",
  text: "Markdown",
  markdown: "Markdown",
  "mcp-apps": "MCP Apps",
  chatgpt: "ChatGPT",
};
const ORDER = Object.keys(LABELS);
const rank = (name: string): number => (ORDER.indexOf(name) + ORDER.length) % ORDER.length;

export function label(name: string): string {
  const words = name.replace(/[-_]/g, " ");
  return LABELS[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export const sorted = (surfaces: Shown[]): Shown[] =>
  [...surfaces].sort((a, b) => rank(a.name) - rank(b.name));

function Terminal({ text, name }: { text: string; name: string }) {
  return (
    <Scroll kind="terminal" label={name}>
      {ansi(text).map((run, index) => {
        const style: Record<string, string> = {};
        if (run.color) style.color = run.color;
        if (run.background) style.background = run.background;
        const names = run.classes.join(" ");
        return run.link ? (
          <a
            key={index}
            class={names}
            style={style}
            href={run.link}
            target="_blank"
            rel="noreferrer"
          >
            {run.text}
          </a>
        ) : (
          <span key={index} class={names} style={style}>
            {run.text}
          </span>
        );
      })}
    </Scroll>
  );
}

function Markdown({ text, theme }: { text: string; theme: Theme }) {
  const [form, setForm] = useState<"source" | "drawn">("drawn");
  const tree = { type: "Basic", children: [{ type: "Markdown", value: text }] };
  return (
    <>
      <div class="bar">
        <Segments
          label="Markdown"
          value={form}
          options={[
            { value: "drawn", label: "Drawn" },
            { value: "source", label: "Source" },
          ]}
          onChange={(next) => setForm(next)}
        />
        <span class="space" />
        <Copy text={text} label="Copy the Markdown" wide />
      </div>
      {form === "drawn" ? (
        <div class="paper">
          <Picture tree={tree} icons={null} theme={theme} />
        </div>
      ) : (
        <Scroll kind="code" label="Markdown">
          {text}
        </Scroll>
      )}
    </>
  );
}

function Losses({ losses }: { losses: Loss[] }) {
  if (losses.length === 0) return <p class="whole">Nothing is lost here.</p>;
  return (
    <section class="losses" aria-label="What is lost here">
      <h3>{plural(losses.length, "thing")} lost here</h3>
      <ul>
        {losses.map((loss) => (
          <li key={loss.path + loss.reason}>
            <code>{loss.path || "/"}</code> {loss.reason}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Surface({ shown, theme }: { shown: Shown; theme: Theme }) {
  const name = label(shown.name);
  return (
    <>
      {shown.format === "markdown" ? (
        <Markdown text={shown.text} theme={theme} />
      ) : (
        <>
          <div class="bar">
            <span class="quiet">{size(new TextEncoder().encode(shown.text).length)}</span>
            <span class="space" />
            <Copy text={shown.text} label={`Copy ${name}`} wide />
          </div>
          {shown.format === "ansi" ? (
            <Terminal text={shown.text} name={name} />
          ) : (
            <Code text={shown.text} label={name} />
          )}
        </>
      )}
      <Losses losses={shown.losses} />
    </>
  );
}

type Width = "phone" | "inline" | "wide";
const WIDTHS: { value: Width; label: string; px?: number }[] = [
  { value: "phone", label: "Phone", px: 360 },
  { value: "inline", label: "Inline", px: 600 },
  { value: "wide", label: "Wide" },
];
const WIDTH_KEY = "widgetcast.width";

interface ViewProps {
  tool: string;
  page: string | undefined;
  input: Json;
  drawing: Drawing;
  theme: Theme;
}

function View({ tool, page, input, drawing, theme }: ViewProps) {
  const [width, setWidth] = useState<Width>(
    () => WIDTHS.find((one) => one.value === recall(WIDTH_KEY))?.value ?? "inline",
  );
  const [notes, setNotes] = useState<Note[]>([]);
  const px = WIDTHS.find((one) => one.value === width)?.px;
  const sheet = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState<number>();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.round(entry?.contentRect.width ?? 0);
      if (now > 0) setWide(now);
    });
    if (sheet.current) observer.observe(sheet.current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <div class="bar">
        <Segments
          label="Width of the view"
          value={width}
          options={WIDTHS}
          onChange={(next) => {
            remember(WIDTH_KEY, next);
            setWidth(next);
          }}
        />
        <span class="space" />
        <span class="quiet">{wide} px</span>
      </div>
      <div class="desk">
        <div class="sheet" ref={sheet} style={{ maxWidth: px ? `${px}px` : "none" }}>
          {page ? (
            <Frame
              key={`${tool} ${page}`}
              uri={page}
              tool={tool}
              input={input}
              result={drawing.result}
              theme={theme}
              width={wide}
              onNote={(note) => setNotes((all) => [note, ...all].slice(0, 6))}
            />
          ) : (
            <p class="hint">{drawing.text || "This tool has no view."}</p>
          )}
        </div>
      </div>
      {notes.length > 0 && (
        <section class="notes" aria-label="What the view asked of the host">
          <h3>Asked of the host</h3>
          <ul aria-live="polite">
            {notes.map((note, index) => (
              <li key={index}>
                <code>{note.method}</code> <span>{note.detail}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Model({ drawing }: { drawing: Drawing }) {
  const { text, result, model } = drawing;
  const data = result.structuredContent;
  return (
    <>
      <p class="lead">
        A model reads <strong>{model.bytes.toLocaleString("en")} bytes</strong> of this result. The
        view itself costs it nothing.
      </p>
      <div class="bar">
        <h3>Text</h3>
        <span class="quiet">{size(model.text)}</span>
        <span class="space" />
        <Copy text={text} label="Copy the text for the model" wide />
      </div>
      <Scroll kind="code" label="Text for the model">
        {text}
      </Scroll>
      {data !== undefined && (
        <>
          <div class="bar">
            <h3>Data</h3>
            <span class="quiet">{size(model.data)}</span>
            <span class="space" />
            <Copy text={write(data)} label="Copy the data for the model" wide />
          </div>
          <Code text={write(data)} label="Data for the model" />
        </>
      )}
    </>
  );
}

/** `errors`: how many the input has by now, so that this is an older result. */
export function Output(props: ViewProps & { errors: number }) {
  const [tab, setTab] = useState("view");
  const surfaces = sorted(props.drawing.surfaces);
  const tabs: Tab[] = [
    { id: "view", label: "View" },
    ...surfaces.map((shown) => ({
      id: shown.name,
      label: label(shown.name),
      count: shown.losses.length,
    })),
    { id: "model", label: "Model" },
  ];
  const open = tabs.some((one) => one.id === tab) ? tab : "view";
  const shown = surfaces.find((one) => one.name === open);
  const panel = (id: string) => ({
    id: `out-panel-${id}`,
    role: "tabpanel" as const,
    "aria-labelledby": `out-tab-${id}`,
    class: classes("panel", props.errors > 0 && "stale"),
  });
  return (
    <>
      <Tabs label="Surfaces" prefix="out" tabs={tabs} value={open} onChange={setTab} />
      {/* The view stays: a frame that is taken away starts anew. */}
      <div {...panel("view")} hidden={open !== "view"}>
        <View {...props} />
      </div>
      {shown && (
        <div {...panel(shown.name)} key={shown.name}>
          <Surface shown={shown} theme={props.theme} />
        </div>
      )}
      {open === "model" && (
        <div {...panel("model")}>
          <Model drawing={props.drawing} />
        </div>
      )}
      <footer class={classes("weight", props.errors > 0 && "stale")}>
        {props.errors > 0 ? (
          <span>
            <strong>{plural(props.errors, "error")} in the input.</strong> This is the last result
            that worked.
          </span>
        ) : (
          <span>
            Model sees <strong>{size(props.drawing.model.bytes)}</strong>
          </span>
        )}
        {open !== "model" && props.errors === 0 && (
          <button type="button" class="link" onClick={() => setTab("model")}>
            Show what
          </button>
        )}
      </footer>
    </>
  );
}
