// Completion of the names of commands after a slash at the beginning of a message.

import type { Command } from "./protocol";

/** What is to be completed, or nothing: the caret must stand in the first word, which begins with `/`. */
export function queryOf(text: string, caret: number): string | undefined {
  return /^\/(\S*)$/.exec(text.slice(0, caret))?.[1];
}

/** The message with a command in place of its first word, and where the caret goes. */
export function complete(text: string, name: string): { text: string; caret: number } {
  const rest = text.replace(/^\/\S*\s?/, "");
  return { text: `/${name} ${rest}`, caret: name.length + 2 };
}

/** The next place in a list that goes round; -1 is before the first. */
export function step(at: number, by: 1 | -1, count: number): number {
  if (count === 0) return -1;
  return at < 0 ? (by > 0 ? 0 : count - 1) : (at + by + count) % count;
}

/** The command that a message begins with. */
export function commandOf(text: string, commands: readonly Command[]): Command | undefined {
  const name = /^\/(\S+)/.exec(text)?.[1];
  return commands.find((command) => command.name === name);
}
