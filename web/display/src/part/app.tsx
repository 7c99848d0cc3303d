/** @jsxImportSource react */
// What is around every page: the host's look, language and mode, one line for notices, closing.

import { createClient, type DisplayMode } from "@widgetcast/client";
import { chooseLocale, directionOf, type Say, speaker, type Words } from "@widgetcast/i18n";
import { words as common } from "@widgetcast/i18n/display/common";
import {
  ClientProvider,
  useClient,
  useDisplayMode,
  useHostContext,
  useToolOutput,
} from "@widgetcast/react";
import { Page } from "@widgetcast/react/ui";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { createRoot } from "react-dom/client";

interface Place {
  locale: string;
  mode: DisplayMode;
  /** The modes that the host offers, without those that it refused when asked. */
  modes: string[];
  setMode(mode: DisplayMode): Promise<void>;
  /** Says something in the page's one notice line. */
  tell(notice: string): void;
  /** Whether the host has answered, so that `client.can` knows all. */
  isReady: boolean;
}

const Context = createContext<Place>({
  locale: "en",
  mode: "inline",
  modes: [],
  setMode: async () => {},
  tell: () => {},
  isReady: false,
});

export const usePlace = (): Place => useContext(Context);

export function useWords<W extends Words>(words: W): Say<W> {
  const { locale } = usePlace();
  return useMemo(() => speaker(words, locale), [words, locale]);
}

export const useCommon = (): Say<typeof common> => useWords(common);

function useMode(isReady: boolean) {
  const client = useClient();
  const { availableDisplayModes } = useHostContext();
  const [mode, request] = useDisplayMode();
  const [refused, setRefused] = useState<string[]>([]);
  const setMode = useCallback(
    async (wish: DisplayMode) => {
      const got = await request(wish).catch(() => undefined);
      if (got?.mode !== wish) setRefused((before) => [...before, wish]);
    },
    [request],
  );
  const canAsk = isReady && client.can("requestDisplayMode");
  const modes = useMemo(
    () => (canAsk ? availableDisplayModes.filter((one) => !refused.includes(one)) : []),
    [canAsk, availableDisplayModes, refused],
  );
  return { mode, modes, setMode };
}

function App({ children }: { children: ReactNode }) {
  const client = useClient();
  const context = useHostContext();
  const output = useToolOutput();
  const [isReady, setReady] = useState(false);
  const [notice, setNotice] = useState({ text: "" });
  const { mode, modes, setMode } = useMode(isReady);
  const locale = chooseLocale(output?.locale, context.locale);

  useEffect(() => {
    client.ready.then(() => setReady(true));
  }, [client]);

  // After `Page`, which takes over the language of the host.
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = locale;
    root.dir = directionOf(locale);
    root.dataset.mode = mode;
  }, [context, locale, mode]);

  useEffect(() => {
    if (!notice.text) return;
    const timer = setTimeout(setNotice, 6000, { text: "" });
    return () => clearTimeout(timer);
  }, [notice]);
  const tell = useCallback((text: string) => setNotice({ text }), []);

  const place = useMemo(
    () => ({ locale, mode, modes, setMode, tell, isReady }),
    [locale, mode, modes, setMode, tell, isReady],
  );
  return (
    <Context.Provider value={place}>
      <Page dir={directionOf(locale)} lang={locale}>
        {children}
        <div className="notice" role="status">
          {notice.text && <p>{notice.text}</p>}
        </div>
      </Page>
    </Context.Provider>
  );
}

/** `displayModes` are those that the page is made for; all by default. */
export function mount(Content: () => ReactNode, displayModes?: DisplayMode[]): void {
  createRoot(document.getElementById("root") as HTMLElement).render(
    <ClientProvider client={createClient(displayModes && { displayModes })}>
      <App>
        <Content />
      </App>
    </ClientProvider>,
  );
}
