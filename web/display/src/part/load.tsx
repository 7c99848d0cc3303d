/** @jsxImportSource react */
// From the tool's result to a page's data, with placeholders while waiting and after errors.

import {
  useClient,
  useToolInput,
  useToolInputPartial,
  useToolOutput,
  useToolResult,
} from "@widgetcast/react";
import { type ReactNode, useEffect, useState } from "react";
import { useCommon, usePlace } from "./app";
import { Empty, Skeleton } from "./control";
import type { Fields } from "./list";

interface Props<T> {
  /** Reads data out of the result, or out of the input where a host strips the result; nothing if it is not there. */
  read(fields: Fields, text: string): T | undefined;
  /** The data that `read` knows, for whoever gave other data. */
  takes: string;
  /** Shown when the page is opened without a tool call, or without any data. */
  sample?: T;
  /** Shown while waiting; gets the input as far as the model has written it. */
  wait?(partial: Fields): ReactNode;
  children(data: T): ReactNode;
}

const LATE = 20_000;
const SOON = 700;

export function Load<T>({ read, takes, sample, wait, children }: Props<T>) {
  const say = useCommon();
  const client = useClient();
  const { isReady } = usePlace();
  const result = useToolResult();
  const output = useToolOutput();
  const input = useToolInput();
  const partial = useToolInputPartial();
  const [cancelled, setCancelled] = useState<{ reason?: string }>();
  const [isLate, setLate] = useState(false);

  useEffect(
    () => client.onToolCancelled((reason) => setCancelled(reason === undefined ? {} : { reason })),
    [client],
  );
  const isWaiting = !result && isReady;
  // The sample is only for a page without a tool call; otherwise data will come.
  const isCalled = !!(input ?? partial ?? client.toolInfo) || sample === undefined;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(setLate, isCalled ? LATE : SOON, true);
    return () => clearTimeout(timer);
  }, [isWaiting, isCalled]);

  const text = (result?.content ?? [])
    .map((block) => (block.type === "text" ? block.text : ""))
    .join("\n")
    .trim();
  if (result?.isError)
    return (
      <Empty icon="alert" title={say("failed")}>
        <p className="note">{text}</p>
      </Empty>
    );
  if (result) {
    const fields = output ?? input ?? {};
    const isEmpty = Object.keys(fields).length === 0;
    const data = read(fields, text) ?? (isEmpty ? sample : undefined);
    if (data !== undefined) return <>{children(data)}</>;
    return (
      <Empty icon="info" title={say("failed")}>
        {text && <p className="note">{text}</p>}
        <p className="note">
          {say("odd")} <code>{takes}</code>
        </p>
      </Empty>
    );
  }
  if (cancelled)
    return (
      <Empty icon="info" title={say("cancelled")}>
        {cancelled.reason && <p className="note">{cancelled.reason}</p>}
      </Empty>
    );
  if (isLate && sample !== undefined) return <>{children(sample)}</>;
  return (
    <>
      {wait?.(partial ?? input ?? {}) ?? <Skeleton />}
      {isLate && <p className="note">{say("late")}</p>}
    </>
  );
}
