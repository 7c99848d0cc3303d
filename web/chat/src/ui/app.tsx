// The whole page: the list of conversations, the one that is open, and the field to write in.

import { useTheme } from "@widgetcast/theme";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createDrafts, NO_DRAFT } from "../draft";
import { createHistory } from "../history";
import { endpoint, say } from "../place";
import type { Command, Item } from "../protocol";
import { createSession, type Session, type SessionState } from "../session";
import { createWaker } from "../waker";
import { createWire } from "../wire";
import { Composer } from "./composer";
import { ConversationView } from "./conversation";
import { Icon } from "./icon";
import { Dialog, IconButton, useStore } from "./part";
import { Sidebar, type SidebarProps } from "./sidebar";
import { Welcome } from "./welcome";

function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

const wire = createWire(endpoint);
const drafts = createDrafts(storage());
const history = createHistory(wire);
const waker = createWaker();
/** Those that are open or at work: an answer goes on while another conversation is read. */
const sessions = new Map<string, Session>();

function idInAddress(): string | undefined {
  try {
    return decodeURIComponent(location.hash.slice(1)) || undefined;
  } catch {
    // Somebody's own percent sign.
    return undefined;
  }
}

function sessionOf(id: string | undefined): Session {
  const known = id && sessions.get(id);
  if (known) {
    // It may have been changed in another window.
    known.open();
    return known;
  }
  const session: Session = createSession(
    {
      wire,
      drafts,
      onThread(thread) {
        sessions.set(thread.id, session);
        history.put(thread);
      },
      isKnown: history.isKnown,
      pause: waker.pause,
    },
    id,
  );
  if (id) sessions.set(id, session);
  session.open();
  return session;
}

/** The open conversation, which the address names. */
function useSession() {
  const [session, setSession] = useState(() => sessionOf(idInAddress()));
  const { id } = session;
  const isNew = id === undefined;
  // A new conversation gets its address with its first message.
  useEffect(
    () =>
      session.subscribe(() => {
        if (isNew && session.id)
          window.history.replaceState(null, "", `#${encodeURIComponent(session.id)}`);
      }),
    [session, isNew],
  );
  const open = useCallback((next: string | undefined) => {
    const hash = next ? `#${encodeURIComponent(next)}` : location.pathname + location.search;
    window.history.pushState(null, "", hash);
    setSession(sessionOf(next));
  }, []);
  useEffect(() => {
    const back = () => setSession(sessionOf(idInAddress()));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  return [session, open] as const;
}

/** Whether there is room for the list beside the conversation. */
function useWide(): boolean {
  const query = useMemo(() => matchMedia("(min-width: 54rem)"), []);
  const [isWide, setWide] = useState(query.matches);
  useEffect(() => {
    const follow = () => setWide(query.matches);
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, [query]);
  return isWide;
}

/** One line that says something for a while. */
function useToast() {
  const [toast, setToast] = useState({ text: "" });
  useEffect(() => {
    if (!toast.text) return;
    const timer = setTimeout(setToast, 5000, { text: "" });
    return () => clearTimeout(timer);
  }, [toast]);
  return [toast.text, useCallback((text: string) => setToast({ text }), [])] as const;
}

const refusalWords = ({ status, message }: { status: number; message: string }) =>
  status === 404
    ? say("missing")
    : status === 401 || status === 403
      ? say("refused")
      : message || say("fault");

function Refusal({ state, onFresh }: { state: SessionState; onFresh(): void }) {
  return (
    <div class="scroll">
      <div class="column welcome">
        <p class="greeting">{state.refusal && refusalWords(state.refusal)}</p>
        <button type="button" class="button is-primary" onClick={onFresh}>
          {say("fresh")}
        </button>
      </div>
    </div>
  );
}

export function App() {
  const [session, openSession] = useSession();
  const state = useStore(session);
  const { choice, theme, choose } = useTheme();
  const isWide = useWide();
  const [isDrawer, setDrawer] = useState(false);
  const [picked, pick] = useState<Command>();
  const [toast, tell] = useToast();
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    history.more();
  }, []);
  const title = state.conversation.thread?.title;
  useEffect(() => {
    document.title = title ? `${title} · ${say("app")}` : say("app");
  }, [title]);
  // On a phone the focus would open the keyboard over what is to be read.
  useEffect(() => {
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
  }, [session]);

  const open = (id: string | undefined) => {
    setDrawer(false);
    pick(undefined);
    // One that has not begun is new enough, and its message may be on its way.
    if (id || session.id) openSession(id);
    else field.current?.focus();
  };
  const fail = (error: Error) => tell(error.message || say("fault"));
  const rename = async (id: string, next: string) => {
    await wire
      .ask("threads.update", { thread_id: id, title: next })
      .then(() => {
        history.rename(id, next);
        sessions.get(id)?.rename(next);
      })
      .catch(fail);
  };
  const remove = async (id: string) => {
    try {
      await wire.ask("threads.delete", { thread_id: id });
    } catch (error) {
      return fail(error as Error);
    }
    sessions.get(id)?.stop();
    sessions.delete(id);
    history.remove(id);
    drafts.write(id, NO_DRAFT);
    if (id === session.id) open(undefined);
  };
  const feedback = (items: Item[], kind: "positive" | "negative") => {
    const thread_id = session.id;
    if (!thread_id) return;
    const item_ids = items.map(({ id }) => id);
    wire
      .ask("items.feedback", { thread_id, item_ids, kind })
      .then(() => tell(say("thanks")))
      .catch(fail);
  };

  const side: SidebarProps = {
    history,
    current: session.id,
    onOpen: open,
    onRename: rename,
    onRemove: remove,
    look: choice,
    onLook: choose,
  };
  const isEmpty = state.phase !== "loading" && state.conversation.items.length === 0;
  return (
    <div class="wc app">
      <button type="button" class="skip" onClick={() => field.current?.focus()}>
        {say("skip")}
      </button>
      {isWide && (
        <aside class="side" aria-label={say("menu")}>
          <Sidebar {...side} />
        </aside>
      )}
      <main class="main">
        <header class="top">
          {!isWide && (
            <IconButton icon="menu" label={say("menu")} onClick={() => setDrawer(true)} />
          )}
          <h1 dir="auto">{title ?? (session.id ? say("untitled") : say("fresh"))}</h1>
          {!isWide && (
            <IconButton icon="plus" label={say("fresh")} onClick={() => open(undefined)} />
          )}
        </header>
        {state.refusal ? (
          <Refusal state={state} onFresh={() => open(undefined)} />
        ) : isEmpty &&
          !session.id &&
          state.phase === "idle" &&
          !state.note &&
          !state.conversation.fault ? (
          <Welcome wire={wire} onPick={pick} />
        ) : (
          <ConversationView
            key={session.key}
            session={session}
            state={state}
            theme={theme}
            tell={tell}
            onFeedback={feedback}
            onNow={waker.wake}
          />
        )}
        <div class="toast" role="status">
          {toast && (
            <p>
              <Icon name="info" size={16} />
              {toast}
            </p>
          )}
        </div>
        <Composer
          key={session.key}
          wire={wire}
          drafts={drafts}
          session={session}
          state={state}
          field={field}
          picked={picked}
          tell={tell}
        />
      </main>
      {!isWide && isDrawer && (
        <Dialog class="drawer" label={say("menu")} onClose={() => setDrawer(false)}>
          <IconButton icon="cross" label={say("close")} onClick={() => setDrawer(false)} />
          <Sidebar {...side} />
        </Dialog>
      )}
    </div>
  );
}
