// A widget, drawn by the same view as everywhere, and what its actions do here.

import { type Action, clear, draw, url } from "@widgetcast/view";
import { useEffect, useRef } from "preact/hooks";
import { type Drawings, drawingsOf, lucideIn } from "../lucide";
import { locale, say } from "../place";
import type { WidgetItem } from "../protocol";
import type { Session } from "../session";
import { openLink } from "./part";

/** An address that an action opens, wherever it is to be handled. */
function addressOf({ type, payload }: Action): string | undefined {
  if (!/open|link|url/i.test(type) || typeof payload !== "object" || payload === null)
    return undefined;
  return url((payload as { url?: unknown }).url) || undefined;
}

interface Props {
  item: WidgetItem;
  session: Session;
  theme: string;
  /** Says something in the page's one notice line. */
  tell(notice: string): void;
}

export function WidgetView({ item, session, theme, tell }: Props) {
  const host = useRef<HTMLDivElement>(null);
  // The item as it is when a button is pressed, not as it was when the button was drawn.
  const now = useRef(item);
  now.current = item;
  const drawn = useRef<Drawings>({});
  const onAction = async (action: Action) => {
    const address = addressOf(action);
    if (address) return openLink(address);
    // Such an action is for a script of the author's page, and never goes to the server.
    if (action.handler === "client") return tell(say("elsewhere"));
    await session.act(now.current, action, action.streaming !== false);
  };
  // A new theme needs a new drawing, too.
  useEffect(() => {
    let isLate = false;
    const redraw = (icons: Drawings) => {
      if (host.current && !isLate) draw(host.current, item.widget, { locale, onAction, icons });
    };
    redraw(drawn.current);
    const missing = lucideIn(item.widget).filter((name) => !(name in drawn.current));
    if (missing.length > 0)
      drawingsOf(missing).then((found) => redraw(Object.assign(drawn.current, found)));
    return () => {
      isLate = true;
    };
  }, [item.widget, theme, session]);
  useEffect(() => {
    const { current } = host;
    return () => {
      if (current) clear(current);
    };
  }, []);
  return <div class="widget" ref={host} />;
}
