// What the page does for a press in a drawing: it calls the tool as the host would, and draws the result.

import { TOOLS_CALL } from "@widgetcast/client/wire";
import { type Dict, isDict, type Json } from "@widgetcast/schema";
import { type Answering, permitted } from "./answer";
import * as api from "./api";
import type { Host } from "./hosts";
import { requestOf } from "./mcp";
import type { Press } from "./press";
import type { Traffic } from "./traffic";

export interface Acting extends Pick<Answering, "consent" | "onAsk"> {
  host: Host;
  traffic: Traffic;
}

/** Arguments as ChatKit's endpoint makes them: a field that was left empty is absent, unless it is wanted. */
export function withoutBlanks(input: Dict, { inputSchema }: Dict): Dict {
  const required: Json[] =
    isDict(inputSchema) && Array.isArray(inputSchema.required) ? inputSchema.required : [];
  const isWanted = ([name, value]: [string, Json]) => value !== "" || required.includes(name);
  return Object.fromEntries(Object.entries(input).filter(isWanted));
}

/** Calls a tool and draws its result; the timeline has the call as the host would make it. */
async function call(tool: string, input: Dict, { host, traffic }: Acting): Promise<api.Drawing> {
  const request = requestOf(TOOLS_CALL, { name: tool, arguments: input });
  traffic.add(host.id, "host", "server", request);
  const tell = (what: Dict) =>
    traffic.add(host.id, "server", "host", { jsonrpc: "2.0", id: request.id ?? 0, ...what });
  try {
    const drawing = await api.draw(tool, input);
    tell({ result: drawing.result });
    return drawing;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell({ error: { code: -32603, message } });
    throw error;
  }
}

/** Does what a press asks for; gives the drawing that takes the place of the one that was pressed. */
export async function act(press: Press, acting: Acting): Promise<api.Drawing | undefined> {
  const { host, traffic, onAsk } = acting;
  const { name, params, meant } = press;
  const method = `${host.label}: ${name}`;
  traffic.press(host.id, name, params);
  if (meant.kind === "link") onAsk({ method, text: meant.url.slice(0, 300), link: meant.url });
  if (meant.kind === "nothing") onAsk({ method, text: meant.text });
  if (meant.kind !== "call") return undefined;
  try {
    const tool = await permitted(meant.tool, meant.input, acting);
    const isChatKit = host.surface === "chatkit";
    const input = isChatKit ? withoutBlanks(meant.input, tool) : meant.input;
    const drawing = await call(meant.tool, input, acting);
    if (!drawing.isError && drawing.tree !== null) return drawing;
    onAsk({ method: meant.tool, text: drawing.text || "Done." });
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    onAsk({ method: meant.tool, text: `${words}. ${host.label} does not update the message.` });
  }
  return undefined;
}
