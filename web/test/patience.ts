/** How long a wait for something that must come may take, in milliseconds: longer than any busy machine needs. */
export const PATIENCE = 60_000;

/** Waits for something that must come. */
export async function until<T>(what: string, find: () => Promise<T>): Promise<NonNullable<T>> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const found = await find();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(`in vain: ${what}`);
}
