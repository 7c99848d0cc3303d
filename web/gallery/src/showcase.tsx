// One widget, drawn with its sample as four hosts render it: what the page is about, before any word.

import type { Theme } from "@widgetcast/theme";
import { useEffect, useRef, useState } from "preact/hooks";
import type * as api from "./api";
import { type Host, hostOf } from "./hosts";
import { type Painter, painterOf } from "./paint";
import { DEFAULT_CONDITIONS, localeOf, themeOf } from "./play";
import { Painted } from "./screen";
import { useSample } from "./thumbnail";

const SHOWN = ["claude", "slack", "teams", "terminal"].flatMap((id) => hostOf(id) ?? []);
/** As wide as a drawing needs to be whole; the lines of a terminal cannot be broken. */
const widthOf = ({ look }: Host) => (look.chrome === "terminal" ? 480 : 440);

function Shown(props: { host: Host; drawing: api.Drawing; theme: Theme; sender: string }) {
  const { host, drawing, sender } = props;
  const theme = themeOf(host, DEFAULT_CONDITIONS, props.theme);
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [painter, setPainter] = useState<Painter>();
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    if (stage.current) watch.observe(stage.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    let isLate = false;
    const subject = { host, drawing, theme, locale: localeOf(DEFAULT_CONDITIONS), sender };
    painterOf(subject).then(
      (made) => isLate || setPainter(made),
      () => {},
    );
    return () => {
      isLate = true;
    };
  }, [host, drawing, theme, sender]);
  const wide = widthOf(host);
  const { look } = host;
  return (
    <li>
      <p>
        <i style={{ background: look.accent, colorScheme: theme }} aria-hidden="true" />
        {host.label}
      </p>
      <div
        class="shown"
        inert
        aria-hidden="true"
        ref={stage}
        style={{ colorScheme: theme, background: look.page, color: look.ink }}
      >
        {room > 0 && (
          <div style={{ width: `${wide}px`, zoom: String(Math.min(1, room / wide)) }}>
            <Painted painter={painter} onMissing={() => {}} />
          </div>
        )}
      </div>
    </li>
  );
}

export function Showcase(props: {
  tool: api.Tool;
  theme: Theme;
  sender: string;
  /** Changes when the file did. */
  version: number;
}) {
  const { tool, theme, sender } = props;
  const drawing = useSample(tool.name, props.version);
  return (
    <section class="showcase" aria-label={`${tool.title}, as four hosts render it`}>
      <ul>
        {drawing
          ? SHOWN.map((host) => (
              <Shown key={host.id} host={host} drawing={drawing} theme={theme} sender={sender} />
            ))
          : SHOWN.map(({ id, label }) => (
              <li key={id}>
                <p>{label}</p>
                <div class="shown" />
              </li>
            ))}
      </ul>
      <a href={`#/${encodeURIComponent(tool.name)}`}>One file, rendered by every host. Open it</a>
    </section>
  );
}
