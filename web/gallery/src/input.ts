// The state of the workbench: the input as a value and as text, and what the server draws of it.

import { TOOLS_CALL } from "@widgetcast/client/wire";
import { blank, type Json, same, write } from "@widgetcast/schema";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import * as api from "./api";
import { fault, lineOf, places } from "./json";
import { pageUri, requestOf } from "./mcp";
import type { Traffic } from "./traffic";

/** Milliseconds without a change before the input is drawn. */
const PAUSE = 120;

export interface Good {
  drawing: api.Drawing;
  input: Json;
  page: string | undefined;
}

export interface Bad {
  text: string;
  errors: api.Fault[];
}

/** The last drawing that worked, and what is wrong with the one that did not. */
export function useDrawing(name: string, traffic: Traffic) {
  const [good, setGood] = useState<Good>();
  const [bad, setBad] = useState<Bad>();
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  const abort = useRef<AbortController>(undefined);
  const draw = useCallback(
    async (input: Json) => {
      const turn = ++asked.current;
      abort.current?.abort();
      abort.current = new AbortController();
      setBusy(true);
      try {
        const request = requestOf(TOOLS_CALL, { name, arguments: input });
        const drawing = await api.draw(name, input, abort.current.signal);
        // The page asks for all surfaces at once; a host would send this, and get the same result.
        traffic.add("", "host", "server", request);
        traffic.add("", "server", "host", {
          jsonrpc: "2.0",
          id: request.id ?? 0,
          result: drawing.result,
        });
        const page = await pageUri(name, drawing.result).catch(() => undefined);
        if (turn !== asked.current) return;
        if (drawing.isError) setBad({ text: drawing.text, errors: drawing.errors });
        else {
          setGood({ drawing, input, page });
          setBad(undefined);
        }
      } catch (error) {
        if (turn !== asked.current) return;
        setBad({ text: error instanceof Error ? error.message : String(error), errors: [] });
      }
      setBusy(false);
    },
    [name, traffic],
  );
  useEffect(
    () => () => {
      asked.current++;
      abort.current?.abort();
    },
    [],
  );
  return { good, bad, busy, draw };
}

const sampleOf = (detail: api.Detail): Json =>
  detail.sample ?? blank(detail.inputSchema, detail.inputSchema);

/** What was typed for a tool is kept until the tab is closed, so that a reload does not lose it. */
const keyOf = (name: string) => `widgetcast.input.${name}`;

function typed(name: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

function keep(name: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(name));
    else sessionStorage.setItem(keyOf(name), text);
  } catch {
    // Storage may be switched off or full; the input then lasts as long as the page.
  }
}

/** A line of the text and what is wrong there. */
export interface Mark {
  line: number;
  message: string;
}

export interface Input {
  value: Json;
  /** The value as JSON, or what was typed and is not JSON yet. */
  text: string;
  /** Whether the text is JSON. */
  isJson: boolean;
  /** Whether nothing was changed since the sample. */
  isSample: boolean;
  setValue(value: Json): void;
  setText(text: string): void;
  reset(): void;
}

/** The input of a tool, which a form and a text edit together. */
export function useInput(detail: api.Detail, given: Json | undefined): Input {
  const [text, setText] = useState(() =>
    given === undefined ? (typed(detail.name) ?? write(sampleOf(detail))) : write(given),
  );
  const [value, setValue] = useState<Json>(() =>
    fault(text) ? sampleOf(detail) : JSON.parse(text),
  );
  const sample = useRef(sampleOf(detail));

  // A new sample replaces the input only where no one has typed.
  useEffect(() => {
    const next = sampleOf(detail);
    setValue((now) => {
      if (!same(now, sample.current) || same(now, next)) return now;
      setText(write(next));
      return next;
    });
    sample.current = next;
  }, [detail]);

  const set = useCallback((next: Json) => {
    setValue(next);
    setText(write(next));
  }, []);
  const isJson = useMemo(() => !fault(text), [text]);
  const isSample = same(value, sample.current) && isJson;
  useEffect(() => keep(detail.name, isSample ? null : text), [detail.name, isSample, text]);
  return {
    value,
    text,
    isJson,
    isSample,
    setValue: set,
    setText(next) {
      setText(next);
      if (fault(next)) return;
      const parsed: Json = JSON.parse(next);
      setValue((now) => (same(now, parsed) ? now : parsed));
    },
    reset: () => set(sample.current),
  };
}

/** Draws a widget at first and after each change; a tool runs only when asked to, or at first if it `mayRun`. */
export function useAutoDraw(
  detail: api.Detail,
  value: Json,
  draw: (input: Json) => void,
  mayRun: boolean,
): void {
  const isFirst = useRef(true);
  const isTool = detail.kind === "tool";
  useEffect(() => {
    if (isTool && !mayRun) return;
    if (isFirst.current) {
      isFirst.current = false;
      draw(value);
      return;
    }
    if (isTool) return;
    const timer = setTimeout(() => draw(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value, detail, isTool, mayRun, draw]);
}

/** Where the text is wrong: as JSON, or as the server says of its value. */
export function marksOf(text: string, errors: api.Fault[]): Mark[] {
  const broken = fault(text);
  if (broken) return [{ line: broken.line, message: `Not JSON: ${broken.message}` }];
  const known = places(text);
  return errors.map((error) => ({
    line: lineOf(text, known, error.pointer),
    message: `${error.pointer || "/"} ${error.message}`,
  }));
}
