// The three panes of a tool: its input as a form, as JSON, and the result.

import type { Dict } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import { useState } from "preact/hooks";
import type * as api from "./api";
import { Draft } from "./draft";
import { Icon } from "./icon";
import { type Bad, type Good, useAutoDraw, useDrawing, useInput } from "./input";
import { writeLink } from "./link";
import { FormPane, JsonPane, ResultPane } from "./pane";
import { plural, Segments } from "./part";
import type { Play } from "./play";
import { Traffic } from "./traffic";

type Pane = "form" | "json" | "result";
const PANES: { value: Pane; label: string }[] = [
  { value: "result", label: "Result" },
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
];

const NO_ERRORS: api.Fault[] = [];

/** What a screen reader says after a change. */
function statusOf(isJson: boolean, bad: Bad | undefined, good: Good | undefined): string {
  if (!isJson) return "The JSON is invalid";
  if (bad) return bad.errors.length > 0 ? plural(bad.errors.length, "error") : bad.text;
  return good ? "Rendered" : "";
}

export interface Around {
  theme: Theme;
  /** The name of the server. */
  sender: string;
  play: Play;
  onPlay(play: Play): void;
  /** What a link gave as the input. */
  given: Dict | undefined;
}

export function Workbench(
  props: Around &
    Pick<api.Tool, "readOnly" | "drawn"> &
    Pick<api.Index, "drafts"> & { detail: api.Detail },
) {
  const { detail, play } = props;
  const input = useInput(detail, props.given);
  const [traffic] = useState(() => new Traffic());
  const { good, bad, busy, draw } = useDrawing(detail.name, traffic);
  // What only reads may be drawn from its sample, but not from a link's values.
  const mayRun = props.drawn && input.isSample;
  useAutoDraw(detail, input.value, draw, mayRun);
  const [pane, setPane] = useState<Pane>(() =>
    matchMedia("(max-width: 759px)").matches ? "result" : "form",
  );
  const errors = bad?.errors ?? NO_ERRORS;
  const hash = writeLink(detail.name, input.isSample ? undefined : input.value, play);
  const link = hash && new URL(hash, location.href).href;
  const run = detail.kind === "tool" && (
    <button type="button" class="button primary" disabled={busy} onClick={() => draw(input.value)}>
      <Icon name="play" size={14} /> {busy ? "Running…" : "Run"}
    </button>
  );
  const other = (
    <div class="only-middle">
      <Segments
        label="Input as"
        value={pane === "json" ? "json" : "form"}
        options={PANES.slice(1)}
        onChange={(next) => setPane(next)}
      />
    </div>
  );
  return (
    <>
      <div class="switcher">
        <Segments
          label="Part of the page"
          value={pane}
          options={PANES}
          onChange={(next) => setPane(next)}
        />
        {run}
      </div>
      {props.drafts && detail.kind === "tool" && good && <Draft tool={detail.name} />}
      <div class="bench" data-pane={pane}>
        <FormPane
          schema={detail.inputSchema}
          input={input}
          errors={errors}
          other={other}
          run={run}
          mayChange={run !== false && !props.readOnly}
        />
        <JsonPane input={input} errors={errors} other={other} />
        <ResultPane
          tool={detail.name}
          title={detail.title}
          sender={props.sender}
          good={good}
          bad={bad}
          theme={props.theme}
          run={!mayRun && run}
          play={play}
          onPlay={props.onPlay}
          link={link}
          traffic={traffic}
        />
      </div>
      <p class="unseen" role="status">
        {busy ? "" : statusOf(input.isJson, bad, good)}
      </p>
    </>
  );
}
