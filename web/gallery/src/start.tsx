// How to use this server from a host, for someone who sees it for the first time.

import { useState } from "preact/hooks";
import { Icon } from "./icon";
import { Copy, Segments } from "./part";

type Host = "claude" | "claude-code" | "cursor" | "vscode";
const HOSTS: { value: Host; label: string }[] = [
  { value: "claude", label: "Claude" },
  { value: "claude-code", label: "Claude Code" },
  { value: "cursor", label: "Cursor" },
  { value: "vscode", label: "VS Code" },
];

/** Claude Desktop starts programs; the others can use the server that runs here. */
const command = (host: Host, url: string): string =>
  host === "claude"
    ? "widgetcast install claude --write"
    : `widgetcast install ${host} --http ${url} --write`;

function link(host: Host, name: string, url: string): string | undefined {
  if (host === "cursor") {
    const config = encodeURIComponent(btoa(JSON.stringify({ url })));
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${config}`;
  }
  if (host === "vscode") {
    const config = JSON.stringify({ name, type: "http", url });
    return `vscode:mcp/install?${encodeURIComponent(config)}`;
  }
  return undefined;
}

export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command must scroll by keyboard */}
      <code tabIndex={0}>{text}</code>
      <Copy text={text} label={label} />
    </div>
  );
}

export function Start({ name, url, onClose }: { name: string; url: string; onClose(): void }) {
  const [host, setHost] = useState<Host>("claude");
  const add = link(host, name, url);
  const label = HOSTS.find((one) => one.value === host)?.label ?? host;
  return (
    <section class="start" aria-labelledby="start-title" id="start">
      <header>
        <h2 id="start-title">Connect a host</h2>
        <button type="button" class="button bare" onClick={onClose} aria-label="Hide quick start">
          <Icon name="cross" />
        </button>
      </header>
      <p class="name">MCP address</p>
      <Command text={url} label="Copy the MCP address" />
      <p class="name">Add it to</p>
      <Segments label="Host" value={host} options={HOSTS} onChange={(next) => setHost(next)} />
      <Command text={command(host, url)} label={`Copy the command for ${label}`} />
      <footer>
        {add ? (
          <a class="button small" href={add}>
            Add to {label} <Icon name="out" size={14} />
          </a>
        ) : (
          <span>
            {host === "claude"
              ? "Add your folder at the end, then restart Claude."
              : "Then /mcp in Claude Code shows it."}
          </span>
        )}
      </footer>
    </section>
  );
}

export function Empty({ dir }: { dir: string | null }) {
  return (
    <section class="empty" aria-labelledby="empty-title">
      <h2 id="empty-title">No widgets here yet</h2>
      <p>
        Put a <code>.widget</code> file into the folder that is served, or begin with a commented
        one. With <code>--watch</code> it appears here as soon as it is saved.
      </p>
      <Command
        text={`widgetcast new card --dir ${dir ?? "widgets"}`}
        label="Copy the command for a new widget"
      />
    </section>
  );
}
