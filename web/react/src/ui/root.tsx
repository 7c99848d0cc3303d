/** @jsxImportSource react */
// What is around all components: the style sheet, the host's theme, language and writing direction.

import { applyHostContext } from "@widgetcast/client";
import { directionOf } from "@widgetcast/i18n";
import { useClient, useHostContext } from "@widgetcast/react";
import {
  createContext,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefAttributes,
  useContext,
  useLayoutEffect,
  useMemo,
} from "react";
import { insertStyle } from "./style";

export interface Surroundings {
  locale: string;
  dark: boolean;
  /** Opens a URL through the host, or in a new window if the host cannot open it. */
  open(url: string): void;
}

const Context = /* @__PURE__ */ createContext<Surroundings | undefined>(undefined);

/** What a component that is in a root knows of it. */
export const useSurroundings = (): Surroundings => useContext(Context) as Surroundings;

/** Overrides the theme for a part of the page. */
export function Themed({ dark, children }: { dark: boolean; children: ReactNode }) {
  const around = useSurroundings();
  const value = useMemo(() => ({ ...around, dark }), [around, dark]);
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

type RootProps = HTMLAttributes<HTMLDivElement> & { bare?: boolean | undefined };

export function Root({ bare, children, className, ...native }: RootProps) {
  // While it renders, and not in an effect: a chart measures itself in the first effect.
  insertStyle();
  const client = useClient();
  const context = useHostContext();
  const { theme } = context;
  const locale = native.lang ?? context.locale;
  useLayoutEffect(() => applyHostContext(context), [context]);
  const around = useMemo(
    () => ({
      locale,
      dark: theme === "dark",
      open(url: string) {
        if (client.can("openLink")) client.openLink(url).catch(() => {});
        else window.open(url, "_blank", "noopener");
      },
    }),
    [client, locale, theme],
  );
  const name = bare ? "wc wc-bare" : "wc wc-page";
  return (
    <Context.Provider value={around}>
      <div
        {...native}
        className={className ? `${name} ${className}` : name}
        dir={native.dir ?? directionOf(locale)}
        lang={locale}
      >
        {children}
      </div>
    </Context.Provider>
  );
}

export type PageProps = HTMLAttributes<HTMLDivElement>;

/**
 * The root of a page: stacks its children inside the safe area, in the host's theme and direction.
 * A component outside a root creates its own, which does not affect the layout.
 */
export function Page(props: PageProps): ReactNode {
  return <Root {...props} />;
}

/** A component that makes a root for itself where it is in none. */
export function rooted<E, P>(
  name: string,
  draw: (props: P, ref: Ref<E>) => ReactNode,
): ForwardRefExoticComponent<P & RefAttributes<E>> {
  // Not `draw` itself: React warns of a function that takes no ref.
  const Inner = forwardRef((props: object, ref: Ref<E>) => draw(props as P, ref));
  const Outer = forwardRef((props: object, ref: Ref<E>) => {
    const inner = <Inner {...props} ref={ref} />;
    return useContext(Context) ? inner : <Root bare>{inner}</Root>;
  });
  Outer.displayName = name;
  return Outer as unknown as ForwardRefExoticComponent<P & RefAttributes<E>>;
}
