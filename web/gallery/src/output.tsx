// What a result looks like: in every host, to the model, as it is sent, and what was said about it.

import { type Json, write } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import { useState } from "preact/hooks";
import type { Drawing, Shown } from "./api";
import { Code } from "./code";
import { hostOf } from "./hosts";
import { Losses } from "./lost";
import { Chips, Choices, Tools } from "./panel";
import { Copy, classes, plural, Scroll, Segments, size, type Tab, Tabs } from "./part";
import type { Play } from "./play";
import { Screen, tokens } from "./screen";
import { Timeline } from "./timeline";
import type { Traffic } from "./traffic";

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

/** What is sent for each surface, as it is. */
function Source({ surfaces, tree }: { surfaces: Shown[]; tree: Json }) {
  const [name, setName] = useState(surfaces[0]?.name ?? "");
  const shown = surfaces.find((one) => one.name === name) ?? surfaces[0];
  if (!shown) return <p class="hint">No host renders this result in a format of its own.</p>;
  return (
    <>
      <div class="bar">
        <Segments
          label="Surface"
          value={shown.name}
          options={surfaces.map((one) => ({ value: one.name, label: label(one.name) }))}
          onChange={setName}
        />
        <span class="space" />
        <span class="quiet">{size(new TextEncoder().encode(shown.text).length)}</span>
        <Copy text={shown.text} label={`Copy ${label(shown.name)}`} wide />
      </div>
      {shown.format === "json" ? (
        <Code text={shown.text} label={label(shown.name)} />
      ) : (
        <Scroll kind="code" label={label(shown.name)}>
          {shown.text.replaceAll("\u001b", "␛")}
        </Scroll>
      )}
      <Losses losses={shown.losses} tree={tree} />
    </>
  );
}

function Model({ drawing }: { drawing: Drawing }) {
  const { text, result, model } = drawing;
  const data = result.structuredContent;
  return (
    <>
      <p class="lead">
        The model reads <strong>{model.bytes.toLocaleString("en")} bytes</strong> of this result,
        about <strong>{plural(tokens(model.bytes), "token")}</strong>. The view uses no tokens.
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

export interface OutputProps {
  tool: string;
  title: string;
  /** The name of the server. */
  sender: string;
  page: string | undefined;
  input: Json;
  drawing: Drawing;
  theme: Theme;
  play: Play;
  onPlay(play: Play): void;
  link: string | undefined;
  traffic: Traffic;
  /** How many the input has by now, so that this is an older result. */
  errors: number;
}

const TABS: Tab[] = [
  { id: "hosts", label: "Hosts" },
  { id: "timeline", label: "Timeline" },
  { id: "model", label: "Model" },
  { id: "source", label: "Source" },
];

export function Output(props: OutputProps) {
  const { play, onPlay, drawing } = props;
  const [tab, setTab] = useState("hosts");
  const [open, setOpen] = useState(false);
  const panel = (id: string) => ({
    id: `out-panel-${id}`,
    role: "tabpanel" as const,
    "aria-labelledby": `out-tab-${id}`,
    class: classes("panel", props.errors > 0 && "stale"),
  });
  const shown = play.only === undefined ? play.hosts : [play.only];
  return (
    <>
      <div class="tab-row">
        <Tabs label="Result" prefix="out" tabs={TABS} value={tab} onChange={setTab} />
        {tab === "hosts" && (
          <Tools play={play} onPlay={onPlay} link={props.link} open={open} onOpen={setOpen} />
        )}
      </div>
      {/* The hosts stay: a frame that is taken away starts anew. */}
      <div {...panel("hosts")} hidden={tab !== "hosts"}>
        <div class="panel-bar">
          <Chips play={play} onPlay={onPlay} />
          {open && (
            <Choices
              conditions={play.conditions}
              onChange={(conditions) => onPlay({ ...play, conditions })}
            />
          )}
        </div>
        <div class={classes("desk", play.only !== undefined && "single")}>
          {shown.flatMap((id) => {
            const host = hostOf(id);
            return host ? (
              <Screen
                key={id}
                host={host}
                tool={props.tool}
                title={props.title}
                sender={props.sender}
                page={props.page}
                input={props.input}
                drawing={drawing}
                conditions={play.conditions}
                theme={props.theme}
                traffic={props.traffic}
                isOnly={play.only !== undefined}
                onOnly={() => onPlay({ ...play, only: play.only === undefined ? id : undefined })}
              />
            ) : (
              []
            );
          })}
        </div>
      </div>
      <div {...panel("timeline")} hidden={tab !== "timeline"}>
        <Timeline traffic={props.traffic} isOpen={tab === "timeline"} />
      </div>
      {tab === "model" && (
        <div {...panel("model")}>
          <Model drawing={drawing} />
        </div>
      )}
      {tab === "source" && (
        <div {...panel("source")}>
          <Source surfaces={sorted(drawing.surfaces)} tree={drawing.tree} />
        </div>
      )}
      <footer class={classes("weight", props.errors > 0 && "stale")}>
        {props.errors > 0 ? (
          <span>
            <strong>{plural(props.errors, "error")} in the input.</strong> This is the last valid
            result.
          </span>
        ) : (
          <span>
            Model sees <strong>{size(drawing.model.bytes)}</strong>, about{" "}
            <strong>{plural(tokens(drawing.model.bytes), "token")}</strong>
          </span>
        )}
        {tab !== "model" && props.errors === 0 && (
          <button type="button" class="link" onClick={() => setTab("model")}>
            Show details
          </button>
        )}
      </footer>
    </>
  );
}
