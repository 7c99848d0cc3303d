// Where a message is written: text, files, commands, and the two buttons to send and to stop.

import { type Dict, isDict, type Schema } from "@widgetcast/schema";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { nearest } from "../complete";
import type { Draft, Drafts } from "../draft";
import { locale, say } from "../place";
import type { Attachment, Command } from "../protocol";
import type { Session, SessionState } from "../session";
import { type Upload, uploadFault, uploadFile } from "../upload";
import { type Call, callOf, messageOf, schemaOf, titleOf } from "../values";
import type { Wire } from "../wire";
import { FileChip } from "./answer";
import { CompletionList, useCompletion } from "./completion";
import { Icon } from "./icon";
import { IconButton, Spinner } from "./part";
import { ValuesForm } from "./values";

/** What a message lacks before it can be sent: the values of its command, or a command that exists. */
type Asked =
  | { command: Command; schema: Schema; given: Dict; sample: Dict | undefined }
  | { name: string; near: Command[] };

/** The author's sample: of the schema, else the one of the gallery. */
async function sampleOf(wire: Wire, name: string, { examples }: Schema): Promise<Dict | undefined> {
  const [example] = Array.isArray(examples) ? examples : [];
  return isDict(example) ? example : wire.sample(name);
}

export interface ComposerProps {
  wire: Wire;
  drafts: Drafts;
  session: Session;
  state: SessionState;
  field: RefObject<HTMLTextAreaElement | null>;
  /** A command that was picked outside: it is put into the field, and its values are asked for. */
  picked: Command | undefined;
  tell(notice: string): void;
}

/** The draft of the conversation, kept as it is written; it is empty once the server has it. */
function useDraft({ drafts, session, state }: ComposerProps) {
  const [draft, setDraft] = useState(() => drafts.read(session.id));
  const change = (part: Partial<Draft>) => {
    setDraft((old) => {
      const next = { ...old, ...part };
      drafts.write(session.id, next);
      return next;
    });
  };
  // What was sent is no draft any more.
  useLayoutEffect(() => setDraft(drafts.read(session.id)), [session, state.isSending]);
  return [draft, change] as const;
}

const fileWords = {
  tooLarge: (name: string, size: string) => say("tooLarge", { name, size }),
  badType: (name: string) => say("badType", { name }),
  failed: (name: string) => say("notUploaded", { name }),
};
let uploadCount = 0;

function useUploads(wire: Wire, onDone: (attachment: Attachment) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const remove = (key: number) => setUploads((all) => all.filter((one) => one.key !== key));
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const upload: Upload = { key: ++uploadCount, name: file.name };
      setUploads((all) => [...all, upload]);
      uploadFile(wire, file, location.href).then(
        (attachment) => {
          remove(upload.key);
          onDone(attachment);
        },
        (error: unknown) => {
          const fault = uploadFault(error, file, locale, fileWords);
          setUploads((all) => all.map((one) => (one.key === upload.key ? { ...one, fault } : one)));
        },
      );
    }
  };
  return { uploads, add, remove };
}

function Files(props: {
  draft: Draft;
  uploads: Upload[];
  onDetach(file: Attachment): void;
  onDismiss(key: number): void;
}) {
  const { draft, uploads } = props;
  return (
    <div class="files" role="status">
      {draft.attachments.map((file) => (
        <FileChip key={file.id} file={file}>
          <IconButton
            icon="cross"
            size={14}
            label={say("detach", { name: file.name })}
            onClick={() => props.onDetach(file)}
          />
        </FileChip>
      ))}
      {uploads.map(({ key, name, fault }) => (
        <span key={key} class={fault ? "file is-bad" : "file"}>
          {fault ? <Icon name="alert" size={16} /> : <Spinner />}
          <span class="file-name" dir="auto">
            {fault ?? say("uploading", { name })}
          </span>
          {fault && (
            <IconButton
              icon="cross"
              size={14}
              label={say("detach", { name })}
              onClick={() => props.onDismiss(key)}
            />
          )}
        </span>
      ))}
    </div>
  );
}

/** Whether files are being dragged over the page; dropping them attaches them. */
function useDrop(add: (files: Iterable<File>) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setOver(event.type !== "drop" && !(event.type === "dragleave" && !event.relatedTarget));
      if (event.type === "drop") latest.current(event.dataTransfer.files);
    };
    const names = ["dragenter", "dragover", "dragleave", "drop"] as const;
    for (const name of names) addEventListener(name, over);
    return () => {
      for (const name of names) removeEventListener(name, over);
    };
  }, []);
  return isOver;
}

export function Composer(props: ComposerProps) {
  const { wire, session, state, field, picked } = props;
  const [draft, change] = useDraft(props);
  const latest = useRef(draft);
  latest.current = draft;
  const { uploads, add, remove } = useUploads(wire, (file) =>
    change({ attachments: [...latest.current.attachments, file] }),
  );
  const isOver = useDrop(add);
  const picker = useRef<HTMLInputElement>(null);
  const setText = (text: string) => change({ text });
  const completion = useCompletion(wire, field, draft.text, setText);

  const [asked, setAsked] = useState<Asked>();
  const ask = async (command: Command, given: Dict = {}) => {
    const schema = schemaOf(command, given);
    if (schema)
      setAsked({ command, schema, given, sample: await sampleOf(wire, command.name, schema) });
    return schema !== undefined;
  };
  // Once for each that is picked.
  useEffect(() => {
    if (!picked) return;
    completion.insert(picked);
    void ask(picked);
  }, [picked]);
  // What is asked for belongs to what is written.
  useEffect(() => {
    const name = callOf(draft.text)?.name;
    setAsked((old) =>
      old && name !== ("near" in old ? old.name : old.command.name) ? undefined : old,
    );
  }, [draft.text]);

  const status = state.conversation.thread?.status;
  const closed = status && status.type !== "active" ? (status.reason ?? say("closed")) : undefined;
  const isFree = state.phase === "idle" && !state.refusal && !closed;
  const isUploading = uploads.some(({ fault }) => !fault);
  const canSend = isFree && !isUploading && (draft.text.trim() || draft.attachments.length > 0);
  const give = (call: Call, command: Command | undefined) => {
    setAsked(undefined);
    const text = messageOf(call);
    session.send({ ...draft, text }, command && titleOf(command, call.values));
  };
  const isChecking = useRef(false);
  const send = async () => {
    if (!canSend || isChecking.current) return;
    // The list may still be on its way: what is sent needs no completion.
    completion.close();
    const call = callOf(draft.text);
    if (!call) return session.send(draft);
    isChecking.current = true;
    const all = await wire.commands("").catch(() => []);
    isChecking.current = false;
    const command = all.find(({ name }) => name === call.name);
    const near = command ? [] : nearest(call.name, all);
    if (near.length > 0) return setAsked({ name: call.name, near });
    if (command && (await ask(command, call.values))) return;
    session.send(draft, command && titleOf(command, call.values));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may belong to an input method, not to us.
    if (event.isComposing || completion.onKeyDown(event)) return;
    if (event.key === "Escape" && state.phase === "answering") return session.stop();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = event.clipboardData?.files;
    if (!files?.length) return;
    event.preventDefault();
    add(files);
  };
  const detach = (file: Attachment) => {
    change({ attachments: draft.attachments.filter(({ id }) => id !== file.id) });
    wire.ask("attachments.delete", { attachment_id: file.id }).catch(() => {});
  };
  if (closed) return <p class="closed">{closed}</p>;
  return (
    <>
      {asked && "command" in asked && (
        <ValuesForm
          key={asked.command.name}
          {...asked}
          onRun={(values) => give({ name: asked.command.name, values }, asked.command)}
          onClose={() => {
            setAsked(undefined);
            field.current?.focus();
          }}
        />
      )}
      <form
        class={isOver ? "composer is-over" : "composer"}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <CompletionList {...completion} />
        {asked && "near" in asked && (
          <div class="near" role="status">
            <p class="quiet">{say("unknown", { name: asked.name })}</p>
            <div class="row">
              {asked.near.map((command) => (
                <button
                  key={command.name}
                  type="button"
                  class="button"
                  onClick={() => {
                    completion.insert(command);
                    void ask(command);
                  }}
                >
                  /{command.name}
                </button>
              ))}
            </div>
          </div>
        )}
        <Files draft={draft} uploads={uploads} onDetach={detach} onDismiss={remove} />
        <div class="write">
          <IconButton
            class="is-clip"
            icon="clip"
            label={say("attach")}
            isDisabled={state.isSending}
            onClick={() => picker.current?.click()}
          />
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              add([...(event.currentTarget.files ?? [])]);
              event.currentTarget.value = "";
            }}
          />
          <textarea
            {...completion.naming}
            ref={field}
            id="message"
            // For browsers that cannot size it by its contents.
            rows={Math.min(8, draft.text.split("\n").length)}
            dir="auto"
            enterkeyhint="send"
            aria-label={say("field")}
            placeholder={isOver ? say("drop") : say("hint")}
            value={draft.text}
            readOnly={state.isSending}
            onInput={(event) => {
              setText(event.currentTarget.value);
              completion.onInput();
            }}
            onKeyDown={onKeyDown}
            onBlur={completion.close}
            onPaste={onPaste}
          />
          {state.phase === "answering" && state.conversation.canCancel && !state.isSending ? (
            <IconButton
              class="is-send"
              icon="stop"
              label={say("stop")}
              keys="Escape"
              onClick={session.stop}
            />
          ) : (
            <button
              type="submit"
              class="icon-button is-send"
              aria-label={say("send")}
              title={say("send")}
              disabled={!canSend}
            >
              {state.isSending ? <Spinner /> : <Icon name="up" />}
            </button>
          )}
        </div>
      </form>
    </>
  );
}
