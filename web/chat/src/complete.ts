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

/** How many letters differ between two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 0; to < other.length; to++)
      next.push(
        Math.min(
          (next[to] ?? 0) + 1,
          (row[to + 1] ?? 0) + 1,
          (row[to] ?? 0) + (letter === other[to] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The commands whose name, or a part of it, is nearly what was typed, the nearest first. */
export function nearest(typed: string, commands: readonly Command[]): Command[] {
  const word = typed.toLowerCase();
  const allowed = Math.max(1, Math.floor(word.length / 3));
  const farOf = (name: string) => {
    const parts = name.toLowerCase().split(/[_.-]/);
    // Of a long name the beginning may have been meant.
    const starts = [-1, 0, 1].map((more) => name.toLowerCase().slice(0, word.length + more));
    return Math.min(...[name.toLowerCase(), ...parts, ...starts].map((one) => distance(word, one)));
  };
  return commands
    .map((command) => ({ command, far: farOf(command.name) }))
    .filter(({ far }) => far <= allowed)
    .sort((one, other) => one.far - other.far)
    .slice(0, 4)
    .map(({ command }) => command);
}
