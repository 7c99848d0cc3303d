// The page of the tool `stats`. Its types come from the server, by tools.d.ts.

import { applyHostContext } from "@widgetcast/client";
import { useCallTool, useHostContext, useTool, useViewState } from "@widgetcast/react";
import { useEffect } from "react";
import "./stats.css";

const label = (ago: number) => (ago === 0 ? "Today" : ago === 1 ? "Yesterday" : `${ago} days ago`);
const choices = (now: number) => [...new Set([3, 7, 14, now])].sort((a, b) => a - b);

export default function Stats() {
  const context = useHostContext();
  useEffect(() => applyHostContext(context), [context]);
  const tool = useTool("stats");
  const other = useCallTool("stats");
  // Kept by the host or by the server: it is there again when the page is opened again.
  const [view, setView] = useViewState({ closed: true });

  if (tool.status === "waiting") return <p>Counting …</p>;
  if (tool.status === "cancelled") return <p>Cancelled</p>;
  if (tool.status === "failed") return <p role="alert">{tool.error.message}</p>;
  const { days } = other.output ?? tool.output;
  return (
    <main aria-busy={other.pending}>
      <header>
        <h1>Tickets per day</h1>
        <label>
          <input
            type="checkbox"
            checked={view.closed}
            onChange={({ target }) => setView({ closed: target.checked })}
          />
          Closed
        </label>
        <label>
          Days
          <select
            value={days.length}
            onChange={({ target }) => other.call({ days: Number(target.value) })}
          >
            {choices(days.length).map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        </label>
      </header>
      {other.error && <p role="alert">{other.error.message}</p>}
      <ul>
        {days.map(({ ago, opened, closed }) => (
          <li key={ago}>
            {label(ago)}
            <div>
              <span style={{ width: `${opened * 5}%` }}>{opened} opened</span>
              {view.closed && <span style={{ width: `${closed * 5}%` }}>{closed} closed</span>}
            </div>
          </li>
        ))}
      </ul>
    </main>
  );
}
