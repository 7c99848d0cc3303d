// The published schemas of every message between a view, its host and the server: `ui/…` by the schema of
// MCP Apps, the rest by the schemas of MCP. A script of its own, which the page loads when it is needed.

import * as mcp from "@modelcontextprotocol/core";
import apps from "ext-apps-2/schema.json";
import { config, fromJSONSchema } from "zod";

interface Rule {
  safeParse(value: unknown): {
    error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined;
  };
}
interface Definition {
  properties?: { method?: { const?: string } };
}

// The page's policy allows no code that is made at run time.
config({ jitless: true });

/** In the published file the parts of an `allOf` are closed objects, which no value fits together. */
function opened(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((one) => opened(one, isPart));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value)
    .filter(([name, member]) => !(isPart && name === "additionalProperties" && member === false))
    .map(([name, member]) => {
      const isInside = name === "allOf" || (isPart && name === "anyOf");
      return [name, opened(member, isInside)];
    });
  return Object.fromEntries(members);
}

const definitions = opened(apps.$defs) as Record<string, Definition>;
const compiled = new Map<string, Rule>();
function definition(name: string): Rule {
  const rule = compiled.get(name) ?? fromJSONSchema(definitions[name] as never);
  compiled.set(name, rule);
  return rule;
}

const requests = new Map<string, () => Rule>();
const results = new Map<string, () => Rule>();
for (const [name, { properties }] of Object.entries(definitions)) {
  const method = properties?.method?.const;
  if (!method) continue;
  requests.set(method, () => definition(name));
  const result = name.replace(/Request$/, "Result");
  if (result !== name)
    results.set(method, () =>
      Object.hasOwn(definitions, result) ? definition(result) : mcp.EmptyResultSchema,
    );
}
const own: [method: string, request: Rule, result?: Rule][] = [
  ["tools/call", mcp.CallToolRequestSchema, mcp.CallToolResultSchema],
  ["tools/list", mcp.ListToolsRequestSchema, mcp.ListToolsResultSchema],
  ["resources/read", mcp.ReadResourceRequestSchema, mcp.ReadResourceResultSchema],
  ["resources/list", mcp.ListResourcesRequestSchema, mcp.ListResourcesResultSchema],
  [
    "resources/templates/list",
    mcp.ListResourceTemplatesRequestSchema,
    mcp.ListResourceTemplatesResultSchema,
  ],
  ["prompts/list", mcp.ListPromptsRequestSchema, mcp.ListPromptsResultSchema],
  ["ping", mcp.PingRequestSchema, mcp.EmptyResultSchema],
  ["notifications/message", mcp.LoggingMessageNotificationSchema],
  ["notifications/cancelled", mcp.CancelledNotificationSchema],
  ["notifications/progress", mcp.ProgressNotificationSchema],
];
for (const [method, request, result] of own) {
  requests.set(method, () => request);
  if (result) results.set(method, () => result);
}

/** What is wrong with a message; an answer is judged by the method that it answers. */
function check(message: Record<string, unknown>, answers: string | undefined): string | undefined {
  const { jsonrpc, method, params, result, error } = message;
  if (jsonrpc !== "2.0") return "jsonrpc is not 2.0";
  if (error !== undefined) return faults(mcp.JSONRPCErrorResponseSchema, message);
  const isCall = typeof method === "string";
  const find = isCall ? requests.get(method) : results.get(answers ?? "");
  if (!find) return isCall ? "no schema defines this method" : undefined;
  return faults(find(), isCall ? { method, ...(params === undefined ? {} : { params }) } : result);
}

function faults(rule: Rule, value: unknown): string | undefined {
  const issue = rule.safeParse(value).error?.issues[0];
  return issue && `${issue.path.map(String).join(".") || "it"}: ${issue.message}`;
}

Object.assign(globalThis, { widgetcastSchemas: { check } });
