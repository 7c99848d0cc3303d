// The page of the tool `stats`, without a framework. tools.d.ts contains the types of the server's tools.

import { applyHostContext, createClient } from "@widgetcast/client";
import "./stats.css";

const client = createClient();
client.onHostContextChange(applyHostContext);

const root = document.body.appendChild(document.createElement("main"));
const label = (ago: number) => (ago === 0 ? "Today" : ago === 1 ? "Yesterday" : `${ago} days ago`);

/** An element with its properties and its children. */
function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function bar(count: number, what: string): HTMLElement {
  const span = make("span", {}, `${count} ${what}`);
  span.style.width = `${count * 5}%`;
  return span;
}

function draw(days: { ago: number; opened: number; closed: number }[]): void {
  // Stored by the host or the server, so it survives a reload.
  const { closed } = client.getState<{ closed: boolean }>() ?? { closed: true };
  const box = make("input", { type: "checkbox", checked: closed });
  box.onchange = () => client.setState({ closed: box.checked });
  const counts = [...new Set([3, 7, 14, days.length])].sort((a, b) => a - b);
  const select = make("select", {}, ...counts.map((count) => make("option", {}, String(count))));
  select.value = String(days.length);
  select.onchange = () => show(Number(select.value));
  const rows = days.map((day) => {
    const bars = make("div", {}, bar(day.opened, "opened"));
    if (closed) bars.append(bar(day.closed, "closed"));
    return make("li", {}, label(day.ago), bars);
  });
  root.replaceChildren(
    make(
      "header",
      {},
      make("h1", {}, "Tickets per day"),
      make("label", {}, box, "Closed"),
      make("label", {}, "Days", select),
    ),
    make("ul", {}, ...rows),
  );
}

const say = (words: string) => root.replaceChildren(make("p", { role: "alert" }, words));

async function show(days: number): Promise<void> {
  try {
    last = (await client.callTool("stats", { days })).days;
    draw(last);
  } catch (error) {
    say(String(error));
  }
}

let last: Parameters<typeof draw>[0] = [];
client.onTool("stats", (tool) => {
  if (tool.status === "waiting") root.textContent = "Counting …";
  else if (tool.status === "failed") say(tool.error.message);
  else if (tool.status === "cancelled") say("Cancelled");
  else {
    last = tool.output.days;
    draw(last);
  }
});
client.onStateChange(() => draw(last));
