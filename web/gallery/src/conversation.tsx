// What a view said and asked for, below its drawing, as a user sees it in the chat.

import { useRef } from "preact/hooks";
import type { Asked } from "./answer";
import type { Question } from "./consent";
import { Icon } from "./icon";

export function Conversation(props: {
  asked: Asked[];
  question: Question | undefined;
  /** Brings back what a press has replaced. */
  onBack: (() => void) | undefined;
}) {
  const { asked, question } = props;
  const list = useRef<HTMLUListElement>(null);
  const decide = (run: boolean) => {
    question?.decide(run);
    // The button that was pressed goes away; whoever uses the keyboard goes on from here.
    list.current?.focus();
  };
  return (
    <>
      <ul
        class="asked"
        aria-live="polite"
        aria-label="Requests from the view"
        tabIndex={-1}
        ref={list}
      >
        {asked.map((one, index) => (
          <li key={index} class={one.method === "ui/message" ? "bubble" : "note"}>
            {one.method !== "ui/message" && <code>{one.method}</code>} {one.text}
            {one.link && (
              <a href={one.link} target="_blank" rel="noopener noreferrer">
                Open <Icon name="out" size={13} />
              </a>
            )}
          </li>
        ))}
      </ul>
      {props.onBack && (
        <button type="button" class="button small before" onClick={props.onBack}>
          <Icon name="reset" size={14} /> Show the previous version
        </button>
      )}
      {/* The words alone are announced, not the arguments and the buttons. */}
      <div class="question">
        <p role="status">{question && `Run ${question.tool}?`}</p>
        {question && (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is cut off is reached by keys */}
            <section tabIndex={0} aria-label={`Arguments of ${question.tool}`}>
              {question.input}
            </section>
            <button type="button" class="button small primary" onClick={() => decide(true)}>
              Run
            </button>
            <button type="button" class="button small" onClick={() => decide(false)}>
              Not now
            </button>
          </>
        )}
      </div>
    </>
  );
}
