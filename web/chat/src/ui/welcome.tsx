// A conversation that has not begun: what can be asked.

import { useEffect, useState } from "preact/hooks";
import { say } from "../place";
import type { Command } from "../protocol";
import type { Wire } from "../wire";

const SHOWN = 8;

export function Welcome({ wire, onPick }: { wire: Wire; onPick(command: Command): void }) {
  const [commands, setCommands] = useState<Command[]>();
  const [isAll, setAll] = useState(false);
  useEffect(() => {
    wire.commands("").then(setCommands, () => setCommands([]));
  }, [wire]);
  const all = commands ?? [];
  const shown = isAll ? all : all.slice(0, SHOWN);
  return (
    <div class="scroll">
      <div class="column welcome">
        <p class="greeting">{say("welcome")}</p>
        {commands && <p class="quiet">{say(all.length ? "pick" : "write")}</p>}
        <ul class="chips" aria-label={say("commands")}>
          {shown.map((command) => (
            <li key={command.name}>
              <button type="button" class="chip" onClick={() => onPick(command)}>
                <span class="chip-title" dir="auto">
                  {command.title || command.name}
                </span>
                {command.description && (
                  <span class="chip-text" dir="auto">
                    {command.description}
                  </span>
                )}
              </button>
            </li>
          ))}
        </ul>
        {all.length > shown.length && (
          <button type="button" class="button" onClick={() => setAll(true)}>
            {say("more")}
          </button>
        )}
      </div>
    </div>
  );
}
