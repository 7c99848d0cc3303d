/** @jsxImportSource react */
// Controls of the pages: those of @widgetcast/react/ui with the words and habits of these pages, and
// those that it does not have.

import { Button as Pressed, Badge as Tag, Title } from "@widgetcast/react/ui";
import { type KeyboardEvent, type ReactNode, useEffect } from "react";
import { useCommon, usePlace } from "./app";
import { useOpen } from "./host";
import { drawingOf, Icon, type IconName } from "./icon";

interface ButtonProps {
  kind?: "primary" | "secondary" | "ghost";
  icon?: IconName;
  /** Of a button that has an icon alone. */
  label?: string;
  children?: ReactNode;
  isDisabled?: boolean;
  isPressed?: boolean;
  isSmall?: boolean;
  className?: string;
  onClick(): void;
}

const VARIANTS = { primary: "solid", secondary: "outline", ghost: "ghost" } as const;

export function Button(props: ButtonProps) {
  const { kind = "secondary", icon, label, children, isDisabled, isPressed, className } = props;
  return (
    <Pressed
      variant={VARIANTS[kind]}
      pill
      size={props.isSmall ? "sm" : "md"}
      className={className}
      iconStart={icon && drawingOf(icon)}
      aria-label={label}
      title={children ? undefined : label}
      aria-pressed={isPressed}
      // Not `disabled`: that would take the focus away from the button that was just pressed.
      aria-disabled={isDisabled || undefined}
      onClick={() => {
        if (!isDisabled) props.onClick();
      }}
    >
      {children}
    </Pressed>
  );
}

export function Chip(props: {
  isPressed?: boolean;
  count?: string;
  isDisabled?: boolean;
  icon?: IconName;
  children: ReactNode;
  onClick(): void;
}) {
  const { count, children, ...rest } = props;
  return (
    <Button {...rest} isSmall kind={rest.isPressed ? "primary" : "secondary"}>
      {children}
      {count && <span className="count">{count}</span>}
    </Button>
  );
}

const COLORS = { plain: "secondary", good: "success", bad: "danger", info: "info" } as const;

export function Badge({
  tone = "plain",
  children,
}: {
  tone?: keyof typeof COLORS;
  children: ReactNode;
}) {
  return (
    <Tag color={COLORS[tone]} pill>
      {children}
    </Tag>
  );
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

/** Asks for the full screen; nothing where there is none, or the page is there already. */
export function useExpand(): (() => void) | undefined {
  const { mode, modes, setMode } = usePlace();
  return mode !== "fullscreen" && modes.includes("fullscreen")
    ? () => void setMode("fullscreen")
    : undefined;
}

/** The way to the full screen where a page has more to show there, and the way back. */
export function ModeButtons({
  isMore = false,
  isPip = false,
}: {
  isMore?: boolean;
  isPip?: boolean;
}) {
  const say = useCommon();
  const expand = useExpand();
  const { mode, modes, setMode } = usePlace();
  const canLeave = mode === "fullscreen" && modes.includes("inline");
  return (
    <>
      {isPip && modes.includes("pip") && mode !== "pip" && (
        <Button kind="ghost" icon="pip" label={say("pip")} onClick={() => setMode("pip")} />
      )}
      {isMore && expand && (
        <Button kind="ghost" icon="expand" label={say("fullscreen")} onClick={expand} />
      )}
      {canLeave && (
        <Button kind="ghost" icon="shrink" label={say("leave")} onClick={() => setMode("inline")} />
      )}
    </>
  );
}

export function Header(props: { title: string; note?: ReactNode; children?: ReactNode }) {
  const { title } = props;
  const isFull = usePlace().mode === "fullscreen";
  // The document has the name of the page in English until there is one in the reader's language.
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <header className="header">
      <div>
        <Title level={1} size={isFull ? "lg" : "sm"}>
          {title}
        </Title>
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
