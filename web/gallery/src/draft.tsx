// Writes a widget for a tool that has none, from the results that it gave.

import { useState } from "preact/hooks";
import * as api from "./api";
import { Icon } from "./icon";
import { Copy, Notice, Scroll } from "./part";

export function Draft({ tool }: { tool: string }) {
  const [draft, setDraft] = useState<api.Draft>();
  const [problem, setProblem] = useState<string>();
  const write = () => {
    setProblem(undefined);
    api.draft(tool).then(setDraft, (error: Error) => setProblem(error.message));
  };
  if (problem) return <Notice tone="warning">No widget was written: {problem}</Notice>;
  if (!draft)
    return (
      <p class="draft">
        <button type="button" class="button small" onClick={write}>
          <Icon name="plus" size={14} /> Write a widget for this
        </button>
      </p>
    );
  if (draft.file !== null)
    return (
      <Notice tone="plain">
        Wrote <code>{draft.file}</code>. Run the tool again to see it; edit the file to change it.
      </Notice>
    );
  return (
    <details class="trouble" open>
      <summary>
        Save this as a <code>.widget</code> file, and start with <code>--widgets DIR</code>
        <Copy text={draft.source} label="Copy the widget" />
      </summary>
      <Scroll label="Widget" kind="code">
        {draft.source}
      </Scroll>
    </details>
  );
}
