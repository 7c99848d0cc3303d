// JSON on the page: to read, and to edit.

import type { TargetedClipboardEvent } from "preact";
import { useMemo } from "preact/hooks";
import { brief, type Token, tokens } from "./json";
import { classes, Scroll } from "./part";

/** Tokens by line, because errors are marked by line. */
function lines(source: string): Token[][] {
  const out: Token[][] = [[]];
  for (const token of tokens(source)) {
    const [first = "", ...more] = token.text.split("\n");
    out.at(-1)?.push({ ...token, text: first });
    for (const text of more) out.push([{ ...token, text }]);
  }
  return out;
}

const Ink = ({ line }: { line: Token[] }) => (
  <>
    {line.map((token, index) =>
      token.kind === "plain" ? (
        token.text
      ) : (
        <span key={index} class={token.kind}>
          {token.text}
        </span>
      ),
    )}
  </>
);

export function Code({ text, label }: { text: string; label: string }) {
  const parts = useMemo(() => tokens(brief(text)), [text]);
  return (
    <Scroll kind="code" label={label}>
      <Ink line={parts} />
    </Scroll>
  );
}

/**
 * A plain text area over its own text in colour. Both wrap alike, so the page needs no editor: what
 * the browser knows of undo, selection and screen readers stays as it is.
 */
export function Editor(props: {
  id: string;
  label: string;
  text: string;
  onText(text: string): void;
  /** What is copied for a selected text. */
  copied(selected: string): string;
  marks: { line: number }[];
  describedBy: string;
}) {
  const drawn = useMemo(() => lines(props.text), [props.text]);
  const bad = new Set(props.marks.map((mark) => mark.line));
  const copy = (event: TargetedClipboardEvent<HTMLTextAreaElement>) => {
    const { value, selectionStart, selectionEnd } = event.currentTarget;
    const selected = value.slice(selectionStart, selectionEnd);
    const whole = props.copied(selected);
    if (whole === selected) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", whole);
    // So that it can be undone, as what the browser cuts.
    if (event.type === "cut") document.execCommand("delete");
  };
  return (
    <div class="editor">
      <pre aria-hidden="true">
        {drawn.map((line, index) => (
          <div key={index} class={classes("line", bad.has(index) && "bad")}>
            <Ink line={line} />
            {"\n"}
          </div>
        ))}
      </pre>
      <textarea
        id={props.id}
        aria-label={props.label}
        aria-invalid={bad.size > 0}
        aria-describedby={props.describedBy}
        value={props.text}
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        onInput={(event) => props.onText(event.currentTarget.value)}
        onCopy={copy}
        onCut={copy}
      />
    </div>
  );
}
