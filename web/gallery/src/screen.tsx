// One host: its surroundings, the drawing in them, and what is lost.

import type { Json } from "@widgetcast/schema";
import type { Theme } from "@widgetcast/theme";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { act } from "./act";
import type { Asked } from "./answer";
import type { Drawing } from "./api";
import { Consent, type Question } from "./consent";
import { Conversation } from "./conversation";
import { fitted } from "./fit";
import { Frame, type Refused } from "./frame";
import type { Host } from "./hosts";
import { Icon } from "./icon";
import { type Missing, watchImages } from "./image";
import { lossesOf } from "./loss";
import { Losses, Pictures, Refusals } from "./lost";
import { FAILURE, SLOW } from "./outcome";
import { type Painter, painterOf, shownBy } from "./paint";
import { classes, size } from "./part";
import { type Conditions, localeOf, modeOf, themeOf, widthOf } from "./play";
import { savePng } from "./png";
import { type Declaration, withRefused } from "./policy";
import type { Press } from "./press";
import type { Traffic } from "./traffic";

export interface ScreenProps {
  host: Host;
  tool: string;
  title: string;
  sender: string;
  /** The address of the view's page. */
  page: string | undefined;
  input: Json;
  drawing: Drawing;
  conditions: Conditions;
  theme: Theme;
  traffic: Traffic;
  /** Whether it is the only one. */
  isOnly: boolean;
  onOnly(): void;
}

const PADDING = 32;
const MAX_ASKED = 4;

/** Bytes of JSON and of prose have about four to a token. */
export const tokens = (bytes: number): number => Math.ceil(bytes / 4);

function useRoom(): [ref: { current: HTMLElement | null }, room: number] {
  const ref = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.floor(entry?.contentRect.width ?? 0);
      if (now > 0) setRoom(now - PADDING);
    });
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, room];
}

/** Whether it was ever on the screen: a frame that nobody sees is not loaded. */
function useSeen(ref: { current: HTMLElement | null }): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return seen;
}

type Phase = "waiting" | "done" | "failed" | "cancelled";

/** How far a call is, for hosts that draw only results. */
function usePhase({ outcome }: Conditions, drawing: Drawing): Phase {
  const [late, setLate] = useState<Drawing>();
  useEffect(() => {
    if (outcome !== "slow") return;
    const timer = setTimeout(() => setLate(drawing), SLOW);
    return () => clearTimeout(timer);
  }, [outcome, drawing]);
  if (outcome === "slow") return late === drawing ? "done" : "waiting";
  if (outcome === "partial") return "waiting";
  return outcome === "failing" ? "failed" : outcome === "cancelled" ? "cancelled" : "done";
}

/** The drawing of a host that needs no frame, in a shadow root. */
export function Painted(props: {
  painter: Painter | undefined;
  onMissing(missing: Missing): void;
}) {
  const { painter } = props;
  const place = useRef<HTMLDivElement>(null);
  const tell = useRef(props.onMissing);
  tell.current = props.onMissing;
  const painted = useRef<{ root: HTMLElement; painter: Painter }>(undefined);
  useEffect(() => {
    const outer = place.current;
    if (!outer || !painter) return;
    let shadow = outer.shadowRoot;
    if (!shadow) {
      shadow = outer.attachShadow({ mode: "open" });
      watchImages(shadow, (missing) => tell.current(missing));
    }
    if (painted.current?.painter.css !== painter.css) {
      const style = new CSSStyleSheet();
      style.replaceSync(painter.css);
      shadow.adoptedStyleSheets = [style];
      painted.current?.painter.clear(painted.current.root);
      const root = document.createElement("div");
      shadow.replaceChildren(root);
      painted.current = { root, painter };
    } else painted.current.painter = painter;
    const hadFocus = shadow.activeElement !== null;
    painter.paint(painted.current.root);
    // Whoever pressed by keyboard goes on where the answer is told.
    if (hadFocus && !shadow.activeElement)
      outer.closest(".screen")?.querySelector<HTMLElement>(".asked")?.focus();
  }, [painter]);
  useEffect(
    () => () => {
      painted.current?.painter.clear(painted.current.root);
    },
    [],
  );
  return (
    <>
      {!painter && <div class="skeleton" />}
      <div class="picture" ref={place} />
    </>
  );
}

/** What presses in a drawing come to: the drawing that is shown by now, and what waits. */
function usePresses(
  { host, drawing: first, traffic }: ScreenProps,
  onAsk: (asked: Asked) => void,
  onQuestion: (question: Question | undefined) => void,
) {
  const [answer, setAnswer] = useState<{ to: Drawing; drawing: Drawing }>();
  const [running, setRunning] = useState(0);
  const consent = useRef<Consent>(undefined);
  consent.current ??= new Consent(onQuestion);
  // What is pressed belongs to this result; a new one begins again.
  const current = useRef(first);
  current.current = first;
  useEffect(() => () => consent.current?.drop(), [first]);
  const press = useRef(async (pressed: Press) => {
    if (!consent.current) return;
    const to = current.current;
    setRunning((count) => count + 1);
    const drawing = await act(pressed, { host, traffic, consent: consent.current, onAsk });
    setRunning((count) => count - 1);
    if (drawing && current.current === to) setAnswer({ to, drawing });
  });
  const isAnswered = answer?.to === first;
  return {
    drawing: isAnswered ? answer.drawing : first,
    press: press.current,
    isBusy: running > 0,
    back: isAnswered ? () => setAnswer(undefined) : undefined,
  };
}

function Around({
  host,
  tool,
  title,
  sender,
  zoom,
  children,
}: ScreenProps & { zoom: number; children: ComponentChildren }) {
  switch (host.look.chrome) {
    case "chat":
      return (
        <>
          <p class="bubble">Show me: {title}</p>
          <p class="called">
            <i aria-hidden="true" /> {tool}
          </p>
          {children}
        </>
      );
    case "editor":
      return (
        <>
          <p class="strip">CHAT</p>
          <p class="bubble">Show me: {title}</p>
          <p class="called">
            <Icon name="check" size={14} /> Ran <code>{tool}</code>
          </p>
          {children}
        </>
      );
    case "channel":
      return (
        <>
          <p class="strip">{host.id === "slack" ? "# general" : sender}</p>
          {children}
        </>
      );
    case "terminal":
      return (
        <>
          <p class="strip dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </p>
          <p class="prompt" style={{ zoom: String(zoom) }}>
            <span>$</span> widgetcast call {tool}
          </p>
          {children}
        </>
      );
    default:
      return (
        <>
          <p class="strip">answer.md</p>
          {children}
        </>
      );
  }
}

export function Screen(props: ScreenProps) {
  const { host, conditions, tool, page } = props;
  const [ref, room] = useRoom();
  const seen = useSeen(ref);
  const phase = usePhase(conditions, props.drawing);
  const [asked, setAsked] = useState<Asked[]>([]);
  const [question, setQuestion] = useState<Question>();
  const [refused, setRefused] = useState<Declaration[]>([]);
  const told = (one: Asked) => setAsked((all) => [...all, one].slice(-MAX_ASKED));
  const { drawing, press, isBusy, back } = usePresses(props, told, setQuestion);
  const theme = themeOf(host, conditions, props.theme);
  const mode = modeOf(host, conditions);
  const wanted = mode === "pip" ? 360 : widthOf(host, conditions);
  // The lines of a terminal cannot be broken.
  const { width, zoom } = fitted(wanted, room, host.look.chrome === "terminal" ? 0.55 : undefined);
  const isFrame = host.isFrame && page !== undefined;
  const losses = lossesOf(host, drawing, conditions, page !== undefined);
  const { look } = host;

  const blocked = (one: Refused) => {
    setRefused((all) => withRefused(all, one, drawing.tree !== null));
  };
  const [missing, setMissing] = useState<Missing[]>([]);
  useEffect(() => setMissing([]), [drawing]);
  const lacked = (one: Missing) =>
    setMissing((all) => (all.some(({ address }) => address === one.address) ? all : [...all, one]));
  const locale = localeOf(conditions);
  const stripped = conditions.meta === "stripped" && host.surface === "slack-blocks";
  const [painter, setPainter] = useState<Painter>();
  const [problem, setProblem] = useState<string>();
  const subject = {
    host: stripped ? { ...host, surface: "text" } : host,
    drawing,
    theme,
    locale,
    sender: props.sender,
  };
  useEffect(() => {
    if (isFrame) return;
    let alive = true;
    painterOf({ ...subject, onPress: press }).then(
      (made) => alive && setPainter(made),
      (error: Error) => alive && setProblem(error.message),
    );
    return () => {
      alive = false;
    };
  }, [isFrame, host, drawing, theme, locale, stripped]);

  const hasPicture = !(isFrame && (drawing.tree === null || drawing.tree === undefined));
  const save = async () => {
    try {
      await savePng(`${tool}-${host.id}`, await painterOf(subject), {
        width: wanted,
        theme,
        ground: look.page,
        variables: look.variables ?? {},
      });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const sent = new TextEncoder().encode(shownBy(host, drawing)?.text ?? "").length;
  const style = {
    colorScheme: theme,
    "--host-page": look.page,
    "--host-ink": look.ink,
    "--host-bubble": look.bubble,
    "--host-line": look.line,
    "--host-accent": look.accent,
  };
  return (
    <article
      class={classes("host", props.isOnly && "only")}
      data-host={host.id}
      aria-label={host.label}
      ref={ref}
    >
      <header class="host-head">
        <h3>
          <i style={{ background: look.accent, colorScheme: theme }} aria-hidden="true" />
          {host.label}
        </h3>
        <span class="quiet">
          {width} px{zoom < 1 && ` at ${Math.round(zoom * 100)}%`}
        </span>
        {losses.length > 0 && (
          <span class="lost" title={[...new Set(losses.map(({ reason }) => reason))].join("\n")}>
            {losses.length} lost
          </span>
        )}
        <span class="space" />
        <button
          type="button"
          class="button bare"
          disabled={!hasPicture}
          title={
            hasPicture ? "Save as PNG" : "A custom page cannot be saved here: take a screenshot"
          }
          aria-label={`Save ${host.label} as PNG`}
          onClick={save}
        >
          <Icon name="picture" />
        </button>
        <button
          type="button"
          class="button bare"
          aria-pressed={props.isOnly}
          title={props.isOnly ? "Side by side" : "Only this one"}
          aria-label={props.isOnly ? "Show hosts side by side" : `Show only ${host.label}`}
          onClick={props.onOnly}
        >
          <Icon name={props.isOnly ? "grid" : "large"} />
        </button>
      </header>
      <div class={classes("screen", `in-${look.chrome}`, `in-${mode}`)} style={style}>
        <Around {...props} zoom={zoom}>
          <div
            class="drawing"
            aria-busy={isBusy}
            style={{ width: `${width}px`, zoom: String(zoom) }}
          >
            {problem && <p class="hint">{problem}</p>}
            {isFrame ? (
              seen && room > 0 ? (
                <Frame
                  key={`${tool} ${page} ${conditions.outcome} ${conditions.meta} ${conditions.motion}`}
                  uri={page}
                  tool={tool}
                  host={host}
                  conditions={conditions}
                  theme={theme}
                  width={width}
                  mode={mode}
                  input={props.input}
                  result={drawing.result}
                  traffic={props.traffic}
                  onAsk={told}
                  onQuestion={setQuestion}
                  onRefused={blocked}
                />
              ) : (
                <div class="skeleton" />
              )
            ) : (
              <Phased phase={phase}>
                <Painted painter={painter} onMissing={lacked} />
              </Phased>
            )}
          </div>
          <Conversation asked={asked} question={question} onBack={back} />
        </Around>
      </div>
      <footer class="host-foot">
        <span title="What this host receives, and which part of it the model reads">
          {sent > 0 && `${size(sent)} sent, `}≈ {tokens(drawing.model.bytes).toLocaleString("en")}{" "}
          tokens for the model
        </span>
        <Refusals refused={refused} />
        <Pictures missing={missing} host={host} />
        <Losses losses={losses} tree={drawing.tree} />
      </footer>
    </article>
  );
}

function Phased({ phase, children }: { phase: Phase; children: ComponentChildren }) {
  if (phase === "waiting") return <div class="skeleton" />;
  if (phase === "failed") return <p class="outcome">{FAILURE}</p>;
  if (phase === "cancelled") return <p class="outcome">The call was cancelled.</p>;
  return <>{children}</>;
}
