export type Trend = "up" | "down" | "flat";

/** Where a change such as `+12%`, `−3`, `▲ 4` or `0` goes; nothing if it does not say. */
export function trendOf(change: string): Trend | undefined {
  const text = change.trim();
  const size = /\d+(?:[.,]\d+)*/.exec(text)?.[0];
  if (size && !/[1-9]/.test(size)) return "flat";
  if (/^(±|→|unchanged|flat|no change)/i.test(text)) return "flat";
  if (/^\(?\s*[-−–▼↓]/.test(text)) return "down";
  if (/^\(?\s*[+▲↑]/.test(text) || /^\d/.test(text)) return "up";
  return undefined;
}
