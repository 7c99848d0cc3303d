/** @jsxImportSource react */
// Blocks as elements. Nothing is ever parsed as HTML.

import { Fragment, type ReactNode, useMemo, useState } from "react";
import { useCommon } from "../part/app";
import { Button, Link } from "../part/control";
import { useCopy } from "../part/host";
import { Icon } from "../part/icon";
import { type Block, markdown } from "./block";
import type { Inline } from "./inline";

function Picture({ url, alt }: { url: string | undefined; alt: string }) {
  const [isLost, setLost] = useState(false);
  if (!url || isLost) return <span className="note">[{alt || "…"}]</span>;
  return <img src={url} alt={alt} loading="lazy" onError={() => setLost(true)} />;
}

function inlines(parts: readonly Inline[]): ReactNode {
  return parts.map((part, at) => {
    return <Fragment key={at}>{one(part)}</Fragment>;
  });
}

function one(part: Inline): ReactNode {
  if (typeof part === "string") return part;
  if (part.type === "code") return <code>{part.text}</code>;
  if (part.type === "break") return <br />;
  if (part.type === "image") return <Picture url={part.url} alt={part.alt} />;
  if (part.type === "link") return <Link url={part.url}>{inlines(part.kids)}</Link>;
  const Tag = part.type;
  return <Tag>{inlines(part.kids)}</Tag>;
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

function Piece({ block, top }: { block: Block; top: number }): ReactNode {
  switch (block.type) {
    case "heading": {
      // The page has its own title, so the document's headings begin below it.
      const Tag = `h${Math.min(block.level + top, 6)}` as "h2";
      return (
        <Tag className={`level${block.level}`} dir="auto">
          {inlines(block.kids)}
        </Tag>
      );
    }
    case "paragraph":
      return <p dir="auto">{inlines(block.kids)}</p>;
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "quote":
      return (
        <blockquote>
          <Blocks list={block.kids} top={top} />
        </blockquote>
      );
    case "rule":
      return <hr />;
    case "list": {
      const Tag = block.start === undefined ? "ul" : "ol";
      return (
        <Tag start={block.start === 1 ? undefined : block.start}>
          {block.items.map((item, at) => (
            <li key={at} className={item.done === undefined ? undefined : "task"}>
              {item.done !== undefined && (
                <span className="box" role="img" aria-label={item.done ? "☑" : "☐"}>
                  {item.done && <Icon name="check" />}
                </span>
              )}
              <Item list={item.kids} top={top} />
            </li>
          ))}
        </Tag>
      );
    }
    case "table":
      return (
        <div className="wide">
          <table>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at} scope="col" style={{ textAlign: block.aligns[at] }}>
                    {inlines(cell)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, line) => (
                <tr key={line}>
                  {row.map((cell, at) => (
                    <td key={at} style={{ textAlign: block.aligns[at] }}>
                      {inlines(cell)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

/** A list item of one paragraph is text, not a paragraph. */
function Item({ list, top }: { list: readonly Block[]; top: number }) {
  const [first, ...rest] = list;
  if (first?.type !== "paragraph") return <Blocks list={list} top={top} />;
  return (
    <>
      <span dir="auto">{inlines(first.kids)}</span>
      <Blocks list={rest} top={top} />
    </>
  );
}

function Blocks({ list, top }: { list: readonly Block[]; top: number }) {
  return list.map((block, at) => {
    return <Piece key={at} block={block} top={top} />;
  });
}

/** `top` is how many levels of heading the page has above the text. */
export function Markdown({ text, top = 0 }: { text: string; top?: number }) {
  const list = useMemo(() => markdown(text), [text]);
  return (
    <div className="markdown">
      <Blocks list={list} top={top} />
    </div>
  );
}
