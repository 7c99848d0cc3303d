// The list of commands after a slash: arrows move in it, Enter and Tab take one, Escape closes it.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { complete, nearest, queryOf, step } from "../complete";
import { say } from "../place";
import type { Command } from "../protocol";
import type { Wire } from "../wire";

const LIST = "commands";

export function useCompletion(
  wire: Wire,
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
) {
  const [query, setQuery] = useState<string>();
  const [commands, setCommands] = useState<Command[]>([]);
  const [active, setActive] = useState(0);
  const caret = useRef<number>(undefined);

  useEffect(() => {
    if (query === undefined) return setCommands([]);
    let isLate = false;
    const near = async () =>
      query.length > 2 ? nearest(query, await wire.commands("").catch(() => [])) : [];
    wire
      .commands(query)
      .catch(() => [])
      .then((found) => (found.length > 0 ? found : near()))
      .then((found) => {
        if (isLate) return;
        setCommands(found);
        setActive(0);
      });
    return () => {
      isLate = true;
    };
  }, [wire, query]);

  // The caret can be placed only when the new text is in the field.
  // So: after each text.
  useEffect(() => {
    if (caret.current === undefined) return;
    field.current?.focus();
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [text]);

  const insert = ({ name }: { name: string }) => {
    const next = complete(text, name);
    caret.current = next.caret;
    setText(next.text);
    setQuery(undefined);
    field.current?.focus();
  };
  const close = () => setQuery(undefined);
  const isOpen = query !== undefined && commands.length > 0;

  /** Whether the key was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.shiftKey) return false;
    if (event.key === "ArrowDown") setActive(step(active, 1, commands.length));
    else if (event.key === "ArrowUp") setActive(step(active, -1, commands.length));
    else if (event.key === "Escape") close();
    else if (event.key === "Enter" || event.key === "Tab") {
      const command = commands[active];
      // Once the name is written in full there is nothing to complete, and Enter sends.
      if (!command || command.name === query) {
        close();
        return false;
      }
      insert(command);
    } else return false;
    event.preventDefault();
    return true;
  };
  const onInput = () => {
    const { current } = field;
    if (current) setQuery(queryOf(current.value, current.selectionStart));
  };
  const naming = {
    "aria-autocomplete": "list" as const,
    "aria-haspopup": "listbox" as const,
    "aria-controls": isOpen ? LIST : undefined,
    "aria-activedescendant": isOpen ? `${LIST}-${active}` : undefined,
  };
  return { isOpen, commands, active, insert, close, onKeyDown, onInput, naming };
}

export function CompletionList(props: {
  isOpen: boolean;
  commands: Command[];
  active: number;
  insert(command: Command): void;
}) {
  const { isOpen, commands, active } = props;
  const row = useRef<HTMLDivElement>(null);
  // The active row must be seen.
  useEffect(() => row.current?.scrollIntoView({ block: "nearest" }), [active, isOpen]);
  return (
    <>
      <div class="unseen" role="status">
        {isOpen && say("found", { n: commands.length })}
      </div>
      {isOpen && (
        <div class="completion" role="listbox" id={LIST} aria-label={say("commands")} tabIndex={-1}>
          {commands.map((command, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text field
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field
            <div
              key={command.name}
              id={`${LIST}-${at}`}
              ref={at === active ? row : null}
              role="option"
              aria-selected={at === active}
              class="command"
              // Before the field loses the focus, which would close the list.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => props.insert(command)}
            >
              <span class="command-name">/{command.name}</span>
              <span class="command-text" dir="auto">
                {command.description ?? command.title}
              </span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
