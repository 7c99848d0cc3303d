/** @jsxImportSource react */
// Markdown by @widgetcast/react/ui, with images where the policy lets them in, and code to copy.

import { Markdown as Prose } from "@widgetcast/react/ui";
import { useState } from "react";
import { useCommon } from "./app";
import { Button } from "./control";
import { useCopy, useOpen } from "./host";
import { pictureUrl } from "./url";

function Picture({ url, alt }: { url: string; alt: string }) {
  const [isLost, setLost] = useState(false);
  const source = pictureUrl(url);
  if (!source || isLost) return <span className="note">[{alt || "…"}]</span>;
  return <img src={source} alt={alt} loading="lazy" onError={() => setLost(true)} />;
}

function Code({ text, language }: { text: string; language: string }) {
  const say = useCommon();
  const copy = useCopy();
  return (
    <figure className="code">
      <figcaption>
        <span>{language}</span>
        <Button
          kind="ghost"
          icon="copy"
          label={say("copy")}
          onClick={() => copy(text, { name: "code.txt", type: "text/plain" })}
        />
      </figcaption>
      <pre dir="ltr">
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** `top` is how many levels of heading the page has above the text. */
export function Markdown({ text, top = 0 }: { text: string; top?: number }) {
  const open = useOpen();
  return (
    <Prose
      dir="auto"
      headings={top}
      onLink={(url) => open(url) || window.open(url, "_blank", "noopener")}
      renderCode={(code, language) => <Code text={code} language={language} />}
      renderImage={(url, alt) => <Picture url={url} alt={alt} />}
    >
      {text}
    </Prose>
  );
}
