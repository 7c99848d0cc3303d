/** @jsxImportSource react */
import type { KeyboardEvent, ReactNode } from "react";
import { useCommon, usePlace } from "./app";
import { useOpen } from "./host";
import { Icon, type IconName } from "./icon";

interface ButtonProps {
  kind?: "primary" | "secondary" | "ghost";
  icon?: IconName;
  /** Of a button that has an icon alone. */
  label?: string;
  children?: ReactNode;
  isDisabled?: boolean;
  isPressed?: boolean;
  className?: string;
  onClick(): void;
}

export function Button(props: ButtonProps) {
  const { kind = "secondary", icon, label, children, isDisabled, isPressed, className } = props;
  return (
    <button
      type="button"
      className={`button ${kind}${children ? "" : " bare"}${className ? ` ${className}` : ""}`}
      aria-label={label}
      title={children ? undefined : label}
      aria-pressed={isPressed}
      // Not `disabled`: that would take the focus away from the button that was just pressed.
      aria-disabled={isDisabled || undefined}
      onClick={() => isDisabled || props.onClick()}
    >
      {icon && <Icon name={icon} />}
      {children && <span>{children}</span>}
    </button>
  );
}

export function Chip(props: {
  isPressed?: boolean;
  count?: string;
  isDisabled?: boolean;
  children: ReactNode;
  onClick(): void;
}) {
  const { isPressed, count, isDisabled, children, onClick } = props;
  return (
    <button
      type="button"
      className="chip"
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      onClick={() => isDisabled || onClick()}
    >
      {children}
      {count && <span className="count">{count}</span>}
    </button>
  );
}

export function Badge({
  tone = "plain",
  children,
}: {
  tone?: "plain" | "good" | "bad" | "info";
  children: ReactNode;
}) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

/** A link that the host opens, else the browser. */
export function Link({
  url,
  className,
  children,
}: {
  url: string;
  className?: string;
  children: ReactNode;
}) {
  const say = useCommon();
  const open = useOpen();
  return (
    <a
      href={url}
      className={className}
      target="_blank"
      rel="noreferrer noopener"
      onClick={(event) => {
        if (open(url)) event.preventDefault();
      }}
    >
      {children}
      <span className="hidden"> ({say("opens")})</span>
    </a>
  );
}

/** One choice of a few; arrow keys move it, as in a group of radio buttons. */
export function Segments<K extends string>(props: {
  label: string;
  options: readonly (readonly [K, string])[];
  value: K;
  /** The panel that they are the tabs of. */
  panel?: string;
  onChange: (value: NoInfer<K>) => void;
}) {
  const { label, options, value, panel, onChange } = props;
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = arrow(event);
    if (step === undefined) return;
    event.preventDefault();
    const at = options.findIndex(([key]) => key === value);
    const next = stepped(at, step, options.length);
    onChange((options[next] as readonly [K, string])[0]);
    (event.currentTarget.children[next] as HTMLElement).focus();
  };
  const [group, role] = panel ? ["tablist", "tab"] : ["radiogroup", "radio"];
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of the two above
    <div className="segments" role={group} aria-label={label} onKeyDown={move}>
      {options.map(([key, text]) => (
        <button
          key={key}
          type="button"
          role={role}
          {...(panel
            ? { "aria-selected": key === value, "aria-controls": panel }
            : { "aria-checked": key === value })}
          tabIndex={key === value ? 0 : -1}
          onClick={() => onChange(key)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

/** How far an arrow key goes in a list: one on or back, or to an end. */
export function arrow({ key, currentTarget }: KeyboardEvent<HTMLElement>): number | undefined {
  const isTurned = getComputedStyle(currentTarget).direction === "rtl";
  if (key === "ArrowDown") return 1;
  if (key === "ArrowUp") return -1;
  if (key === "ArrowRight") return isTurned ? -1 : 1;
  if (key === "ArrowLeft") return isTurned ? 1 : -1;
  if (key === "Home") return Number.NEGATIVE_INFINITY;
  if (key === "End") return Number.POSITIVE_INFINITY;
  return undefined;
}

export function stepped(at: number, step: number, count: number): number {
  if (Math.abs(step) > count) return step < 0 ? 0 : count - 1;
  return (at + step + count) % count;
}

export function ModeButtons({ isPip = false }: { isPip?: boolean }) {
  const say = useCommon();
  const { mode, modes, setMode } = usePlace();
  const isFull = mode === "fullscreen";
  return (
    <>
      {isPip && modes.includes("pip") && mode !== "pip" && (
        <Button kind="ghost" icon="pip" label={say("pip")} onClick={() => setMode("pip")} />
      )}
      {modes.includes(isFull ? "inline" : "fullscreen") && (
        <Button
          kind="ghost"
          icon={isFull ? "shrink" : "expand"}
          label={say(isFull ? "leave" : "fullscreen")}
          onClick={() => setMode(isFull ? "inline" : "fullscreen")}
        />
      )}
    </>
  );
}

export function Header(props: { title: ReactNode; note?: ReactNode; children?: ReactNode }) {
  return (
    <header className="header">
      <div>
        <h1>{props.title}</h1>
        {props.note && <p className="note">{props.note}</p>}
      </div>
      {props.children && <div className="tools">{props.children}</div>}
    </header>
  );
}

export function Empty(props: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={props.icon} />
      <p className="strong">{props.title}</p>
      {props.children}
    </div>
  );
}

/** Grey lines where text will be. */
export function Skeleton({
  lines = 3,
  kind = "line",
}: {
  lines?: number;
  kind?: "line" | "card" | "row";
}) {
  const say = useCommon();
  return (
    <div className={`skeleton ${kind}s`} role="status">
      <span className="hidden">{say("loading")}</span>
      {Array.from({ length: lines }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}
