// The commands that the page offers to copy.

import type * as api from "./api";

export type Client =
  | "claude"
  | "claude-code"
  | "cursor"
  | "vscode"
  | "windsurf"
  | "zed"
  | "codex"
  | "goose"
  | "gemini";

/** A path as one word of a command. */
export const quoted = (path: string): string =>
  /^[\w./~:\\-]+$/.test(path) ? path : `'${path.replace(/'/g, "'\\''")}'`;

/** The title of `widgetcast serve`; an app, or a server with a name, is more than its widgets. */
const SERVE_TITLE = "Widgetcast";

/**
 * The command that adds exactly this server to a client. The client starts a server of its own if
 * that has the same widgets and nothing else; otherwise it uses this one. Undefined for Claude
 * Desktop then, which only starts programs.
 */
export function command(client: Client, index: api.Index, url: string): string | undefined {
  const isServe = index.name === SERVE_TITLE && index.tools.every(({ kind }) => kind === "widget");
  const folder = index.dir === null ? "" : ` ${quoted(index.dir)}`;
  if (isServe) return `widgetcast install ${client}${folder} --write`;
  return client === "claude" ? undefined : `widgetcast install ${client} --http ${url} --write`;
}
