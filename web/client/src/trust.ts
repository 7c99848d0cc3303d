/**
 * Takes a value of the host or the server for what the protocol and the server's schemas say it is.
 * Nothing checks it. It is the one cast of this package: a test looks for others.
 */
export function trusted<V>(value: unknown): V {
  // A declaration and no arrow function: that, bundlers leave out.
  return value as V;
}
