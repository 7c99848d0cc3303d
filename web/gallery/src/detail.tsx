// One tool: its input as a form and as JSON, and beside it what becomes of it.

import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { Editor } from "./code";
import { Members } from "./form";
import { Icon } from "./icon";
import { fault, lineOf, places } from "./json";
import { pageUri } from "./mcp";
import { Output } from "./output";
import { classes, Findings, Notice, plural, Segments } from "./part";
import { blank, field } from "./schema";
import type { Theme } from "./theme";
import { type Json, same, write } from "./value";

type Pane = "form" | "json" | "result";
const PANES: { value: Pane; label: string }[] = [
  { value: "result", label: "Result" },
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
];
const PAUSE = 120;

interface Good {
  drawing: api.Drawing;
  input: Json;
  page: string | undefined;
}

/** The last drawing that worked, and what is wrong with the one that did not. */
function useDrawing(name: string) {
  const [good, setGood] = useState<Good>();
  const [bad, setBad] = useState<{ text: string; errors: api.Fault[] }>();
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  const abort = useRef<AbortController>(undefined);
  const draw = useCallback(
    async (input: Json) => {
      const turn = ++asked.current;
      abort.current?.abort();
      abort.current = new AbortController();
      setBusy(true);
      try {
        const drawing = await api.draw(name, input, abort.current.signal);
        const page = await pageUri(name, drawing.result).catch(() => undefined);
        if (turn !== asked.current) return;
        if (drawing.isError) setBad({ text: drawing.text, errors: drawing.errors });
        else {
          setGood({ drawing, input, page });
          setBad(undefined);
        }
      } catch (error) {
        if (turn !== asked.current) return;
        setBad({ text: error instanceof Error ? error.message : String(error), errors: [] });
      }
      setBusy(false);
    },
    [name],
  );
  useEffect(
    () => () => {
      asked.current++;
      abort.current?.abort();
    },
    [],
  );
  return { good, bad, busy, draw };
}

const begin = (detail: api.Detail): Json =>
  detail.sample ?? blank(detail.inputSchema, detail.inputSchema);

export function Page(props: { name: string; version: number; theme: Theme; readOnly: boolean }) {
  const [detail, setDetail] = useState<api.Detail>();
  const [missing, setMissing] = useState<string>();
  const { name, version } = props;
  const title = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    const abort = new AbortController();
    api.detail(name, abort.signal).then(
      (found) => {
        setDetail(found);
        setMissing(undefined);
      },
      (error: Error) => abort.signal.aborted || setMissing(error.message),
    );
    return () => abort.abort();
  }, [name, version]);

  const there = detail !== undefined;
  useEffect(() => {
    if (there) title.current?.focus({ preventScroll: true });
  }, [there]);

  if (missing && !detail)
    return (
      <main class="detail">
        <Head title={name} name={name} />
        <Notice tone="error">{missing}</Notice>
      </main>
    );
  if (!detail)
    return (
      <main class="detail" aria-busy="true">
        <Head title={name} name={name} />
      </main>
    );
  return (
    <main class="detail">
      <Head
        title={detail.title}
        name={detail.name}
        description={detail.description}
        kind={detail.kind}
        focus={title}
      />
      {missing && (
        <Notice tone="warning">This is no longer served: {missing} Below is how it was.</Notice>
      )}
      {detail.findings.length > 0 && <Broken findings={detail.findings} />}
      <Bench detail={detail} version={version} theme={props.theme} readOnly={props.readOnly} />
    </main>
  );
}

function Broken({ findings }: { findings: api.Finding[] }) {
  const broken = findings.some((finding) => finding.severity === "error");
  return (
    <details class={classes("trouble", broken ? "error" : "warning")} open>
      <summary>
        <Icon name="alert" />
        {broken
          ? "The file is broken on disk. What you see is its last good version."
          : `${plural(findings.length, "finding")} in this file`}
        <Icon name="fold" />
      </summary>
      <Findings findings={findings} />
    </details>
  );
}

function Head(props: {
  title: string;
  name: string;
  description?: string;
  kind?: api.Tool["kind"];
  focus?: { current: HTMLHeadingElement | null };
}) {
  return (
    <header class="head-line">
      <a class="back" href="#/">
        <Icon name="back" size={15} /> All widgets
      </a>
      <div>
        <h1 tabIndex={-1} ref={props.focus ?? null}>
          {props.title}
        </h1>
        <code class="tool-name">{props.name}</code>
        {props.kind === "tool" && <span class="tag">tool</span>}
      </div>
      {props.description && <p>{props.description}</p>}
    </header>
  );
}

function Bench(props: { detail: api.Detail; version: number; theme: Theme; readOnly: boolean }) {
  const { detail } = props;
  const [value, setValue] = useState<Json>(() => begin(detail));
  const [text, setText] = useState(() => write(value));
  const [pane, setPane] = useState<Pane>(() =>
    matchMedia("(max-width: 759px)").matches ? "result" : "form",
  );
  const { good, bad, busy, draw } = useDrawing(detail.name);
  const runs = detail.kind === "tool";
  const begun = useRef(begin(detail));

  // A new sample replaces the input only where nobody has typed.
  useEffect(() => {
    const next = begin(detail);
    setValue((now) => {
      if (!same(now, begun.current) || same(now, next)) return now;
      setText(write(next));
      return next;
    });
    begun.current = next;
  }, [detail]);

  const first = useRef(true);
  useEffect(() => {
    if (runs) return;
    if (first.current) {
      first.current = false;
      draw(value);
      return;
    }
    const timer = setTimeout(() => draw(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value, detail, runs, draw]);

  const fromForm = useCallback((next: Json) => {
    setValue(next);
    setText(write(next));
  }, []);
  const fromText = (next: string) => {
    setText(next);
    if (!fault(next)) {
      const parsed: Json = JSON.parse(next);
      setValue((now) => (same(now, parsed) ? now : parsed));
    }
  };

  const errors = bad?.errors ?? [];
  const broken = useMemo(() => fault(text), [text]);
  const marks = useMemo(() => {
    if (broken) return [{ line: broken.line, message: `Not JSON: ${broken.message}` }];
    const known = places(text);
    return errors.map((error) => ({
      line: lineOf(text, known, error.pointer),
      message: `${error.pointer || "/"} ${error.message}`,
    }));
  }, [text, broken, errors]);

  const status = busy
    ? ""
    : broken
      ? "The JSON is not valid"
      : bad
        ? errors.length > 0
          ? plural(errors.length, "error")
          : bad.text
        : good
          ? "Drawn"
          : "";

  const run = (
    <button type="button" class="button primary" disabled={busy} onClick={() => draw(value)}>
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
        {runs && run}
      </div>
      <div class="bench" data-pane={pane}>
        <section class="pane form-pane" aria-label="Input form">
          <header class="pane-head">
            <h2>Input</h2>
            <span class="space" />
            <button
              type="button"
              class="button bare small"
              disabled={same(value, begun.current) && !broken}
              onClick={() => fromForm(begun.current)}
            >
              <Icon name="reset" size={14} /> Reset
            </button>
            {runs && <span class="only-wide">{run}</span>}
          </header>
          <div class="pane-body">
            {runs && !props.readOnly && (
              <Notice tone="plain">This tool may change things when it runs.</Notice>
            )}
            <FormOf schema={detail.inputSchema} value={value} errors={errors} onValue={fromForm} />
          </div>
        </section>
        <section class="pane json-pane" aria-label="Input as JSON">
          <header class="pane-head">
            <h2>JSON</h2>
            <span class="space" />
            <span class="quiet">arguments</span>
          </header>
          <div class="pane-body flush">
            <Editor
              id="json"
              label="Arguments as JSON"
              text={text}
              onText={fromText}
              marks={marks}
              describedBy="json-errors"
            />
          </div>
          <ul class="json-errors" id="json-errors">
            {marks.map(({ line, message }) => (
              <li key={message}>
                <button type="button" class="link" onClick={() => jump(text, line)}>
                  Line {line + 1}
                </button>{" "}
                {message}
              </li>
            ))}
          </ul>
        </section>
        <section class="pane result-pane" aria-label="Result">
          {bad && (errors.length === 0 || !good) && (
            <Notice tone="error">
              <span class="said">{bad.text}</span>
            </Notice>
          )}
          {good ? (
            <Output
              tool={detail.name}
              page={good.page}
              input={good.input}
              drawing={good.drawing}
              theme={props.theme}
              errors={errors.length}
            />
          ) : (
            !bad && (
              <div class="waiting">
                {runs ? (
                  <>
                    <p>This tool does not run by itself.</p>
                    {run}
                  </>
                ) : (
                  <div class="skeleton" />
                )}
              </div>
            )
          )}
        </section>
      </div>
      <p class="unseen" role="status">
        {status}
      </p>
    </>
  );
}

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
            ? "This tool takes no input, or any: write it as JSON."
            : "Write the input as JSON."}
        </p>
      )}
    </form>
  );
}
