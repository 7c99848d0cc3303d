// Every message between host and view against the published schemas: `ui/*` by ext-apps' own
// schema.json, the rest by the schemas of MCP.

import { createRequire } from "node:module";
import * as mcp from "@modelcontextprotocol/core";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Entry } from "../playwright/src/host-page";

type Rule = (value: unknown) => string | undefined;
interface Definition {
  properties?: { method?: { const?: string } };
}

const schema = createRequire(import.meta.url)("ext-apps-2/schema.json") as {
  $defs: Record<string, Definition>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

const compiled = new Map<string, ValidateFunction>();
const apps = (name: string): Rule => {
  // Compiled apart: a definition refers to its own `$defs`, as if it were a document.
  const rule = compiled.get(name) ?? ajv.compile(schema.$defs[name] as Definition);
  compiled.set(name, rule);
  return (value) => (rule(value) ? undefined : ajv.errorsText(rule.errors));
};
const zod =
  (rule: { safeParse(value: unknown): { error?: { message: string } | undefined } }): Rule =>
  (value) =>
    rule.safeParse(value).error?.message;

const requests = new Map<string, Rule>();
const results = new Map<string, Rule>();
for (const [name, { properties }] of Object.entries(schema.$defs)) {
  const method = properties?.method?.const;
  if (!method) continue;
  requests.set(method, apps(name));
  const result = name.replace(/Request$/, "Result");
  if (result !== name)
    results.set(method, result in schema.$defs ? apps(result) : zod(mcp.EmptyResultSchema));
}
requests.set("tools/call", zod(mcp.CallToolRequestSchema));
results.set("tools/call", zod(mcp.CallToolResultSchema));
requests.set("resources/read", zod(mcp.ReadResourceRequestSchema));
results.set("resources/read", zod(mcp.ReadResourceResultSchema));
requests.set("ping", zod(mcp.PingRequestSchema));
results.set("ping", zod(mcp.EmptyResultSchema));
requests.set("notifications/message", zod(mcp.LoggingMessageNotificationSchema));

/** The faults of a log; an answer is judged by the request that it answers. */
export function check(log: Entry[]): string[] {
  const faults: string[] = [];
  const open = new Map<string, string>();
  for (const { from, message } of log) {
    const { jsonrpc, id, method, params, result, error } = message;
    const fault = (words: string) => {
      faults.push(`${from} ${method ?? `answer ${id}`}: ${words}`);
    };
    if (jsonrpc !== "2.0") fault("not JSON-RPC 2.0");
    if (typeof method === "string") {
      const rule = requests.get(method);
      const wrong = rule
        ? rule(params === undefined ? { method } : { method, params })
        : "unknown method";
      if (wrong) fault(wrong);
      const request = results.has(method);
      if (request !== (id !== undefined))
        fault(request ? "a request without id" : "an id on a notification");
      if (request) {
        if (open.has(`${from} ${id}`)) fault(`id ${id} is used twice`);
        open.set(`${from} ${id}`, method);
      }
      continue;
    }
    const key = `${from === "view" ? "host" : "view"} ${id}`;
    const asked = open.get(key);
    if (!asked) fault("answers nothing that was asked");
    else if (error === undefined) {
      const wrong = results.get(asked)?.(result);
      if (wrong) fault(`to ${asked}: ${wrong}`);
    }
    open.delete(key);
  }
  return faults;
}
