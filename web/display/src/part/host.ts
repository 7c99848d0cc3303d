// What pages ask of the host, each with a fallback where the host cannot do it.

import type { Ability } from "@widgetcast/client";
import { useClient } from "@widgetcast/react";
import { useCallback } from "react";
import { useCommon, usePlace } from "./app";

export function useCan(ability: Ability): boolean {
  const client = useClient();
  return usePlace().isReady && client.can(ability);
}

/** Sends a message in the user's name and says how that went; nothing where the host takes none. */
export function useAsk(): ((prompt: string) => Promise<boolean>) | undefined {
  const client = useClient();
  const say = useCommon();
  const { tell } = usePlace();
  const can = useCan("sendMessage");
  const ask = useCallback(
    async (prompt: string) => {
      try {
        await client.sendFollowUpMessage(prompt);
        tell(say("sent"));
        return true;
      } catch {
        tell(say("unsent"));
        return false;
      }
    },
    [client, say, tell],
  );
  return can ? ask : undefined;
}

/** Opens an address through the host; false where the browser should do it. */
export function useOpen(): (url: string) => boolean {
  const client = useClient();
  const say = useCommon();
  const { tell } = usePlace();
  return useCallback(
    (url) => {
      if (!client.can("openLink")) return false;
      client.openLink(url).catch(() => tell(say("unopened", { url })));
      return true;
    },
    [client, say, tell],
  );
}

/** The clipboard of a sandboxed frame is often closed to the new interface and open to the old one. */
async function toClipboard(text: string): Promise<boolean> {
  const { featurePolicy } = document as {
    featurePolicy?: { allowsFeature(name: string): boolean };
  };
  try {
    // Where the policy forbids it, asking is an error in the console.
    if (featurePolicy?.allowsFeature("clipboard-write") === false) throw Error();
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    const before = document.activeElement as HTMLElement | null;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    before?.focus();
    return isCopied;
  }
}

/** Copies, else saves through the host; false where neither is allowed, so that the page shows the text. */
export function useCopy(): (
  text: string,
  file: { name: string; type: string },
) => Promise<boolean> {
  const client = useClient();
  const say = useCommon();
  const { tell } = usePlace();
  return useCallback(
    async (text, { name, type }) => {
      if (await toClipboard(text)) tell(say("copied"));
      else {
        const resource = { uri: `file:///${name}`, mimeType: type, text };
        const isSaved =
          client.can("downloadFile") &&
          (await client.downloadFile([{ type: "resource", resource }]).then(
            () => true,
            () => false,
          ));
        tell(say(isSaved ? "saved" : "uncopied"));
        return isSaved;
      }
      return true;
    },
    [client, say, tell],
  );
}
