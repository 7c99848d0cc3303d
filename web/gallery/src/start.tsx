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

type Remote = "chatgpt" | "slack" | "teams";
const REMOTE: { value: Remote; label: string }[] = [
  { value: "chatgpt", label: "ChatGPT" },
  { value: "slack", label: "Slack" },
  { value: "teams", label: "Teams" },
];
/** The last step in short; `widgetcast install` says it in full. */
const LAST_STEP: Record<Remote, string> = {
  chatgpt:
    "Under Settings → Apps & Connectors, enable developer mode and create a connector for https://HOST/mcp.",
  slack: "At api.slack.com/apps, add https://HOST/mcp under Features → MCP Servers.",
  teams: "Have your bot call the tool with ?surface=adaptive-card and post the returned card.",
};

/** The way into hosts that call servers over the internet. */
function Steps({ index, url }: { index: api.Index; url: string }) {
  const [remote, setRemote] = useState<Remote>("chatgpt");
  const { port } = new URL(url);
  const folder = index.dir === null ? "" : ` ${quoted(index.dir)}`;
  return (
    <details class="remote">
      <summary>ChatGPT, Slack and Teams connect over the internet</summary>
      <Segments
        label="Remote host"
        value={remote}
        options={REMOTE}
        onChange={(next) => setRemote(next)}
      />
      <ol>
        {remote !== "teams" && (
          <>
            <li>
              Get a public URL:{" "}
              <code>cloudflared tunnel --url http://127.0.0.1:{port || "8000"}</code>
            </li>
            <li>
              Allow its host name: <code>widgetcast serve{folder} --watch --allow-host HOST</code>
            </li>
          </>
        )}
        <li>{LAST_STEP[remote]}</li>
      </ol>
      <Command
        text={`widgetcast install ${remote}`}
        label={`Copy the command that prints all steps for ${remote}`}
      />
    </details>
  );
}

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
  const adding = command(client, index, url);
  const label = CLIENTS.find((one) => one.value === client)?.label ?? client;
  return (
    <section class="start" aria-labelledby="start-title" id="start">
      <header>
        <h2 id="start-title">Connect a host</h2>
        <button type="button" class="button bare" onClick={onClose} aria-label="Hide quick start">
          <Icon name="cross" />
        </button>
      </header>
      <p class="name">MCP URL</p>
      <Command text={url} label="Copy the MCP URL" />
      <div class="name pick">
        <label for="client">Add it to</label>
        <select
          id="client"
          value={client}
          onChange={(event) => setClient(event.currentTarget.value as Client)}
        >
          {CLIENTS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {adding ? (
        <Command text={adding} label={`Copy the command for ${label}`} />
      ) : (
        <p>
          Claude starts servers itself: under Settings → Developer → Edit Config, add the command
          that starts this server over stdio.
        </p>
      )}
      <footer>
        {add ? (
          <a class="button small" href={add}>
            Add to {label} <Icon name="out" size={14} />
          </a>
        ) : (
          <span>{client === "claude-code" ? "Then /mcp shows it." : `Then restart ${label}.`}</span>
        )}
      </footer>
      <Steps index={index} url={url} />
    </section>
  );
}

export function Empty({ dir }: { dir: string | null }) {
  return (
    <section class="empty" aria-labelledby="empty-title">
      <h2 id="empty-title">No widgets here yet</h2>
      <p>
        Put a <code>.widget</code> file into the served directory, or start from a commented
        example. With <code>--watch</code>, it appears here when you save it.
      </p>
      <Command
        text={`widgetcast new card --dir ${quoted(dir ?? "widgets")}`}
        label="Copy the command for a new widget"
      />
    </section>
  );
}
