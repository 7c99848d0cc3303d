// Where the page is: its language, and the words in it.

import { agoText, directionOf, safeLocale, speaker, timeOf } from "@widgetcast/i18n";
import { words } from "@widgetcast/i18n/chat";

/** Beside the page, wherever that is served. */
export const endpoint = `${location.pathname.replace(/\/chat\/?$/, "")}/chatkit`;
export const locale = safeLocale(navigator.language);
export const say = speaker(words, locale);

export function markDocument(): void {
  document.documentElement.lang = locale;
  document.documentElement.dir = directionOf(locale);
}

export const ago = (stamp: string): string => agoText(stamp.replace(/(\.\d{3})\d+/, "$1"), locale);

const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });

export function timeText(stamp: string): string {
  const time = timeOf(stamp);
  return time === undefined ? "" : clock.format(time);
}
