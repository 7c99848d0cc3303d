// Where this page is: at the root of a server, or wherever a router of one's own has put it.

/** The path of an app whose page is at this path: empty at the root. */
export const baseOf = (pathname: string): string => pathname.replace(/\/+$/, "");

/** The path under which the app answers. */
export const base = (): string => baseOf(location.pathname);

/** Where MCP is: an app that is nested answers it at its own path. */
export const endpointOf = (pathname: string, atRoot: string): string => baseOf(pathname) || atRoot;
