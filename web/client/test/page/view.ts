// The view side of the bridge test: a client, and what it heard.

import { applyHostContext, createClient } from "@widgetcast/client";

const client = createClient({ name: "view", version: "1.2.3" });
const heard: [event: string, value: unknown][] = [];
client.onToolInputPartial((value) => heard.push(["partial", value]));
client.onToolInput((value) => heard.push(["input", value]));
client.onToolResult((value) => heard.push(["result", value]));
client.onToolCancelled((value) => heard.push(["cancelled", value]));
client.onHostContextChange((value) => {
  heard.push(["context", value]);
  applyHostContext(value);
});
client.onTeardown(() => heard.push(["teardown", undefined]));
client.onNotification(({ method }) => heard.push(["notification", method]));

/** How a promise ends, as a text. */
const fault = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error) => `${error.name}: ${error.message}`,
  );

/** Calls a slow tool, cancels it at this progress, and says how that ended. */
async function stopAfter(limit: number) {
  const controller = new AbortController();
  const seen: unknown[] = [];
  const call = client.callTool(
    "slow",
    {},
    {
      signal: controller.signal,
      onProgress: ({ progress, total, message }) => {
        seen.push([progress, total, message]);
        if (progress === limit) controller.abort(Error("enough"));
      },
    },
  );
  const can = [client.can("cancel"), client.can("progress")];
  return { fault: await fault(call), heard: seen, can };
}

export const view = { client, heard, fault, stopAfter };
Object.assign(window, { view });
