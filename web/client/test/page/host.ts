// The host side of the bridge test: the official AppBridge around a frame. The test bundles this file
// once for each version of it.

import { AppBridge, PostMessageTransport } from "ext-apps-2/app-bridge";

// biome-ignore lint/suspicious/noExplicitAny: messages of two versions of a library
type Any = any;

/** The names of the host's style variables, filled in when the page is bundled. */
declare const VARIABLES: string[];

interface Entry {
  from: "host" | "view";
  message: Any;
}

const frame = document.querySelector("iframe") as HTMLIFrameElement;
const traffic: Entry[] = [];
/** What reached the handlers of the bridge. */
const asked: [handler: string, params: Any][] = [];

const bridge: Any = new AppBridge(
  null,
  { name: "host", version: "1.0.0" },
  {
    openLinks: {},
    downloadFile: {},
    serverTools: {},
    serverResources: {},
    logging: {},
    message: { text: {} },
    updateModelContext: { text: {}, structuredContent: {} },
    sampling: {},
  },
  {
    hostContext: {
      theme: "dark",
      displayMode: "inline",
      availableDisplayModes: ["inline", "fullscreen"],
      containerDimensions: { width: 400, maxHeight: 800 },
      locale: "de-DE",
      timeZone: "Europe/Berlin",
      userAgent: "host/1.0",
      platform: "desktop",
      deviceCapabilities: { touch: false, hover: true },
      safeAreaInsets: { top: 1, right: 2, bottom: 3, left: 4 },
      styles: {
        variables: Object.fromEntries(VARIABLES.map((name) => [name, "rgb(1, 2, 3)"])) as Any,
      },
      toolInfo: {
        id: 7,
        tool: {
          name: "ferry",
          inputSchema: { type: "object" },
          annotations: { readOnlyHint: true },
        },
      },
    },
  },
);

const text = (value: string) => ({ type: "text", text: value });
const answers: Record<string, (params: Any) => unknown> = {
  onmessage: () => ({}),
  onopenlink: ({ url }) => (url.includes("refuse") ? { isError: true } : {}),
  ondownloadfile: () => ({}),
  onupdatemodelcontext: () => ({}),
  onrequestdisplaymode: ({ mode }) => ({ mode }),
  oncalltool: ({ name, arguments: args }) =>
    name === "broken"
      ? { content: [text("no such port")], isError: true }
      : { content: [text("ok")], structuredContent: { args }, _meta: { hidden: 1 } },
  onreadresource: ({ uri }) => ({ contents: [{ uri, text: "a" }] }),
  onlistresources: () => ({ resources: [{ uri: "data://a", name: "a" }] }),
  onlistresourcetemplates: () => ({ resourceTemplates: [] }),
  onlistprompts: () => ({ prompts: [] }),
  oncreatesamplingmessage: () => ({ model: "m", role: "assistant", content: text("b") }),
};
for (const [name, answer] of Object.entries(answers))
  bridge[name] = async (params: Any, extra: Any) => {
    asked.push([name, params]);
    return params?.name === "slow" ? slow(params, extra) : answer(params);
  };

/** Reports progress twice, as a host does that passes it on, and waits until it is cancelled. */
async function slow({ _meta }: Any, extra: Any): Promise<unknown> {
  // The second version has moved what belongs to the request.
  const signal: AbortSignal = extra.signal ?? extra.mcpReq.signal;
  const notify = extra.sendNotification ?? extra.mcpReq.notify;
  for (const progress of [1, 2])
    await notify({
      method: "notifications/progress",
      params: { progressToken: _meta.progressToken, progress, total: 2, message: "writing" },
    });
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  asked.push(["cancelled", `${signal.reason}`]);
  return {};
}
for (const name of ["onsizechange", "onrequestteardown", "onloggingmessage", "onping"])
  bridge[name] = (params: unknown) => {
    asked.push([name, params]);
  };

let isInitialized = false;
bridge.oninitialized = () => {
  isInitialized = true;
};

addEventListener("message", ({ source, data }) => {
  if (source === frame.contentWindow) traffic.push({ from: "view", message: data });
});
const target = frame.contentWindow as Window;
const transport: Any = new PostMessageTransport(target, target);
const send = transport.send.bind(transport);
transport.send = (message: unknown, options: unknown) => {
  traffic.push({ from: "host", message: JSON.parse(JSON.stringify(message)) });
  return send(message, options);
};
bridge.connect(transport).then(() => {
  // The frame starts only now: a view speaks first, and no one would hear it.
  frame.src = frame.dataset.src as string;
});

export const host = {
  bridge,
  traffic,
  asked,
  raw: (message: object) => transport.send({ jsonrpc: "2.0", ...message }),
  code: (promise: Promise<unknown>) => promise.then(String, (error) => error.code),
  get isInitialized() {
    return isInitialized;
  },
};
Object.assign(window, { host });
