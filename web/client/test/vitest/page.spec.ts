// What an author of a page would write: a page in a mock host, with the defaults of the client. It is
// run by ../vitest.test.ts, in jsdom and in happy-dom.

import { createClient } from "@widgetcast/client";
import { createMockHost, type MockHost } from "@widgetcast/client/mock";
import { ClientProvider, useCallTool, useTool } from "@widgetcast/react";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, expect, test } from "vitest";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function Ferries() {
  const tool = useTool("ferries");
  const book = useCallTool("book");
  if (tool.status !== "done") return tool.status;
  const { to } = tool.output ?? {};
  const text = book.output ? "Booked" : book.progress ? "Booking" : `Book ${to}`;
  return createElement("button", { type: "button", onClick: () => book.call({ to }) }, text);
}

let host: MockHost;
afterEach(() => {
  host.close();
  document.body.replaceChildren();
});

async function open(options: Parameters<typeof createMockHost>[0] = {}) {
  host = createMockHost(options);
  const client = createClient();
  const root = createRoot(document.body.appendChild(document.createElement("main")));
  const page = createElement(ClientProvider, { client }, createElement(Ferries));
  await act(async () => root.render(page));
  await client.ready;
  return client;
}

const shown = () => document.body.textContent;

test("the page draws what is awaited", async () => {
  await open({
    tools: {
      book: async (_, { progress }) => {
        await act(() => progress({ progress: 1 }));
        expect(shown()).toBe("Booking");
        return { content: [], structuredContent: { at: 9 } };
      },
    },
  });
  expect(shown()).toBe("waiting");
  await act(() => host.result({ structuredContent: { to: "Vis" } }));
  expect(shown()).toBe("Book Vis");
  document.querySelector("button")?.click();
  await expect.poll(shown).toBe("Booked");
});

test("a result that is an error, and a host that is another one", async () => {
  const client = await open({ context: { theme: "dark" } });
  expect(client.hostContext.theme).toBe("dark");
  await act(() => host.result({ isError: true }));
  expect(shown()).toBe("failed");
});

test("window.openai", async () => {
  const client = await open({
    bridge: false,
    openai: { globals: { toolOutput: { to: "Hvar" }, maxHeight: 300 } },
  });
  expect(shown()).toBe("Book Hvar");
  expect(client.hostContext.viewport.maxHeight).toBe(300);
  host.openai?.set({ maxHeight: null });
  expect(client.hostContext.viewport.maxHeight).toBe(undefined);
});
