// The list of conversations: in pages, the newest first, and what a search finds among them.

import type { FoundThread, Thread } from "./protocol";
import type { Wire } from "./wire";

export interface HistoryState {
  threads: FoundThread[];
  /** Where the next page begins; undefined after the last. */
  after?: string;
  query: string;
  /** What the search found; undefined while nothing is searched for. */
  found?: FoundThread[];
  isLoading: boolean;
  isBroken: boolean;
}

const PAGE = 30;

export function createHistory(wire: Wire) {
  let state: HistoryState = { threads: [], query: "", isLoading: false, isBroken: false };
  const listeners = new Set<() => void>();
  const set = (next: HistoryState) => {
    state = next;
    for (const listener of listeners) listener();
  };

  async function more(): Promise<void> {
    if (state.isLoading) return;
    const { after } = state;
    set({ ...state, isLoading: true });
    try {
      const page = await wire.ask("threads.list", {
        limit: PAGE,
        order: "desc",
        ...(after !== undefined && { after }),
      });
      const known = new Set(state.threads.map(({ id }) => id));
      const threads = [...state.threads, ...page.data.filter(({ id }) => !known.has(id))];
      const { after: _, ...rest } = state;
      const next = page.has_more && page.after !== undefined ? { after: page.after } : {};
      set({ ...rest, ...next, threads, isLoading: false, isBroken: false });
    } catch {
      set({ ...state, isLoading: false, isBroken: true });
    }
  }

  return {
    get state() {
      return state;
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    more,
    isKnown: (id: string) => state.threads.some((thread) => thread.id === id),
    /** Adds a thread at the top, or gives a known one its new title. */
    put({ id, title, created_at }: Thread): void {
      const row = { id, created_at, ...(title !== undefined && { title }) };
      const at = state.threads.findIndex((thread) => thread.id === id);
      const threads = at < 0 ? [row, ...state.threads] : state.threads.with(at, row);
      set({ ...state, threads });
    },
    remove(id: string): void {
      const keep = (thread: FoundThread) => thread.id !== id;
      const threads = state.threads.filter(keep);
      set({ ...state, threads, ...(state.found && { found: state.found.filter(keep) }) });
    },
    rename(id: string, title: string): void {
      const change = (thread: FoundThread) => (thread.id === id ? { ...thread, title } : thread);
      const threads = state.threads.map(change);
      set({ ...state, threads, ...(state.found && { found: state.found.map(change) }) });
    },
    async search(query: string): Promise<void> {
      const { found: _, ...rest } = state;
      if (!query.trim()) return set({ ...rest, query });
      set({ ...state, query });
      const found = await wire.search(query.trim()).catch(() => []);
      // A later search may have begun meanwhile.
      if (state.query === query) set({ ...state, found });
    },
  };
}

export type History = ReturnType<typeof createHistory>;
