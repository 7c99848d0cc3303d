// The three panes of a tool: its input as a form, as JSON, and the result.

import { useState } from "preact/hooks";
import type * as api from "./api";
import { Icon } from "./icon";
import { type Bad, type Good, useAutoDraw, useDrawing, useInput } from "./input";
import { FormPane, JsonPane, ResultPane } from "./pane";
import { plural, Segments } from "./part";
import type { Theme } from "./theme";

type Pane = "form" | "json" | "result";
const PANES: { value: Pane; label: string }[] = [
  { value: "result", label: "Result" },
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
];

const NO_ERRORS: api.Fault[] = [];

/** What a screen reader says after a change. */
function statusOf(isJson: boolean, bad: Bad | undefined, good: Good | undefined): string {
  if (!isJson) return "The JSON is not valid";
  if (bad) return bad.errors.length > 0 ? plural(bad.errors.length, "error") : bad.text;
  return good ? "Drawn" : "";
}

export function Workbench(props: { detail: api.Detail; theme: Theme; readOnly: boolean }) {
  const { detail } = props;
  const input = useInput(detail);
  const { good, bad, busy, draw } = useDrawing(detail.name);
  useAutoDraw(detail, input.value, draw);
  const [pane, setPane] = useState<Pane>(() =>
    matchMedia("(max-width: 759px)").matches ? "result" : "form",
  );
  const errors = bad?.errors ?? NO_ERRORS;
  const run = detail.kind === "tool" && (
    <button type="button" class="button primary" disabled={busy} onClick={() => draw(input.value)}>
      <Icon name="play" size={14} /> {busy ? "Running…" : "Run"}
    </button>
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
      <div class="bench" data-pane={pane}>
        <FormPane
          schema={detail.inputSchema}
          input={input}
          errors={errors}
          run={run}
          mayChange={run !== false && !props.readOnly}
        />
        <JsonPane input={input} errors={errors} />
        <ResultPane tool={detail.name} good={good} bad={bad} theme={props.theme} run={run} />
      </div>
      <p class="unseen" role="status">
        {busy ? "" : statusOf(input.isJson, bad, good)}
      </p>
    </>
  );
}
