// What the drawings of Slack share: JSON of any shape, read without trust, and elements with text.

export type Json = Record<string, unknown>;

export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const object = (value: unknown): Json =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? Object(value) : {};
export const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(object) : []);

export function element(tag: string, name: string, words?: string): HTMLElement {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (words !== undefined) made.textContent = coloured(words);
  return made;
}

/** Slack draws every emoji in colour; fonts draw some as outlines unless they are told. */
export function coloured(words: string): string {
  return words.replace(/\p{Emoji_Presentation}(?!\uFE0F)/gu, "$&\uFE0F");
}
