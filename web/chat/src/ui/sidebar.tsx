// The list of conversations: new, search, open, rename, delete.

import type { Choice } from "@widgetcast/theme";
import { useEffect, useRef, useState } from "preact/hooks";
import type { History } from "../history";
import { ago, say } from "../place";
import type { FoundThread } from "../protocol";
import { around } from "../snippet";
import { Icon, type IconName } from "./icon";
import { Dialog, IconButton, useStore } from "./part";

export interface SidebarProps {
  history: History;
  current: string | undefined;
  onOpen(id: string | undefined): void;
  onRename(id: string, title: string): Promise<void>;
  onRemove(id: string): Promise<void>;
  look: Choice;
  onLook(choice: Choice): void;
}

function Row(props: SidebarProps & { thread: FoundThread; onAsk(thread: FoundThread): void }) {
  const { thread, current } = props;
  const [isEdited, setEdited] = useState(false);
  const title = thread.title || say("untitled");
  const [before, found, after] = around(thread.snippet ?? "", props.history.state.query);
  const save = (event: Event) => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements[0] as HTMLInputElement;
    setEdited(false);
    if (field.value.trim()) props.onRename(thread.id, field.value.trim());
  };
  if (isEdited)
    return (
      <li class="row-item">
        <form class="rename" onSubmit={save}>
          <input
            class="entry"
            aria-label={say("title")}
            defaultValue={thread.title ?? ""}
            maxLength={200}
            dir="auto"
            ref={(field) => field?.focus()}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation();
              event.preventDefault();
              setEdited(false);
            }}
          />
          <button type="submit" class="icon-button" aria-label={say("save")} title={say("save")}>
            <Icon name="check" size={16} />
          </button>
        </form>
      </li>
    );
  return (
    <li class="row-item">
      <a
        href={`#${encodeURIComponent(thread.id)}`}
        aria-current={thread.id === current ? "page" : undefined}
        onClick={(event) => {
          event.preventDefault();
          props.onOpen(thread.id);
        }}
      >
        <span class="row-title" dir="auto">
          {title}
        </span>
        {thread.snippet ? (
          <span class="snippet" dir="auto">
            {before}
            {found && <mark>{found}</mark>}
            {after}
          </span>
        ) : (
          <time class="snippet" dateTime={thread.created_at}>
            {ago(thread.created_at)}
          </time>
        )}
      </a>
      <span class="row-tools">
        <IconButton
          icon="pen"
          size={16}
          label={say("renameOf", { title })}
          onClick={() => setEdited(true)}
        />
        <IconButton
          icon="bin"
          size={16}
          label={say("removeOf", { title })}
          onClick={() => props.onAsk(thread)}
        />
      </span>
    </li>
  );
}

function RemoveDialog(props: { title: string; onCancel(): void; onRemove(): void }) {
  return (
    <Dialog class="modal" label={say("remove")} onClose={props.onCancel}>
      <p class="modal-title" dir="auto">
        {say("removeAsk", { title: props.title })}
      </p>
      <p class="quiet">{say("removeWhy")}</p>
      <div class="row is-end">
        {/* The safe one has the focus first. */}
        <button type="button" class="button" onClick={props.onCancel}>
          {say("cancel")}
        </button>
        <button type="button" class="button is-danger" onClick={props.onRemove}>
          {say("remove")}
        </button>
      </div>
    </Dialog>
  );
}

const LOOKS: [Choice, IconName][] = [
  ["system", "screen"],
  ["light", "sun"],
  ["dark", "moon"],
];

function Looks({ look, onLook }: Pick<SidebarProps, "look" | "onLook">) {
  return (
    <fieldset class="looks" aria-label={say("look")}>
      {LOOKS.map(([choice, icon]) => (
        <IconButton
          key={choice}
          icon={icon}
          size={16}
          label={say(choice)}
          isPressed={choice === look}
          onClick={() => onLook(choice)}
        />
      ))}
    </fieldset>
  );
}

/** Asks the server a moment after the last key. */
function useSearch(history: History) {
  const [query, setQuery] = useState(history.state.query);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    const timer = setTimeout(() => history.search(query), query ? 200 : 0);
    return () => clearTimeout(timer);
  }, [history, query]);
  return [query, setQuery] as const;
}

export function Sidebar(props: SidebarProps) {
  const { history } = props;
  const { threads, found, after, isBroken, isLoading } = useStore(history);
  const [query, setQuery] = useSearch(history);
  const [asked, ask] = useState<FoundThread>();
  const rows = found ?? threads;
  return (
    <div class="side-inside">
      <button type="button" class="button is-fresh" onClick={() => props.onOpen(undefined)}>
        <Icon name="plus" size={16} />
        {say("fresh")}
      </button>
      <label class="search">
        <Icon name="search" size={16} />
        <input
          type="search"
          aria-label={say("search")}
          placeholder={say("search")}
          value={query}
          dir="auto"
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
      </label>
      <nav class="rows" aria-label={say("menu")}>
        <ul>
          {rows.map((thread) => (
            <Row key={thread.id} {...props} thread={thread} onAsk={ask} />
          ))}
        </ul>
        <p class="quiet" role="status">
          {found?.length === 0 && say("unfound", { query: history.state.query })}
          {!found && isBroken && say("unlisted")}
          {!found && !isBroken && !isLoading && threads.length === 0 && say("none")}
        </p>
        {!found && (after !== undefined || isBroken) && (
          <button type="button" class="button is-wide" onClick={history.more} disabled={isLoading}>
            {say(isBroken ? "again" : "more")}
          </button>
        )}
      </nav>
      <Looks look={props.look} onLook={props.onLook} />
      {asked && (
        <RemoveDialog
          title={asked.title || say("untitled")}
          onCancel={() => ask(undefined)}
          onRemove={() => {
            ask(undefined);
            props.onRemove(asked.id);
          }}
        />
      )}
    </div>
  );
}
