// The drawings of samples for the grid: fetched when seen, kept until the file changes.

import * as api from "./api";
import { Queue } from "./queue";

export type Sample = api.Card | { failed: string };

const queue = new Queue(4);
const kept = new Map<string, Sample>();
/** Questions since the last change, answered or not. */
const asked = new Map<string, Promise<Sample>>();
/** Goes up with every change, so that an answer to an older question is not kept. */
let age = 0;

export const known = (name: string): Sample | undefined => kept.get(name);

export function forget(names: string[] | undefined): void {
  age++;
  asked.clear();
  if (names) for (const name of names) kept.delete(name);
  else kept.clear();
}

function fetchSample(name: string): Promise<Sample> {
  const answer =
    asked.get(name) ??
    api
      .card(name)
      .catch((error) => ({ failed: error instanceof Error ? error.message : String(error) }));
  asked.set(name, answer);
  return answer;
}

/** Asks for what will be seen first, before there are cards to see. */
export function expect(names: string[]): void {
  for (const name of names) fetchSample(name);
}

export function load(
  name: string,
  rank: () => number | undefined,
  done: (sample: Sample) => void,
): void {
  queue.add({
    rank,
    async run() {
      const before = age;
      const sample = kept.get(name) ?? (await fetchSample(name));
      if (before === age) kept.set(name, sample);
      if (rank() !== undefined) done(sample);
    },
  });
}
