// A request as something to paste: a command, or a program.

import { META_CLIENT_CAPABILITIES, TOOLS_CALL } from "@widgetcast/client/wire";
import { type Dict, isDict } from "@widgetcast/schema";
import { quoted } from "./command";
import { headersOf } from "./mcp";

const word = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : quoted(text));

/** The request over HTTP, as one command. */
export function asCurl(url: string, message: Dict): string {
  const params = isDict(message.params) ? message.params : {};
  const headers = Object.entries(headersOf(String(message.method), params));
  const flags = headers.map(([name, value]) => `  -H ${word(`${name}: ${value}`)} \\\n`);
  return `curl -s ${word(url)} \\\n${flags.join("")}  -d ${word(JSON.stringify(message))}`;
}

/** A call of a tool, by this project's own client; nothing if no tool can have the name. */
export function asCommand(url: string, { method, params }: Dict): string | undefined {
  if (method !== TOOLS_CALL || !isDict(params)) return undefined;
  const input = JSON.stringify(params.arguments ?? {});
  const name = String(params.name);
  if (!/^[\w./-]{1,128}$/.test(name)) return undefined;
  const options = `--server ${word(url)} --data ${word(input)}`;
  // After two dashes nothing is read as an option.
  return name.startsWith("-")
    ? `widgetcast call ${options} -- ${name}`
    : `widgetcast call ${name} ${options}`;
}

/** The request by the official client. */
export function asTypeScript(url: string, { method, params }: Dict): string {
  const { _meta, ...rest } = isDict(params) ? params : {};
  const asked = JSON.stringify(rest, null, 2);
  const call =
    method === TOOLS_CALL
      ? `client.callTool(${asked})`
      : `client.request(${JSON.stringify({ method, params: rest }, null, 2)})`;
  // What the client can show decides what it is sent.
  const can = isDict(_meta) ? _meta[META_CLIENT_CAPABILITIES] : undefined;
  const options = can === undefined ? "" : `, ${JSON.stringify({ capabilities: can })}`;
  return `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const client = new Client({ name: "example", version: "1.0.0" }${options});
await client.connect(new StreamableHTTPClientTransport(new URL(${JSON.stringify(url)})));
console.log(JSON.stringify(await ${call}, null, 2));
await client.close();
`;
}
