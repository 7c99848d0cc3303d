/**
 * Takes a value of the host or the server for what the protocol and the server's schemas say it is.
 * Nothing checks it. It is the one cast of this package: a test looks for others.
 */
export const trusted = <V>(value: unknown): V => value as V;
