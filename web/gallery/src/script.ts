// Scripts of this server that only some users need.

const loaded = new Map<string, Promise<void>>();

/** Loads a script once. */
export function loadScript(address: string): Promise<void> {
  let found = loaded.get(address);
  if (!found) {
    found = new Promise<void>((done, failed) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = () => done();
      script.onerror = () => {
        script.remove();
        loaded.delete(address);
        failed(new Error(`${address} cannot be loaded`));
      };
      document.head.append(script);
    });
    loaded.set(address, found);
  }
  return found;
}
