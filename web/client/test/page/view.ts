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

export const view = { client, heard, fault };
Object.assign(window, { view });
