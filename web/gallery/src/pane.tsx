// The panes of the workbench.

import { field, type Json } from "@widgetcast/schema";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type * as api from "./api";
import { Editor } from "./code";
import { Members } from "./form";
import { Icon } from "./icon";
import { type Bad, type Good, type Input, marksOf } from "./input";
import { Shortener } from "./json";
import { Output, type OutputProps } from "./output";
import { Notice } from "./part";

export function FormPane(props: {
  schema: api.Detail["inputSchema"];
  input: Input;
  errors: api.Fault[];
  /** Leads to the other form of the input, where there is room for one. */
  other: ComponentChildren;
  /** The button that runs a tool; a widget has none. */
  run: ComponentChildren;
  /** Whether the tool may change things. */
  mayChange: boolean;
}) {
  const { input, run } = props;
  return (
    <section class="pane form-pane" aria-label="Input form">
      <header class="pane-head">
        <h2 class="only-wide">Input</h2>
        {props.other}
        <span class="space" />
        <button
          type="button"
          class="button bare small"
          disabled={input.isSample}
          onClick={input.reset}
        >
          <Icon name="reset" size={14} /> Reset
        </button>
        {run && <span class="only-wide">{run}</span>}
      </header>
      <div class="pane-body">
        {props.mayChange && <Notice tone="plain">This tool may modify data.</Notice>}
        <FormOf
          schema={props.schema}
          value={input.value}
          errors={props.errors}
          onValue={input.setValue}
        />
      </div>
    </section>
  );
}

export function JsonPane(props: { input: Input; errors: api.Fault[]; other: ComponentChildren }) {
  const { input, errors } = props;
  const { text } = input;
  const marks = useMemo(() => marksOf(text, errors), [text, errors]);
  const [short] = useState(() => new Shortener());
  // It has the same lines, so that marks fit.
  const shown = useMemo(() => short.shorten(text), [text, short]);
  return (
    <section class="pane json-pane" aria-label="Input as JSON">
      <header class="pane-head">
        <h2 class="only-wide">JSON</h2>
        {props.other}
        <span class="space" />
        <span class="quiet">arguments</span>
      </header>
      <div class="pane-body flush">
        <Editor
          id="json"
          label="Arguments as JSON"
          text={shown}
          onText={(edited) => input.setText(short.restore(edited))}
          copied={(selected) => short.restore(selected)}
          marks={marks}
          describedBy="json-errors"
        />
      </div>
      <ul class="json-errors" id="json-errors">
        {marks.map(({ line, message }) => (
          <li key={message}>
            <button type="button" class="link" onClick={() => jump(shown, line)}>
              Line {line + 1}
            </button>{" "}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ResultPane(
  props: Omit<OutputProps, "page" | "input" | "drawing" | "errors"> & {
    good: Good | undefined;
    bad: Bad | undefined;
    run: ComponentChildren;
  },
) {
  const { good, bad, run, ...rest } = props;
  const errors = bad?.errors.length ?? 0;
  return (
    <section class="pane result-pane" aria-label="Result">
      {bad && (errors === 0 || !good) && (
        <Notice tone="error">
          <span class="said">{bad.text}</span>
        </Notice>
      )}
      {good ? (
        <Output
          {...rest}
          page={good.page}
          input={good.input}
          drawing={good.drawing}
          errors={errors}
        />
      ) : (
        !bad && (
          <div class="waiting">
            {run ? (
              <>
                <p>This tool does not run automatically.</p>
                {run}
              </>
            ) : (
              <div class="skeleton" />
            )}
          </div>
        )
      )}
    </section>
  );
}

/** Selects a line of the JSON. */
function jump(text: string, line: number) {
  const area = document.querySelector<HTMLTextAreaElement>("#json");
  const lines = text.split("\n");
  const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
  area?.focus();
  area?.setSelectionRange(start, start + (lines[line]?.length ?? 0));
}

function FormOf(props: {
  schema: api.Detail["inputSchema"];
  value: Json;
  errors: api.Fault[];
  onValue(value: Json): void;
}) {
  const { schema, value, errors, onValue } = props;
  const one = field(schema, schema);
  const form = { root: schema, value, errors, onValue };
  const whole = errors.filter((error) => error.pointer === "");
  return (
    <form class="form" onSubmit={(event) => event.preventDefault()} noValidate>
      {whole.map((error) => (
        <p class="fault" key={error.message}>
          {error.message}
        </p>
      ))}
      {one.kind === "object" ? (
        <Members form={form} field={one} path={[]} value={value} />
      ) : (
        <p class="quiet">
          {Object.keys(one.schema.properties ?? {}).length === 0
            ? "This tool has no input schema: write the input as JSON."
            : "Write the input as JSON."}
        </p>
      )}
    </form>
  );
}
