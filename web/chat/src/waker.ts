// Waiting that can be cut short: by the reader, or when the browser is online again.

export function createWaker() {
  const sleepers = new Set<() => void>();
  const wake = () => {
    for (const rise of [...sleepers]) rise();
  };
  if (typeof addEventListener === "function") addEventListener("online", wake);
  return {
    wake,
    pause: (ms: number): Promise<void> =>
      new Promise((done) => {
        const rise = () => {
          clearTimeout(timer);
          sleepers.delete(rise);
          done();
        };
        const timer = setTimeout(rise, ms);
        sleepers.add(rise);
      }),
  };
}
