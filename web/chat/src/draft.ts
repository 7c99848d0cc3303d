// What was written and not yet sent, by conversation, kept in this browser.

import type { Attachment } from "./protocol";

export interface Draft {
  text: string;
  attachments: Attachment[];
}

export const NO_DRAFT: Draft = { text: "", attachments: [] };
/** The conversation that does not exist yet. */
export const NEW = "new";
const PREFIX = "widgetcast.chat.draft.";

/** Storage may be switched off or full; then a draft lasts as long as the page. */
export function createDrafts(
  storage: Pick<Storage, "getItem" | "setItem" | "removeItem"> | undefined,
) {
  const here = new Map<string, Draft>();
  return {
    read(thread = NEW): Draft {
      const kept = here.get(thread);
      if (kept) return kept;
      try {
        const { text, attachments } = JSON.parse(storage?.getItem(PREFIX + thread) ?? "{}");
        return {
          text: typeof text === "string" ? text : "",
          attachments: Array.isArray(attachments) ? attachments : [],
        };
      } catch {
        return NO_DRAFT;
      }
    },
    write(thread = NEW, draft: Draft): void {
      here.set(thread, draft);
      try {
        if (draft.text || draft.attachments.length)
          storage?.setItem(PREFIX + thread, JSON.stringify(draft));
        else storage?.removeItem(PREFIX + thread);
      } catch {
        // The copy in the page stays.
      }
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;
