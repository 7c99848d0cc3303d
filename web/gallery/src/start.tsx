// How to use this server from a host, for someone who sees it for the first time.

import { useState } from "preact/hooks";
import type * as api from "./api";
import { endpointOf } from "./base";
import { type Client, command, quoted } from "./command";
import { Icon } from "./icon";
import { Copy, Segments } from "./part";

// As `widgetcast install` knows them; a test of the command compares the two.
const CLIENTS: { value: Client; label: string }[] = [
  { value: "claude", label: "Claude" },
  { value: "claude-code", label: "Claude Code" },
  { value: "cursor", label: "Cursor" },
  { value: "vscode", label: "VS Code" },
  { value: "windsurf", label: "Windsurf" },
  { value: "zed", label: "Zed" },
  { value: "codex", label: "Codex" },
  { value: "goose", label: "Goose" },
  { value: "gemini", label: "Gemini" },
];

function link(client: Client, name: string, url: string): string | undefined {
  if (client === "cursor") {
    const config = encodeURIComponent(btoa(JSON.stringify({ url })));
    return `cursor://anysphere.cursor-deeplink/mcp/install?name=${encodeURIComponent(name)}&config=${config}`;
  }
  if (client === "vscode") {
    const config = JSON.stringify({ name, type: "http", url });
    return `vscode:mcp/install?${encodeURIComponent(config)}`;
  }
  return undefined;
}

export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <Copy text={text} label={label} />
    </div>
  );
}

export function Start({ index, onClose }: { index: api.Index; onClose(): void }) {
  const [client, setClient] = useState<Client>("claude");
  const url = new URL(endpointOf(location.pathname, index.endpoint), location.href).href;
  const add = link(client, index.name, url);
  const label = CLIENTS.find((one) => one.value === client)?.label ?? client;
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
      <Segments
        label="Host"
        value={client}
        options={CLIENTS}
        onChange={(next) => setClient(next)}
      />
      <Command text={command(client, index, url)} label={`Copy the command for ${label}`} />
      <footer>
        {add ? (
          <a class="button small" href={add}>
            Add to {label} <Icon name="out" size={14} />
          </a>
        ) : (
          <span>{client === "claude-code" ? "Then /mcp shows it." : `Then restart ${label}.`}</span>
        )}
        <span>
          For ChatGPT: <code>widgetcast install chatgpt</code>, or slack, teams
        </span>
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
        text={`widgetcast new card --dir ${quoted(dir ?? "widgets")}`}
        label="Copy the command for a new widget"
      />
    </section>
  );
}
