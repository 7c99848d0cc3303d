// A double of `widgetcast chatkit web/chat/test/widgets`: the protocol, kept in memory, with answers that
// are always the same.
//
//   /flight_tracker   a form, or with values a card; its buttons change it, or have nothing behind them
//   slow …            an answer that takes a while, word by word
//   may I             a question to be answered by a form
//   break             an error that can be tried again
//   anything else     a workflow, and the text again in Markdown

import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const page = readFileSync(
  new URL("../../../crates/chatkit/pages/chat.html", import.meta.url),
  "utf8",
);
/** What the page may load when it is served; what may run in it, it says itself. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const MOST_BYTES = 100_000;

// biome-ignore lint/suspicious/noExplicitAny: the double takes what it gets
type Any = any;
type Emit = (event: Any) => void;

const text = { type: "string" };
const COMMANDS = [
  ["flight_tracker", "Flight Tracker", "Status and times of a flight, with its gate."],
  ["weather_current", "Current Weather", "The weather at a place, now and in the next hours."],
  ["expense_report", "Expense Report", "A list of expenses to check and to hand in."],
  ["poll", "Poll", "A question with options to choose from."],
].map(([name, title, description]) => ({ name, title, description, inputSchema: schemaOf(name) }));

/** Of two commands, one with rows. */
function schemaOf(name: string | undefined) {
  if (name === "flight_tracker")
    return {
      properties: { flight: { ...text, title: "Flight" }, note: text },
      required: ["flight"],
      type: "object",
    };
  if (name !== "expense_report") return {};
  const item = { type: "object", properties: { what: text, amount: { type: "number" } } };
  return {
    type: "object",
    properties: {
      trip: text,
      expenses: { type: "array", items: { ...item, required: ["what", "amount"] }, minItems: 1 },
    },
    required: ["trip", "expenses"],
  };
}
const SAMPLE = { trip: "Milan", expenses: [{ what: "Train", amount: 89 }] };

const form = {
  type: "Card",
  children: [
    { type: "Title", value: "Flight Tracker", size: "sm" },
    {
      type: "Form",
      direction: "col",
      onSubmitAction: { type: "flight_tracker" },
      children: [
        { type: "Label", value: "Flight", fieldName: "flight" },
        { type: "Input", name: "flight", required: true },
        { type: "Button", label: "Flight Tracker", submit: true, style: "primary" },
      ],
    },
  ],
};
const card = (flight: string, status: string) => ({
  type: "Card",
  status: { text: "Flight Tracker", icon: "maps" },
  children: [
    {
      type: "Row",
      children: [
        { type: "Title", value: flight, size: "md" },
        { type: "Spacer" },
        { type: "Badge", label: status, color: "success" },
      ],
    },
    { type: "Text", value: "Lisbon 10:25 → Oslo 15:40", size: "sm" },
    {
      type: "Row",
      children: [
        {
          type: "Button",
          label: "Refresh",
          style: "secondary",
          onClickAction: { type: "flight_tracker", payload: { flight, status: "Landed" } },
        },
        {
          type: "Button",
          label: "Follow",
          variant: "outline",
          onClickAction: { type: "follow", payload: { flight }, streaming: false },
        },
        {
          type: "Button",
          label: "Rate",
          variant: "ghost",
          onClickAction: { type: "flight.rate", payload: { stars: 5 } },
        },
        {
          type: "Button",
          label: "Seat",
          variant: "ghost",
          onClickAction: { type: "seat", handler: "client" },
        },
      ],
    },
  ],
});

export class Double {
  readonly threads = new Map<string, Any>();
  readonly attachments = new Map<string, Any>();
  /** Every request in its order, for tests to look at. */
  readonly requests: Any[] = [];
  private count = 0;
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: Error) => {
        if (!response.headersSent) response.writeHead(500).end(error.message);
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((done) => this.server.listen(0, "127.0.0.1", done));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://x");
    const json = (value: unknown, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const query = (url.searchParams.get("q") ?? "").toLowerCase();
    if (url.pathname === "/chat") {
      const headers = { "content-type": "text/html", "content-security-policy": POLICY };
      response.writeHead(200, headers).end(page);
    } else if (url.pathname === "/chatkit/commands") {
      json({ data: COMMANDS.filter(({ name = "" }) => name.includes(query)) });
    } else if (url.pathname === "/gallery/tool/expense_report") {
      json({ name: "expense_report", sample: SAMPLE });
    } else if (url.pathname === "/chatkit/search") {
      const found = [...this.threads.values()].filter((thread) =>
        JSON.stringify(thread.all).toLowerCase().includes(query),
      );
      json({ data: found.map((thread) => ({ ...this.head(thread), snippet: `…${query}…` })) });
    } else if (url.pathname.startsWith("/chatkit/attachments/")) {
      if (request.method === "PUT") return void json({});
      response.writeHead(200, { "content-type": "text/plain" }).end("file");
    } else if (url.pathname === "/chatkit" && request.method === "POST") {
      const asked = JSON.parse(body.toString());
      this.requests.push(asked);
      const answer = this.ask(asked, json);
      if (answer) await this.stream(response, answer);
    } else response.writeHead(404).end();
  }

  private async stream(response: ServerResponse, work: (emit: Emit) => Promise<void>) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    await work((event) => {
      if (response.destroyed) throw new Error("the client went away");
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }).catch(() => {});
    response.end();
  }

  private head({ all: _, ...thread }: Any) {
    return { ...thread, items: { data: [], has_more: false } };
  }

  private item(thread: Any, type: string, rest: object): Any {
    const created_at = new Date().toISOString();
    return { id: `itm_${++this.count}`, thread_id: thread.id, created_at, type, ...rest };
  }

  /** Answers a request by JSON, or returns what streams the answer. */
  private ask({ type, params }: Any, json: (value: unknown, status?: number) => unknown) {
    const thread = this.threads.get(params.thread_id);
    if (params.thread_id && !thread) return void json({ error: "There is no such thread" }, 404);
    const item = thread?.all.find(({ id }: Any) => id === params.item_id);
    switch (type) {
      case "threads.create":
        return async (emit: Emit) => {
          const id = `thr_${++this.count}`;
          const created = { id, created_at: new Date().toISOString(), status: { type: "active" } };
          const made = { ...created, metadata: {}, all: [] };
          this.threads.set(id, made);
          emit({ type: "thread.created", thread: this.head(made) });
          await this.respond(made, params.input, emit);
        };
      case "threads.add_user_message":
        return (emit: Emit) => this.respond(thread, params.input, emit);
      case "threads.retry_after_item":
        return async (emit: Emit) => {
          thread.all.length = thread.all.indexOf(item) + 1;
          await this.reply(thread, item.content[0].text.replace(/^break$/, "mended"), emit);
        };
      case "threads.custom_action":
        return async (emit: Emit) => {
          const { flight, status = "On time" } = params.action.payload;
          if (!flight)
            return emit({
              type: "error",
              code: "custom",
              message: `Unknown tool \`${params.action.type}\`.`,
            });
          item.widget = card(flight, status);
          emit({ type: "thread.item.replaced", item });
        };
      case "threads.sync_custom_action":
        item.widget = card(params.action.payload.flight, "Followed");
        return void json({ updated_item: item });
      case "threads.add_structured_input":
        return async (emit: Emit) => {
          item.status = params.input.status;
          item.inputs[0].answer = params.input.answers.ok;
          emit({ type: "thread.item.replaced", item });
          await this.speak(thread, "booked", emit);
        };
      case "threads.get_by_id":
        return void json(this.head(thread));
      case "threads.list":
      case "items.list": {
        const all = type === "items.list" ? thread.all : [...this.threads.values()].map(this.head);
        const sorted = params.order === "asc" ? [...all] : [...all].reverse();
        const from = sorted.findIndex(({ id }: Any) => id === params.after) + 1;
        const data = sorted.slice(from, from + (params.limit ?? 20));
        const has_more = from + data.length < sorted.length;
        return void json({ data, has_more, ...(has_more && { after: data.at(-1).id }) });
      }
      case "threads.update":
        thread.title = params.title;
        return void json(this.head(thread));
      case "threads.delete":
        this.threads.delete(params.thread_id);
        return void json({});
      case "attachments.create": {
        if (params.size > MOST_BYTES) return void json({}, 413);
        const id = `atc_${++this.count}`;
        const { name, mime_type } = params;
        const attachment = { type: "file", id, name, mime_type };
        this.attachments.set(id, attachment);
        const upload_descriptor = { url: `/chatkit/attachments/${id}`, method: "PUT", headers: {} };
        return void json({ ...attachment, upload_descriptor });
      }
      default:
        return void json({});
    }
  }

  private async respond(thread: Any, input: Any, emit: Emit): Promise<void> {
    const attachments = input.attachments.map((id: string) => this.attachments.get(id));
    const message = this.item(thread, "user_message", { ...input, attachments });
    thread.all.push(message);
    emit({ type: "thread.item.done", item: message });
    await this.reply(thread, input.content[0].text, emit);
  }

  private async reply(thread: Any, text: string, emit: Emit): Promise<void> {
    emit({ type: "stream_options", stream_options: { allow_cancel: true } });
    if (text === "break")
      return emit({
        type: "error",
        code: "custom",
        message: "The tool failed.",
        allow_retry: true,
      });
    if (text === "may I") {
      const options = [{ value: "Yes, this once" }, { value: "No" }];
      const input = { type: "multiple_choice", id: "ok", question: "May I book it?", options };
      const item = this.item(thread, "structured_input", { status: "pending", inputs: [input] });
      thread.all.push(item);
      emit({ type: "thread.item.done", item });
    } else if (text.startsWith("/flight_tracker")) {
      const values = text.replace("/flight_tracker", "");
      const widget = values ? card(JSON.parse(values).flight, "On time") : form;
      const item = this.item(thread, "widget", { widget });
      thread.all.push(item);
      emit({ type: "thread.item.done", item });
    } else {
      emit({ type: "progress_update", icon: "search", text: "Looking it up" });
      if (!text.startsWith("slow")) this.work(thread, emit);
      await this.speak(thread, text, emit);
    }
    if (thread.title) return;
    thread.title = text.slice(0, 40);
    emit({ type: "thread.updated", thread: this.head(thread) });
  }

  private work(thread: Any, emit: Emit): void {
    const task = { type: "custom", title: "Read the timetable", status_indicator: "complete" };
    const workflow = { type: "custom", tasks: [task], summary: { title: "Looked it up" } };
    const item = this.item(thread, "workflow", { workflow });
    thread.all.push(item);
    emit({ type: "thread.item.done", item });
  }

  private async speak(thread: Any, text: string, emit: Emit): Promise<void> {
    const isSlow = text.startsWith("slow");
    const words = isSlow
      ? Array.from({ length: 60 }, (_, at) => `word${at} `)
      : `You wrote **${text}**. Here is a list:\n\n- one\n- two\n\nThat is all.`.split(/(?<= )/);
    const part = { type: "output_text", text: "", annotations: [] as Any[] };
    const item = this.item(thread, "assistant_message", { content: [] as Any[] });
    emit({ type: "thread.item.added", item });
    // Stored with what was said until the client went away.
    item.content = [part];
    thread.all.push(item);
    for (const delta of words) {
      part.text += delta;
      const type = "assistant_message.content_part.text_delta";
      emit({
        type: "thread.item.updated",
        item_id: item.id,
        update: { type, content_index: 0, delta },
      });
      await pause(isSlow ? 40 : 2);
    }
    emit({ type: "thread.item.done", item });
  }
}

if (process.argv[1]?.endsWith("double.ts")) console.log(`${await new Double().listen()}/chat`);
