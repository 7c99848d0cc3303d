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

/**
 * The command that adds this server to a client. The client starts a server of its own with the same
 * folder, if that is all there is here; otherwise it uses this one, which Claude Desktop cannot.
 */
export function command(client: Client, index: api.Index, url: string): string {
  const isFolder = index.dir !== null && index.tools.every((tool) => tool.kind === "widget");
  const folder = index.dir === null ? "" : ` ${quoted(index.dir)}`;
  return isFolder || client === "claude"
    ? `widgetcast install ${client}${folder} --write`
    : `widgetcast install ${client} --http ${url} --write`;
}
