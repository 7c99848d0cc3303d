/** @jsxImportSource react */
// A conversation that was seeded, and ways to go on. It has no text field of its own: the host has
// one, and what is sent here appears in the host's conversation.

import { useState } from "react";
import { words } from "../i18n/chat";
import { mount, usePlace, useWords } from "../part/app";
import { Button, Chip, Empty, Header, ModeButtons, Skeleton } from "../part/control";
import { useAsk, useCopy } from "../part/host";
import { Icon } from "../part/icon";
import { type Fields, textOf, texts } from "../part/list";
import { Load } from "../part/load";
import { useKept } from "../part/state";

const FIRST = ["start1", "start2", "start3"] as const;
const NEXT = ["more1", "more2", "more3"] as const;

interface Data {
  seed: string;
}
const read = ({ seedMessage }: Fields): Data | undefined =>
  seedMessage === undefined || typeof seedMessage === "string"
    ? { seed: seedMessage?.trim() ?? "" }
    : undefined;

type Fate = "sending" | "sent" | "failed";

function Bubble({
  text,
  fate,
  onAgain,
}: {
  text: string;
  fate?: Fate | undefined;
  onAgain?(): void;
}) {
  const say = useWords(words);
  return (
    <li className="bubble">
      <span className="hidden">{say("you")}: </span>
      <p dir="auto">{text}</p>
      {fate === "sending" && <small>{say("sending")}</small>}
      {fate === "sent" && (
        <small>
          <Icon name="check" />
          {say("there")}
        </small>
      )}
      {fate === "failed" && onAgain && (
        <small>
          <button type="button" className="again" onClick={onAgain}>
            {say("again")}
          </button>
        </small>
      )}
    </li>
  );
}

function Chat({ seed }: Data) {
  const say = useWords(words);
  const ask = useAsk();
  const copy = useCopy();
  const { isReady, mode } = usePlace();
  const [kept, keep] = useKept();
  const sent = texts(kept.sent);
  const [pending, setPending] = useState<{ text: string; fate: Fate }>();

  const send = async (text: string) => {
    if (!ask) {
      await copy(text, { name: "message.txt", type: "text/plain" });
      return;
    }
    setPending({ text, fate: "sending" });
    const isSent = await ask(text);
    setPending(isSent ? undefined : { text, fate: "failed" });
    if (isSent) keep({ sent: [...sent, text].slice(-5) });
  };

  const isSeedSent = sent.includes(seed);
  const thread = [...(seed ? [seed] : []), ...sent.filter((text) => text !== seed)];
  const ideas = (seed ? NEXT : FIRST).map((key) => say(key)).filter((idea) => !sent.includes(idea));
  const isBusy = pending?.fate === "sending";
  return (
    <>
      {mode !== "pip" && (
        <Header title={say("title")}>
          <ModeButtons />
        </Header>
      )}
      {thread.length > 0 || pending ? (
        <ol className="thread">
          {thread.map((text, at) => (
            <Bubble
              key={text}
              text={text}
              fate={
                (text !== seed || isSeedSent) && at === thread.length - 1 && !pending
                  ? "sent"
                  : undefined
              }
            />
          ))}
          {pending && pending.text !== seed && (
            <Bubble text={pending.text} fate={pending.fate} onAgain={() => send(pending.text)} />
          )}
        </ol>
      ) : (
        <Empty icon="chat" title={say("first")}>
          {ask && <p className="note">{say("pick")}</p>}
        </Empty>
      )}
      {isReady && !ask && (
        <p className="note plain">
          <Icon name="info" />
          {say("cannot")}
        </p>
      )}
      {ideas.length > 0 && (
        <ul className="row" aria-label={say("ideas")}>
          {ideas.map((idea) => (
            <li key={idea}>
              <Chip
                isDisabled={isBusy}
                onClick={() => send(idea)}
                {...(isReady && !ask && { icon: "copy" })}
              >
                {idea}
              </Chip>
            </li>
          ))}
        </ul>
      )}
      {seed && ask && !isSeedSent && (
        <div className="row">
          <Button kind="primary" icon="chat" isDisabled={isBusy} onClick={() => send(seed)}>
            {isBusy ? say("sending") : say("go")}
          </Button>
        </div>
      )}
    </>
  );
}

mount(() => (
  <Load
    read={read}
    wait={({ seedMessage }) =>
      textOf(seedMessage) ? (
        <ol className="thread">
          <Bubble text={String(seedMessage)} />
        </ol>
      ) : (
        <Skeleton lines={2} />
      )
    }
  >
    {(data) => <Chat {...data} />}
  </Load>
));
