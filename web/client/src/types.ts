// The names of the protocol and of the public interface. Types only: nothing here reaches a bundle.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Augmented by the output of `widgetcast types`: `{ ferry: { input: {…}; output: {…} } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be augmented
export interface ToolRegistry {}

/** Any name, until the registry has one. */
export type ToolName<T> = [keyof T] extends [never] ? string : keyof T & string;

// The compiler names these in its messages, and so the tool: `InputOf<"ferry", { to: string }>`.
export type InputOf<_Tool, V> = { [P in keyof V]: V[P] };
export type OutputOf<_Tool, V> = { [P in keyof V]: V[P] };

/** The input and output of a tool without a schema. */
type Anything = Record<string, unknown>;

export type ToolInput<T, K> = K extends keyof T
  ? T[K] extends { input: infer I }
    ? unknown extends I
      ? Anything
      : InputOf<K, I>
    : Anything
  : Anything;
export type ToolOutput<T, K> = K extends keyof T
  ? T[K] extends { output: infer O }
    ? unknown extends O
      ? Anything | undefined
      : OutputOf<K, O>
    : Anything | undefined
  : Anything | undefined;

/** The arguments may be omitted if a tool requires none. */
export type ToolArguments<T, K> =
  Record<string, never> extends ToolInput<T, K>
    ? [args?: ToolInput<T, K>, options?: CallOptions]
    : [args: ToolInput<T, K>, options?: CallOptions];

export interface Progress {
  /** The progress so far; it increases with each message. */
  progress: number;
  /** The total, if known. */
  total?: number;
  message?: string;
}

export interface CallOptions {
  /**
   * Cancels the call. If the host cannot cancel (`can("cancel")`), the promise still rejects,
   * but the tool runs to completion.
   */
  signal?: AbortSignal | undefined;
  /** Called if the host forwards progress (`can("progress")`); progress also resets the timeout. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** The call that opened the page. */
export type ToolState<T = ToolRegistry, K = ToolName<T>> =
  /** The input is partial while the model streams it, in hosts that forward it. */
  | { status: "waiting"; input?: Partial<ToolInput<T, K>> | undefined }
  | {
      status: "done";
      /** Undefined in hosts that do not forward it. */
      input: ToolInput<T, K> | undefined;
      output: ToolOutput<T, K>;
      /** The `_meta` of the result, which the model does not see. */
      meta: Record<string, unknown>;
      result: CallToolResult;
    }
  | { status: "failed"; error: Error; result: CallToolResult }
  | { status: "cancelled"; reason: string | undefined };

export interface ResourceContent {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  _meta?: Record<string, unknown>;
}

export type ContentBlock =
  | { type: "text"; text: string; [key: string]: unknown }
  | { type: "image" | "audio"; data: string; mimeType: string; [key: string]: unknown }
  | { type: "resource"; resource: ResourceContent; [key: string]: unknown }
  | { type: "resource_link"; uri: string; name: string; [key: string]: unknown };

export interface CallToolResult {
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
  _meta?: Record<string, unknown>;
}

/** The result of a tool in the registry. */
export interface ToolResult<T, K> extends Omit<CallToolResult, "structuredContent"> {
  structuredContent?: NonNullable<ToolOutput<T, K>>;
}

/** A tool as listed by its server: the members that a view needs. */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: Record<string, unknown>;
  annotations?: { readOnlyHint?: boolean; [key: string]: unknown };
  [key: string]: unknown;
}

export interface ToolInfo {
  id?: string | number;
  tool: Tool;
}

export type Theme = "light" | "dark";
export type DisplayMode = "inline" | "fullscreen" | "pip";
export type LogLevel = "debug" | "info" | "warning" | "error";

export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** What a host announces about itself; required fields always have a value. */
export interface HostContext {
  theme: Theme;
  displayMode: DisplayMode;
  availableDisplayModes: string[];
  viewport: { width: number; height: number; maxWidth?: number; maxHeight?: number };
  locale: string;
  timeZone?: string;
  platform: "web" | "desktop" | "mobile";
  /** As reported by ChatGPT; elsewhere derived from the platform. */
  deviceType: "mobile" | "tablet" | "desktop" | "unknown";
  userAgent?: string;
  deviceCapabilities?: { touch?: boolean; hover?: boolean };
  safeAreaInsets?: Insets;
  styles?: { variables?: Record<string, string | undefined>; css?: { fonts?: string } };
  containerDimensions?: { width?: number; height?: number; maxWidth?: number; maxHeight?: number };
  toolInfo?: ToolInfo;
  /** The kind of view in ChatGPT, such as a modal, with its parameters. */
  view?: { mode: string; params?: unknown };
}

export interface HostCapabilities {
  openLinks?: object;
  downloadFile?: object;
  serverTools?: object;
  serverResources?: object;
  logging?: object;
  message?: object;
  updateModelContext?: object;
  sampling?: object;
  /** The permissions of the frame, and the origins that it may load from. */
  sandbox?: {
    permissions?: { [P in Permission]?: object };
    csp?: {
      connectDomains?: string[];
      resourceDomains?: string[];
      frameDomains?: string[];
      baseUriDomains?: string[];
    };
  };
  experimental?: object;
}

/** A browser feature that requires the host's permission. */
export type Permission = "camera" | "microphone" | "geolocation" | "clipboardWrite";

/** A method or feature that a host may support. */
export type Ability =
  | Permission
  | "callTool"
  | "cancel"
  | "progress"
  | "sendMessage"
  | "openLink"
  | "requestDisplayMode"
  | "requestClose"
  | "setState"
  | "uploadFile"
  | "selectFiles"
  | "getFileDownloadUrl"
  | "requestModal"
  | "setOpenInAppUrl"
  | "readResource"
  | "log"
  | "updateModelContext"
  | "downloadFile"
  | "reportSize";

/** A file that the user uploaded to the host earlier. */
export interface SelectedFile {
  fileId: string;
  fileName?: string;
  mimeType?: string;
}

/** `window.openai`, any part of which may be missing. */
export interface OpenAi {
  toolInput?: Record<string, unknown> | null;
  toolOutput?: Record<string, unknown> | null;
  toolResponseMetadata?: Record<string, unknown> | null;
  widgetState?: unknown;
  theme?: Theme;
  displayMode?: DisplayMode;
  maxHeight?: number | null;
  safeArea?: { insets: Insets };
  view?: { mode: string; params?: unknown } | null;
  userAgent?: { device?: { type?: string }; capabilities?: { hover?: boolean; touch?: boolean } };
  locale?: string;
  setWidgetState?(state: unknown): unknown;
  callTool?(name: string, args: object): Promise<unknown>;
  sendFollowUpMessage?(message: { prompt: string; scrollToBottom?: boolean }): Promise<unknown>;
  requestDisplayMode?(wish: { mode: DisplayMode }): Promise<{ mode: DisplayMode }>;
  requestModal?(modal: { params?: unknown; template?: string }): Promise<unknown>;
  requestClose?(): unknown;
  notifyIntrinsicHeight?(height: number): unknown;
  openExternal?(link: { href: string; redirectUrl?: false }): unknown;
  setOpenInAppUrl?(link: { href: string }): unknown;
  uploadFile?(file: File, options?: { library?: boolean }): Promise<{ fileId: string }>;
  selectFiles?(): Promise<SelectedFile[]>;
  getFileDownloadUrl?(file: { fileId: string }): Promise<{ downloadUrl: string }>;
}

export interface ClientOptions {
  name?: string;
  version?: string;
  /** The display modes that the page supports; all by default. */
  displayModes?: DisplayMode[];
  /** Whether the height of the document is reported; true by default. */
  autoResize?: boolean;
  /** The request timeout in milliseconds; a minute by default. */
  timeout?: number;
}

/** Ends a subscription. */
export type Off = () => void;

/**
 * A view's connection to its host. A method that the host does not support throws or rejects with
 * `NotSupportedError`; check with `can`. Properties hold the latest values, including those received
 * before a handler was added.
 */
export interface AppsClient<T = ToolRegistry> {
  /** Resolves when the handshake completes or times out. Never rejects. */
  readonly ready: Promise<void>;
  /** Before `ready`, it only considers `window.openai`. `setState`: whether state survives a reload. */
  can(ability: Ability): boolean;

  /** The tool's structured content; a result that is an error throws `ToolCallError`. */
  callTool<K extends ToolName<T>>(name: K, ...args: ToolArguments<T, K>): Promise<ToolOutput<T, K>>;
  /** The tool's whole result, including errors. */
  callToolResult(name: string, args?: object, options?: CallOptions): Promise<CallToolResult>;

  /**
   * The call that the page was opened for; the same object until something changes. The name only
   * sets the type; a page for several tools checks `toolName`.
   */
  tool<K extends ToolName<T> = ToolName<T>>(name?: K): ToolState<T, K>;
  /** Calls the handler immediately, and after each change. */
  onTool<K extends ToolName<T> = ToolName<T>>(
    name: K | undefined,
    handler: (state: ToolState<T, K>) => void,
  ): Off;

  /**
   * Sends a message as the user. With `window.openai`, only the text is sent, and it must not be empty.
   * `scrollToBottom` is for ChatGPT, where it is true by default.
   */
  sendMessage(
    content: ContentBlock | ContentBlock[],
    options?: { scrollToBottom?: boolean },
  ): Promise<void>;
  sendFollowUpMessage(prompt: string, options?: { scrollToBottom?: boolean }): Promise<void>;
  /** Updates the model's context without a turn; each update replaces the previous one. */
  updateModelContext(context: {
    content?: ContentBlock[];
    structuredContent?: Record<string, unknown>;
  }): Promise<void>;

  /** ChatGPT's `openExternal`; with `redirectUrl: false` it does not add a link back. */
  openLink(url: string, options?: { redirectUrl?: false }): Promise<void>;
  /** Resolves to the mode that is set, which may differ from the requested one. */
  requestDisplayMode(mode: DisplayMode): Promise<{ mode: DisplayMode }>;
  /** A result with `_meta["openai/closeWidget"]: true` does this automatically. */
  requestClose(): Promise<void>;
  /** Opens this page in a modal of the host; `hostContext.view` is set there. */
  requestModal(modal?: { params?: unknown; template?: string }): Promise<unknown>;
  /** The URL that ChatGPT's button in fullscreen opens. */
  setOpenInAppUrl(url: string): Promise<void>;
  downloadFile(contents: ContentBlock[]): Promise<void>;
  /**
   * ChatGPT's `notifyIntrinsicHeight`. For views that measure themselves; create the client with
   * `autoResize: false` then.
   */
  reportSize(size: { width?: number; height?: number }): Promise<void>;

  getState<S>(): S | null;
  /**
   * Stored by the host, else by the server, else in memory. A failed save is logged and retried with the
   * next change. Throws a `RangeError` for a state over 64 KB as JSON, unless the host stores it.
   */
  setState<S>(state: S): void;

  /** `library` saves the file in the user's library, if there is one. */
  uploadFile(file: File, options?: { library?: boolean }): Promise<{ fileId: string }>;
  /** Lets the user choose among previously uploaded files. */
  selectFiles(): Promise<SelectedFile[]>;
  getFileDownloadUrl(fileId: string): Promise<{ downloadUrl: string }>;
  readResource(uri: string): Promise<{ contents: ResourceContent[] }>;
  /** Logs to the browser's console if the host has no log. */
  log(level: LogLevel, data: unknown): void;
  /** Sends any other protocol request, such as `resources/list`. */
  request<R = unknown>(method: string, params?: object): Promise<R>;

  onToolInput<K extends ToolName<T> = ToolName<T>>(handler: (input: ToolInput<T, K>) => void): Off;
  onToolInputPartial<K extends ToolName<T> = ToolName<T>>(
    handler: (input: Partial<ToolInput<T, K>>) => void,
  ): Off;
  onToolResult<K extends ToolName<T> = ToolName<T>>(
    handler: (result: ToolResult<T, K>) => void,
  ): Off;
  onToolCancelled(handler: (reason?: string) => void): Off;
  onHostContextChange(handler: (context: HostContext) => void): Off;
  onStateChange(handler: (state: unknown) => void): Off;
  /** The host waits for promises that are returned. */
  onTeardown(handler: (reason?: string) => unknown): Off;
  /** Handles all other notifications, such as `notifications/tools/list_changed`. */
  onNotification(handler: (message: { method: string; params?: unknown }) => void): Off;

  readonly hostContext: HostContext;
  readonly hostInfo?: { name: string; version: string } | undefined;
  readonly hostCapabilities: HostCapabilities;
  readonly toolInput?: Record<string, unknown> | undefined;
  readonly toolInputPartial?: Record<string, unknown> | undefined;
  readonly toolResult?: CallToolResult | undefined;
  /** The structured content of the result. */
  readonly toolOutput?: Record<string, unknown> | undefined;
  /** The `_meta` of the result, which the model does not see. */
  readonly toolMeta?: Record<string, unknown> | undefined;
  readonly toolInfo?: ToolInfo | undefined;
  readonly toolName?: string | undefined;
}
