// The drawings of samples for the grid: fetched when seen, kept until the file changes.

import * as api from "./api";
import { Queue } from "./queue";

export type Sample = api.Card | { failed: string };

const queue = new Queue(4);
const kept = new Map<string, Sample>();
/** Goes up with every change, so that an answer to an older question is not kept. */
let age = 0;

export const known = (name: string): Sample | undefined => kept.get(name);

export function forget(names: string[] | undefined): void {
  age++;
  if (names) for (const name of names) kept.delete(name);
  else kept.clear();
}

async function fetchSample(name: string): Promise<Sample> {
  try {
    return await api.card(name);
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}

export function load(
  name: string,
  rank: () => number | undefined,
  done: (sample: Sample) => void,
): void {
  queue.add({
    rank,
    async run() {
      const asked = age;
      const sample = kept.get(name) ?? (await fetchSample(name));
      if (asked === age) kept.set(name, sample);
      if (rank() !== undefined) done(sample);
    },
  });
}
