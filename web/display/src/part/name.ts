// Names that the server sends in English, in the language of the reader.

import type { Say } from "@widgetcast/i18n";
import { words } from "@widgetcast/i18n/display/dashboard";

const KNOWN = new Map<string, "shown" | "opened" | "searches" | "tables">(
  (["shown", "opened", "searches", "tables"] as const).map((key) => [words[key][0], key]),
);

/** Names that are not the server's own stay. */
export function nameOf(name: string, say: Say<typeof words>): string {
  const key = KNOWN.get(name);
  return key ? say(key) : name;
}
