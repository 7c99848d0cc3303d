// The page of one tool: its head, what is wrong with its file, and the workbench.

import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { Findings, summary } from "./finding";
import { Icon } from "./icon";
import { classes, Notice } from "./part";
import { type Around, Workbench } from "./workbench";

export function Page(
  props: Around & {
    name: string;
    version: number;
    readOnly: boolean;
    drawn: boolean;
    drafts: boolean;
    /** What is wrong with the link that led here. */
    problem: string | undefined;
  },
) {
  const [detail, setDetail] = useState<api.Detail | api.Broken>();
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
  if (detail.kind === "broken")
    return (
      <main class="detail">
        <Head title={detail.title} name={detail.name} focus={title} />
        <Broken findings={detail.findings} words="The file is broken and defines no widget." />
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
        <Notice tone="warning">No longer served: {missing} This is the last known version.</Notice>
      )}
      {detail.findings.length > 0 && (
        <Broken
          findings={detail.findings}
          words="The file is broken on disk. This is its last good version."
        />
      )}
      {props.problem && (
        <Notice tone="warning">
          Invalid link: {props.problem}. The widget is shown with its sample.
        </Notice>
      )}
      <Workbench {...props} detail={detail} />
    </main>
  );
}

function Broken({ findings, words }: { findings: api.Finding[]; words: string }) {
  const broken = findings.some((finding) => finding.broken);
  const error = findings.some((finding) => finding.severity === "error");
  return (
    <details class={classes("trouble", error ? "error" : "warning")} open={error}>
      <summary>
        <Icon name="alert" />
        {broken ? words : `${summary(findings)} in this file`}
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
        <h1 tabIndex={-1} dir="auto" ref={props.focus ?? null}>
          {props.title}
        </h1>
        <code class="tool-name">{props.name}</code>
        {props.kind === "tool" && <span class="tag">tool</span>}
      </div>
      {props.description && <p dir="auto">{props.description}</p>}
    </header>
  );
}
