// One item of an answer, and one turn: a question and all that answers it.

import { write } from "@widgetcast/schema";
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { endpoint, say, timeText } from "../place";
import type { AssistantMessage, Attachment, Item, UserMessage } from "../protocol";
import type { Session, SessionState } from "../session";
import { textOf } from "../thread";
import { plainText, type Turn } from "../turn";
import { brief, type Call, callOf } from "../values";
import { ownPath } from "../wire";
import { Icon, ServerIcon } from "./icon";
import { CopyButton, IconButton, Spinner, Text } from "./part";
import { QuestionView } from "./question";
import { WidgetView } from "./widget";
import { Sources, TaskView, WorkflowView } from "./work";

export interface AnswerProps {
  session: Session;
  state: SessionState;
  theme: string;
  tell(notice: string): void;
  onRetry(): void;
  onFeedback(items: Item[], kind: "positive" | "negative"): void;
}

function Message({ item, isOpen }: { item: AssistantMessage; isOpen: boolean }) {
  const sources = item.content.flatMap(({ annotations }) =>
    (annotations ?? []).map(({ source }) => source),
  );
  return (
    <>
      {item.content.map(({ text }, at) => (
        <Text key={at} value={text} isOpen={isOpen} />
      ))}
      {sources.length > 0 && <Sources sources={sources} />}
    </>
  );
}

function drawItem(item: Item, isOpen: boolean, props: AnswerProps) {
  const { session, theme, tell } = props;
  switch (item.type) {
    case "assistant_message":
      return <Message item={item} isOpen={isOpen} />;
    case "widget":
      return <WidgetView item={item} session={session} theme={theme} tell={tell} />;
    case "workflow":
      return <WorkflowView workflow={item.workflow} isOpen={isOpen} />;
    case "task":
      return <TaskView task={item.task} />;
    case "generated_image":
      return item.image ? (
        <img class="picture" src={item.image.url} alt={say("picture")} />
      ) : (
        <div class="picture is-empty" />
      );
    case "structured_input":
      return <QuestionView item={item} onAnswer={(answers) => session.answer(item, answers)} />;
    default:
      return null;
  }
}

/** An item is drawn anew when it has changed, and not with every word of another one. */
function ItemView({ item, isOpen, props }: { item: Item; isOpen: boolean; props: AnswerProps }) {
  return useMemo(() => drawItem(item, isOpen, props), [item, isOpen, props.session, props.theme]);
}

export const FileChip = ({ file, children }: { file: Attachment; children?: VNode }) => (
  <span class="file">
    {file.type === "image" && file.preview_url ? (
      <img src={ownPath(file.preview_url, location.href)} alt="" />
    ) : (
      <Icon name="file" size={16} />
    )}
    <span class="file-name" dir="auto">
      {file.name}
    </span>
    {children}
  </span>
);

/** A long question is read as text, not as a heading. */
const lookOf = (text: string) =>
  text.startsWith("/") ? "is-command" : text.length > 160 ? "is-long" : "";

/** A call with values as JSON, which is folded: what it is about is read at a glance. */
function Called({ call: { name, values } }: { call: Call }) {
  return (
    <details class="ask-text is-command">
      <summary>
        <bdi>/{name}</bdi> <span class="quiet">{brief(values)}</span>
      </summary>
      <pre dir="ltr">{write(values)}</pre>
    </details>
  );
}

function Question({ item }: { item: UserMessage }) {
  const text = textOf(item);
  const call = /^\/\S+\s*\{/.test(text) ? callOf(text) : undefined;
  return (
    <div class="ask">
      <h2 class="unseen">{say("you")}</h2>
      <time class="time" dateTime={item.created_at}>
        {timeText(item.created_at)}
      </time>
      {item.quoted_text && <blockquote dir="auto">{item.quoted_text}</blockquote>}
      {call && <Called call={call} />}
      {text && !call && (
        // Isolated, and not a paragraph of its own direction, which would leave the bar.
        <p class={`ask-text ${lookOf(text)}`}>
          <bdi>{text}</bdi>
        </p>
      )}
      {item.attachments && item.attachments.length > 0 && (
        <div class="files">
          {item.attachments.map((file) => (
            <a
              key={file.id}
              href={`${endpoint}/attachments/${encodeURIComponent(file.id)}`}
              target="_blank"
              rel="noopener"
            >
              <FileChip file={file} />
            </a>
          ))}
        </div>
      )}
    </div>
  );
}

/** What is going on, until the first words are there. */
function Progress({ state }: { state: SessionState }) {
  const { progress } = state.conversation;
  return (
    <p class="progress">
      <Spinner />
      {progress?.icon && <ServerIcon name={progress.icon} />}
      <span dir="auto">{progress?.text ?? say("working")}</span>
    </p>
  );
}

function Tools({ turn, isLast, props }: { turn: Turn; isLast: boolean; props: AnswerProps }) {
  const [kind, setKind] = useState<"positive" | "negative">();
  const rate = (next: "positive" | "negative") => {
    setKind(next);
    props.onFeedback(turn.answers, next);
  };
  const text = () => turn.answers.map(plainText).filter(Boolean).join("\n\n");
  return (
    <div class={isLast ? "tools is-last" : "tools"}>
      <CopyButton text={text} />
      <IconButton
        icon="good"
        label={say("good")}
        size={16}
        isPressed={kind === "positive"}
        onClick={() => rate("positive")}
      />
      <IconButton
        icon="bad"
        label={say("bad")}
        size={16}
        isPressed={kind === "negative"}
        onClick={() => rate("negative")}
      />
      {isLast && turn.question && (
        <IconButton icon="again" label={say("again")} size={16} onClick={props.onRetry} />
      )}
    </div>
  );
}

export function TurnView(all: AnswerProps & { turn: Turn; isLast: boolean }) {
  const { turn, isLast, ...props } = all;
  const { state } = props;
  const { open, progress } = state.conversation;
  const isBusy = isLast && state.phase === "answering";
  const isAsking = turn.answers.some(
    (item) => item.type === "structured_input" && item.status === "pending",
  );
  const isSilent = !turn.answers.some(({ id }) => open.has(id));
  return (
    <article class="turn" aria-busy={isBusy}>
      {turn.question && <Question item={turn.question} />}
      <div class="answers">
        {turn.answers.length > 0 && <h3 class="unseen">{say("answer")}</h3>}
        {turn.answers.map((item) => (
          <ItemView key={item.id} item={item} isOpen={open.has(item.id)} props={props} />
        ))}
        {isBusy && (progress || isSilent) && !state.isLost && <Progress state={state} />}
        {!isBusy && !isAsking && turn.answers.length > 0 && (
          <Tools turn={turn} isLast={isLast} props={props} />
        )}
      </div>
    </article>
  );
}
