/** @jsxImportSource react */
// Markdown as elements. Nothing is ever parsed as HTML.

import { type Block, type Inline, readMarkdown, textOf } from "@widgetcast/markdown";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { useCommon } from "./app";
import { Button, Link } from "./control";
import { useCopy } from "./host";
import { Icon } from "./icon";
import { pictureUrl, webUrl } from "./url";

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
  if (part.type === "image")
    return <Picture url={pictureUrl(part.url)} alt={textOf(part.children)} />;
  if (part.type === "link") {
    const url = webUrl(part.url)?.href;
    return url ? <Link url={url}>{inlines(part.children)}</Link> : inlines(part.children);
  }
  const Tag = part.type;
  return <Tag>{inlines(part.children)}</Tag>;
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
          {inlines(block.children)}
        </Tag>
      );
    }
    case "paragraph":
      return <p dir="auto">{inlines(block.children)}</p>;
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "quote":
      return (
        <blockquote>
          <Blocks list={block.children} top={top} />
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
              <Item list={item.children} top={top} />
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
                  {block.aligns.map((textAlign, at) => (
                    <td key={at} style={{ textAlign }}>
                      {inlines(row[at] ?? [])}
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
      <span dir="auto">{inlines(first.children)}</span>
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
  const list = useMemo(() => readMarkdown(text), [text]);
  return (
    <div className="markdown">
      <Blocks list={list} top={top} />
    </div>
  );
}
