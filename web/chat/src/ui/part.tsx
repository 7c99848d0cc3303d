// Small parts that are used everywhere.

import { Markdown, type MarkdownOptions } from "@widgetcast/view";
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { locale, say } from "../place";
import { Icon, type IconName } from "./icon";

/** The state of something that tells when it changes. */
export function useStore<T>(store: { state: T; subscribe(listener: () => void): () => void }): T {
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  useLayoutEffect(() => {
    let frame = 0;
    // Words come faster than anyone sees them.
    const stop = store.subscribe(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        redraw();
      });
    });
    return () => {
      cancelAnimationFrame(frame);
      stop();
    };
  }, [store]);
  return store.state;
}

interface IconButtonProps {
  icon: IconName;
  label: string;
  onClick(): void;
  class?: string;
  isPressed?: boolean;
  isDisabled?: boolean;
  size?: number;
  keys?: string;
}

export function IconButton(props: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${props.class ?? ""}`}
      aria-label={props.label}
      title={props.label}
      aria-keyshortcuts={props.keys}
      aria-pressed={props.isPressed}
      disabled={props.isDisabled}
      onClick={props.onClick}
    >
      <Icon name={props.icon} {...(props.size && { size: props.size })} />
    </button>
  );
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A button that shows for a while that it has copied. */
export function CopyButton({ text }: { text(): string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(setCopied, 2000, false);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      icon={isCopied ? "check" : "copy"}
      label={say(isCopied ? "copied" : "copy")}
      size={16}
      onClick={() => copyText(text()).then(setCopied)}
    />
  );
}

// Typed for React, compiled with Preact.
const Prose = Markdown as unknown as FunctionComponent<
  MarkdownOptions & { value: string; streaming?: boolean }
>;

export const openLink = (url: string): void =>
  void window.open(url, "_blank", "noopener,noreferrer");

const renderCode = (code: string, language: string) =>
  (
    <figure class="code">
      <figcaption>
        <span>{language}</span>
        <CopyButton text={() => code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre dir="ltr" tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  ) as never;

/** Untrusted Markdown as elements; pictures stay links, so that reading a message tells nobody. */
export const Text = ({ value, isOpen = false }: { value: string; isOpen?: boolean }) => (
  <div class="prose" dir="auto">
    <Prose
      value={value}
      streaming={isOpen}
      locale={locale}
      headings={3}
      onLink={openLink}
      renderCode={renderCode}
    />
  </div>
);

/** A modal dialog: the browser keeps the focus in it, closes it by Escape, and gives the focus back. */
export function Dialog(props: {
  label: string;
  class: string;
  onClose(): void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => {
      isGone.current = true;
      current?.close();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      class={props.class}
      aria-label={props.label}
      // `close` comes in a task of its own, when the next dialog may be open; Escape does not wait for it.
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
      onClose={() => isGone.current || props.onClose()}
      onClick={(event) => event.target === dialog.current && props.onClose()}
    >
      <div class="inside">{props.children}</div>
    </dialog>
  );
}

export const Spinner = () => <span class="spinner" aria-hidden="true" />;
