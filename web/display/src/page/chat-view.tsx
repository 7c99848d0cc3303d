/** @jsxImportSource react */
// A question that begins a conversation: the one that was given, else one to pick. It does not look
// like a chat: the host has one, with a composer, and what is sent here is answered there.

import { words } from "@widgetcast/i18n/display/chat";
import { RadioGroup } from "@widgetcast/react/ui";
import { useState } from "react";
import { mount, usePlace, useWords } from "../part/app";
import { Button, Header, Skeleton } from "../part/control";
import { useAsk, useCopy } from "../part/host";
import { Icon } from "../part/icon";
import { type Fields, textOf, texts } from "../part/list";
import { Load } from "../part/load";
import { useKept } from "../part/state";

const FIRST = ["start1", "start2", "start3"] as const;

interface Data {
  seed: string;
}
const read = ({ seedMessage }: Fields): Data | undefined =>
  seedMessage === undefined || typeof seedMessage === "string"
    ? { seed: seedMessage?.trim() ?? "" }
    : undefined;

function Seed({ text }: { text: string }) {
  return (
    <p className="seed" dir="auto">
      {text}
    </p>
  );
}

function Chat({ seed }: Data) {
  const say = useWords(words);
  const ask = useAsk();
  const copy = useCopy();
  const { isReady, mode } = usePlace();
  const [kept, keep] = useKept();
  const sent = texts(kept.sent);
  const firsts = FIRST.map((key) => say(key));
  const [picked, pick] = useState<string>();
  const [fate, setFate] = useState<"sending" | "failed">();
  const question = seed || sent.at(-1) || picked || (firsts[0] as string);
  const isSent = sent.includes(question);

  const send = async () => {
    if (!ask) return void (await copy(question, { name: "message.txt", type: "text/plain" }));
    setFate("sending");
    const isTaken = await ask(question);
    setFate(isTaken ? undefined : "failed");
    if (isTaken) keep({ sent: [...sent, question].slice(-5) });
  };

  const isCopy = isReady && !ask;
  return (
    <div className="start">
      {mode !== "pip" && (
        <Header title={say("title")} note={seed || isSent ? undefined : say("pick")} />
      )}
      {seed || isSent ? (
        <Seed text={question} />
      ) : (
        <RadioGroup
          direction="col"
          aria-label={say("pick")}
          options={firsts.map((value) => ({ value, label: value }))}
          value={question}
          onChange={(value) => pick(value)}
        />
      )}
      {isCopy && <p className="note">{say("cannot")}</p>}
      {isSent ? (
        <p className="note fate">
          <Icon name="check" />
          {say("there")}
        </p>
      ) : (
        <div className="row">
          <Button
            kind="primary"
            icon={isCopy ? "copy" : "chat"}
            isDisabled={fate === "sending"}
            onClick={send}
          >
            {say(isCopy ? "copy" : fate === "sending" ? "sending" : fate ? "again" : "go")}
          </Button>
        </div>
      )}
    </div>
  );
}

mount(
  () => (
    <Load
      read={read}
      takes="{ seedMessage?: string }"
      wait={({ seedMessage }) =>
        textOf(seedMessage) ? <Seed text={String(seedMessage)} /> : <Skeleton lines={2} />
      }
    >
      {(data) => <Chat {...data} />}
    </Load>
  ),
  // Full screen it would say no more than in a card.
  ["inline", "pip"],
);
