// What a server says about itself: its tools, and what each of its pages may load. It is asked over
// HTTP if it runs, else it is started and asked over standard input and output.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Tool } from "./types.js";

export interface Server {
  /** The URL of the running server, such as `http://127.0.0.1:8000/mcp`. */
  url?: string;
  /** The server's name. A server with another name at `url` is ignored. */
  name?: string;
  /** Headers to send to it, such as `authorization`. */
  headers?: Record<string, string>;
  /** A command that serves over stdio, used if no server is running at `url`. */
  command?: string;
  /** The directory to run it in, relative to the root of the Vite project. */
  cwd?: string;
}

/** The origins that a page may load from, as in `_meta.ui.csp` of a resource. */
export interface Csp {
  connectDomains?: string[];
  resourceDomains?: string[];
  frameDomains?: string[];
}

export interface Description {
  tools: Tool[];
  /** By the name of the page. */
  csp: Map<string, Csp>;
}

type Members = Record<string, unknown>;

interface Connection {
  send(message: Members): Promise<Members | undefined>;
  close(): void;
}

const REVISION = "2025-11-25";
/** How long a started server may take to answer: it may have to be compiled first. */
const COMMAND_TIMEOUT = 600_000;
const URL_TIMEOUT = 10_000;
/** How many pages of a list are followed. */
const MAX_PAGES = 1000;

/** Asks the server at the address, else the one that the command starts. */
export async function describe(server: Server, root: string): Promise<Description> {
  const { url, command } = server;
  const there = url === undefined ? undefined : await describeRunning(server);
  if (there) return there;
  if (command === undefined)
    throw new Error(url ? `no server is running at ${url}` : "no server is configured");
  return ask(overStdio(command, server.cwd ? `${root}/${server.cwd}` : root));
}

/** Asks the server at the address, if it runs. */
export async function describeRunning(server: Server): Promise<Description | undefined> {
  try {
    return await ask(overHttp(server.url ?? "", server.headers ?? {}), server.name);
  } catch (error) {
    // Nothing listens there, or another server.
    if (error instanceof TypeError || error instanceof OtherServer) return undefined;
    throw error;
  }
}

class OtherServer extends Error {}

async function ask(connection: Connection, name?: string): Promise<Description> {
  let last = 0;
  const request = async (method: string, params: Members): Promise<Members> => {
    last += 1;
    const answer = await connection.send({ jsonrpc: "2.0", id: last, method, params });
    const error = answer?.error as { message?: string } | undefined;
    if (error) throw new Error(`the server rejected ${method}: ${error.message}`);
    return (answer?.result ?? {}) as Members;
  };
  const all = async (method: string, name: string): Promise<Members[]> => {
    const found: Members[] = [];
    let params: Members = {};
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { [name]: items, nextCursor } = await request(method, params);
      if (Array.isArray(items)) found.push(...items);
      if (typeof nextCursor !== "string") break;
      params = { cursor: nextCursor };
    }
    return found;
  };
  try {
    const clientInfo = { name: "widgetcast-vite", version: "1" };
    // Some servers list what only views may call to no one else.
    const ui = { mimeTypes: ["text/html;profile=mcp-app"] };
    const capabilities = { extensions: { "io.modelcontextprotocol/ui": ui } };
    const hello = { protocolVersion: REVISION, capabilities, clientInfo };
    const { serverInfo } = await request("initialize", hello);
    if (name !== undefined && (serverInfo as { name?: unknown }).name !== name)
      throw new OtherServer();
    await connection.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    const listed = (await all("tools/list", "tools")) as unknown as Tool[];
    // Views keep their state by it, and no code calls it.
    const tools = listed.filter(({ name }) => name !== "widgetcast_state");
    const csp = new Map<string, Csp>();
    for (const { uri } of await all("resources/list", "resources")) {
      const page = pageName(String(uri));
      if (page === undefined) continue;
      const { contents } = await request("resources/read", { uri });
      const [first] = contents as { _meta?: { ui?: { csp?: Csp } } }[];
      csp.set(page, first?._meta?.ui?.csp ?? {});
    }
    return { tools, csp };
  } finally {
    connection.close();
  }
}

/** The name of a page in its address, which ends with a hash. */
function pageName(uri: string): string | undefined {
  return /^ui:\/\/.*\/([\w-]+)-[0-9a-f]{12}\.html$/.exec(uri)?.[1];
}

function overHttp(url: string, headers: Record<string, string>): Connection {
  let session: string | undefined;
  return {
    async send(message) {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": REVISION,
          ...(session && { "mcp-session-id": session }),
        },
        body: JSON.stringify(message),
        signal: AbortSignal.timeout(URL_TIMEOUT),
      });
      session ??= response.headers.get("mcp-session-id") ?? undefined;
      const text = await response.text();
      if (!response.ok) throw new Error(`${url} returned ${response.status}: ${text.trim()}`);
      if (message.id === undefined) return undefined;
      return messages(text).find(({ id }) => id === message.id);
    },
    close() {},
  };
}

/** The messages of an answer: JSON, or a stream of events. */
function messages(text: string): Members[] {
  if (text.trimStart().startsWith("{")) return [JSON.parse(text)];
  const events = text.split(/\r?\n\r?\n/).map((event) =>
    event
      .split(/\r?\n/)
      .filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5))
      .join("\n"),
  );
  return events.filter((data) => data.trim()).map((data) => JSON.parse(data));
}

function overStdio(command: string, cwd: string): Connection {
  const child = spawn(command, { cwd, shell: true, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map<unknown, (answer: Members | Error) => void>();
  let said = "";
  let ended: Error | undefined;
  const end = (reason: string) => {
    ended ??= new Error(`\`${command}\` ${reason}${said && `:\n${said.trim()}`}`);
    for (const answer of waiting.values()) answer(ended);
    waiting.clear();
  };
  child.stderr.on("data", (bytes) => {
    said = (said + bytes).slice(-4000);
  });
  child.on("error", (error) => end(`could not be started: ${error.message}`));
  child.on("close", () => end("exited without responding"));
  // What is written to a process that has ended is no error of its own.
  child.stdin.on("error", () => {});
  const timer = setTimeout(() => end("did not respond"), COMMAND_TIMEOUT);
  createInterface({ input: child.stdout }).on("line", (line) => {
    try {
      const message = JSON.parse(line) as Members;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    } catch {
      // A line that is not a message is for users.
    }
  });
  return {
    send(message) {
      if (ended) return Promise.reject(ended);
      child.stdin.write(`${JSON.stringify(message)}\n`);
      if (message.id === undefined) return Promise.resolve(undefined);
      return new Promise((resolve, reject) => {
        waiting.set(message.id, (answer) =>
          answer instanceof Error ? reject(answer) : resolve(answer),
        );
      });
    },
    close() {
      clearTimeout(timer);
      // A server ends with its input; one that does not is stopped.
      child.stdin.end();
      const kill = setTimeout(() => child.kill(), 2000);
      child.on("close", () => clearTimeout(kill));
    },
  };
}
