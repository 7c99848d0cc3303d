// The ChatKit protocol as this page speaks it: requests, items, events. Types alone.

export interface Page<T> {
  data: T[];
  has_more: boolean;
  after?: string;
}

export type ThreadStatus = { type: "active" } | { type: "locked" | "closed"; reason?: string };

export interface Thread {
  id: string;
  title?: string;
  created_at: string;
  status?: ThreadStatus;
  items: Page<Item>;
}

export interface Attachment {
  type: "file" | "image";
  id: string;
  name: string;
  mime_type: string;
  preview_url?: string;
  upload_descriptor?: { url: string; method: "POST" | "PUT"; headers?: Record<string, string> };
}

export type InputContent =
  | { type: "input_text"; text: string }
  | { type: "input_tag"; id: string; text: string; data: Record<string, unknown> };

export interface Source {
  type: "url" | "file" | "entity";
  title: string;
  url?: string;
  filename?: string;
}

export interface Annotation {
  type: "annotation";
  source: Source;
  index?: number;
}

export interface OutputText {
  type: "output_text";
  text: string;
  annotations: Annotation[];
}

export type Widget = Record<string, unknown>;

export interface Task {
  type: "custom" | "web_search" | "thought" | "file" | "image";
  status_indicator?: "none" | "loading" | "complete";
  title?: string;
  icon?: string;
  content?: string;
  queries?: string[];
  sources?: Source[];
}

export interface Workflow {
  type: "custom" | "reasoning";
  tasks: Task[];
  summary?: { title: string; icon?: string } | { duration: number };
  expanded?: boolean;
}

export interface Answer {
  values?: string[];
  skipped?: boolean;
}

export interface Question {
  type: "multiple_choice" | "freeform";
  id: string;
  question: string;
  description?: string;
  options?: { value: string }[];
  multiple?: boolean;
  answer?: Answer;
}

interface Common {
  id: string;
  thread_id: string;
  created_at: string;
}

export type UserMessage = Common & {
  type: "user_message";
  content: InputContent[];
  attachments?: Attachment[];
  quoted_text?: string;
};
export type AssistantMessage = Common & { type: "assistant_message"; content: OutputText[] };
export type WidgetItem = Common & { type: "widget"; widget: Widget; copy_text?: string };
export type WorkflowItem = Common & { type: "workflow"; workflow: Workflow };
export type TaskItem = Common & { type: "task"; task: Task };
export type ImageItem = Common & { type: "generated_image"; image?: { id: string; url: string } };
export type QuestionItem = Common & {
  type: "structured_input";
  status: "pending" | "answered" | "skipped";
  inputs: Question[];
};
export type ClientToolCall = Common & {
  type: "client_tool_call";
  status: "pending" | "completed";
  call_id: string;
  name: string;
  arguments: Record<string, unknown>;
  output?: unknown;
};
/** Those that are never drawn. */
export type SilentItem = Common & {
  type: "end_of_turn" | "hidden_context_item" | "sdk_hidden_context";
};

export type Item =
  | UserMessage
  | AssistantMessage
  | WidgetItem
  | WorkflowItem
  | TaskItem
  | ImageItem
  | QuestionItem
  | ClientToolCall
  | SilentItem;

export type Update =
  | {
      type: "assistant_message.content_part.added" | "assistant_message.content_part.done";
      content_index: number;
      content: OutputText;
    }
  | { type: "assistant_message.content_part.text_delta"; content_index: number; delta: string }
  | {
      type: "assistant_message.content_part.annotation_added";
      content_index: number;
      annotation_index: number;
      annotation: Annotation;
    }
  | { type: "widget.root.updated"; widget: Widget }
  | { type: "widget.component.updated"; component_id: string; component: Widget }
  | {
      type: "widget.streaming_text.value_delta";
      component_id: string;
      delta: string;
      done: boolean;
    }
  | { type: "workflow.task.added" | "workflow.task.updated"; task_index: number; task: Task }
  | { type: "generated_image.updated"; image: { id: string; url: string }; progress?: number };

export type Level = "info" | "warning" | "danger";

export type StreamEvent =
  | { type: "thread.created" | "thread.updated"; thread: Thread }
  | { type: "thread.item.added" | "thread.item.done" | "thread.item.replaced"; item: Item }
  | { type: "thread.item.updated"; item_id: string; update: Update }
  | { type: "thread.item.removed"; item_id: string }
  | { type: "stream_options"; stream_options: { allow_cancel: boolean } }
  | { type: "progress_update"; icon?: string; text: string }
  | { type: "client_effect"; name: string; data?: Record<string, unknown> }
  | { type: "notice"; level: Level; message: string; title?: string }
  | { type: "error"; code: string; message?: string; allow_retry?: boolean };

export interface UserInput {
  content: InputContent[];
  attachments: string[];
  inference_options: { model?: string };
}

export interface SentAction {
  type: string;
  payload?: unknown;
}

interface Paged {
  limit?: number;
  order?: "asc" | "desc";
  after?: string;
}

/** The requests that are answered by a stream of events, and their parameters. */
export interface StreamRequests {
  "threads.create": { input: UserInput };
  "threads.add_user_message": { thread_id: string; input: UserInput };
  "threads.add_client_tool_output": { thread_id: string; result: unknown };
  "threads.add_structured_input": {
    thread_id: string;
    item_id: string;
    input: { status: "answered" | "skipped"; answers: Record<string, Answer> };
  };
  "threads.retry_after_item": { thread_id: string; item_id: string };
  "threads.custom_action": { thread_id: string; item_id?: string; action: SentAction };
}

/** The requests that are answered by JSON: their parameters, and the answer. */
export interface JsonRequests {
  "threads.sync_custom_action": [
    { thread_id: string; item_id?: string; action: SentAction },
    { updated_item?: Item },
  ];
  "threads.get_by_id": [{ thread_id: string }, Thread];
  "threads.list": [Paged, Page<Thread>];
  "items.list": [Paged & { thread_id: string }, Page<Item>];
  "threads.update": [{ thread_id: string; title: string }, Thread];
  "threads.delete": [{ thread_id: string }, unknown];
  "items.feedback": [
    { thread_id: string; item_ids: string[]; kind: "positive" | "negative" },
    unknown,
  ];
  "attachments.create": [{ name: string; size: number; mime_type: string }, Attachment];
  "attachments.delete": [{ attachment_id: string }, unknown];
}

/** A tool that can be called by its name after a slash. */
export interface Command {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: unknown;
}

export interface FoundThread {
  id: string;
  title?: string;
  created_at: string;
  snippet?: string;
}
