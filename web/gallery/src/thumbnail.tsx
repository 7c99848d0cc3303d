// A tool drawn with its author's sample: called as a host calls it, and shown by its page.

import type { Theme } from "@widgetcast/theme";
import { useEffect, useMemo, useState } from "preact/hooks";
import * as api from "./api";
import { Frame } from "./frame";
import { hostOf } from "./hosts";
import { pageUri } from "./mcp";
import { Picture } from "./picture";
import { DEFAULT_CONDITIONS } from "./play";
import { Traffic } from "./traffic";

/** The widget or tool with its sample, in every host. */
export function useSample(name: string, version: number): api.Drawing | undefined {
  const [drawing, setDrawing] = useState<api.Drawing>();
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const detail = await api.detail(name, stop.signal);
      if (!("sample" in detail) || !detail.sample) return;
      setDrawing(await api.draw(name, detail.sample, stop.signal));
    };
    // Without it the page has its list.
    load().catch(() => {});
    return () => stop.abort();
  }, [name, version]);
  return drawing;
}

const HOST = hostOf("claude");
const WIDTH = 440;
const ignore = () => {};

export function Thumbnail(props: { tool: string; theme: Theme; version: number }) {
  const { tool, theme } = props;
  const drawing = useSample(tool, props.version);
  const [page, setPage] = useState<string>();
  const traffic = useMemo(() => new Traffic(), []);
  useEffect(() => {
    let isLate = false;
    if (drawing) pageUri(tool, drawing.result).then((uri) => isLate || setPage(uri), ignore);
    return () => {
      isLate = true;
    };
  }, [tool, drawing]);
  if (!drawing) return <div class="skeleton" />;
  if (drawing.isError) return <p class="hint">{drawing.text}</p>;
  if (drawing.tree) return <Picture tree={drawing.tree} icons={drawing.icons} theme={theme} />;
  if (!HOST || !page) return <p class="hint">{drawing.text}</p>;
  return (
    <div class="framed">
      <Frame
        uri={page}
        tool={tool}
        host={HOST}
        conditions={DEFAULT_CONDITIONS}
        theme={theme}
        width={WIDTH}
        mode="inline"
        input={{}}
        result={drawing.result}
        traffic={traffic}
        onAsk={ignore}
        onQuestion={ignore}
        onRefused={ignore}
      />
    </div>
  );
}
