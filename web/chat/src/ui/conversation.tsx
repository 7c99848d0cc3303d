// The messages of a conversation, what is said about it, and how it scrolls.

import { inWords } from "@widgetcast/view";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { say } from "../place";
import type { SessionState } from "../session";
import { spokenText, turnsOf } from "../turn";
import { type AnswerProps, TurnView } from "./answer";
import { Icon } from "./icon";
import { IconButton, Spinner, Text } from "./part";

/** Closer than this to the end, the reader follows what is written. */
const NEAR = 80;

function useFollow(state: SessionState) {
  const scroll = useRef<HTMLElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const follows = useRef(true);
  const toEnd = () => {
    const { current } = scroll;
    if (current) current.scrollTop = current.scrollHeight;
  };
  const onScroll = () => {
    const { current } = scroll;
    if (!current) return;
    follows.current = current.scrollHeight - current.scrollTop - current.clientHeight < NEAR;
    setAtEnd(follows.current);
  };
  // Also when an image or a widget gets its size.
  useEffect(() => {
    const inner = scroll.current?.firstElementChild;
    if (!inner) return;
    const observer = new ResizeObserver(() => follows.current && toEnd());
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  // A message of one's own is always shown.
  const question = state.conversation.items.findLast(({ type }) => type === "user_message")?.id;
  useLayoutEffect(() => {
    follows.current = true;
    toEnd();
  }, [question]);
  return { scroll, isAtEnd, onScroll, toEnd };
}

/** Says a message when it is finished, and not while it is written. */
function Announcer({ state }: { state: SessionState }) {
  const { finished } = state.conversation;
  const isSaid = finished && finished.type !== "user_message";
  const text = isSaid ? spokenText(finished).slice(0, 2000) : "";
  return (
    <div class="unseen" aria-live="polite">
      {text && `${say("answer")}: ${text}`}
    </div>
  );
}

function Remarks({ state, onRetry, onNow }: AnswerProps & { onNow(): void }) {
  const { fault, notices } = state.conversation;
  const again = (
    <button type="button" class="button" onClick={onRetry}>
      {say("again")}
    </button>
  );
  return (
    <div class="remarks" role="status">
      {notices.map(({ level, title, message }, at) => (
        <div key={at} class={`remark is-${level}`}>
          <Icon name={level === "info" ? "info" : "alert"} />
          <div>
            {title && <p class="strong">{title}</p>}
            <Text value={message} />
          </div>
        </div>
      ))}
      {fault && (
        <div class="remark is-danger">
          <Icon name="alert" />
          <p dir="auto">{fault.message ? inWords(fault.message) : say("fault")}</p>
          {fault.canRetry && state.phase === "idle" && again}
        </div>
      )}
      {state.unhandled && (
        <div class="remark is-info">
          <Icon name="info" />
          <div>
            <p>{say("nothing")}</p>
            <pre dir="ltr">{`${state.unhandled.type} ${JSON.stringify(state.unhandled.payload ?? {}, null, 2)}`}</pre>
          </div>
        </div>
      )}
      {state.isLost && (
        <div class="remark is-warning">
          <Spinner />
          <p>{say("lost")}</p>
          <button type="button" class="button" onClick={onNow}>
            {say("now")}
          </button>
        </div>
      )}
      {state.note && state.phase === "idle" && (
        <div class={`remark is-${state.note === "stopped" ? "info" : "warning"}`}>
          <Icon name={state.note === "stopped" ? "info" : "alert"} />
          <p>{say(state.note)}</p>
          {state.note !== "notSent" && state.canRetry && again}
        </div>
      )}
    </div>
  );
}

export function ConversationView(given: Omit<AnswerProps, "onRetry"> & { onNow(): void }) {
  const { state, session } = given;
  const { scroll, isAtEnd, onScroll, toEnd } = useFollow(state);
  const turns = turnsOf(state.conversation.items);
  const isBusy = state.phase !== "idle";
  // The button that was pressed goes away; the focus must stay in the conversation.
  const focus = () => scroll.current?.focus({ preventScroll: true });
  const props = {
    ...given,
    onRetry() {
      focus();
      session.retry();
    },
    onNow() {
      focus();
      given.onNow();
    },
  };
  const earlier = async () => {
    const { current } = scroll;
    if (!current) return;
    focus();
    const below = current.scrollHeight - current.scrollTop;
    await session.earlier();
    // What was read stays where it was.
    requestAnimationFrame(() => {
      current.scrollTop = current.scrollHeight - below;
    });
  };
  return (
    <div class="reading">
      <section
        class="scroll"
        ref={scroll}
        onScroll={onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        tabIndex={0}
        aria-label={say("log")}
      >
        <div class="column" role="log" aria-live="off" aria-label={say("log")} aria-busy={isBusy}>
          {state.conversation.before !== undefined && (
            <button type="button" class="button is-wide" onClick={earlier}>
              {say("earlier")}
            </button>
          )}
          {state.phase === "loading" && turns.length === 0 && (
            <div class="skeleton" aria-hidden="true">
              <i />
              <i />
              <i />
            </div>
          )}
          {turns.map((turn, at) => (
            <TurnView key={turn.key} {...props} turn={turn} isLast={at === turns.length - 1} />
          ))}
          <Remarks {...props} />
        </div>
      </section>
      {!isAtEnd && <IconButton class="to-end" icon="down" label={say("latest")} onClick={toEnd} />}
      <Announcer state={state} />
    </div>
  );
}
