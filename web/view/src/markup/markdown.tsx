/** @jsxImportSource #jsx */
// Markdown as elements. Blocks are keyed by place: a growing text changes its last one.

import {
  type Block,
  type Inline,
  type Item,
  isLink,
  readMarkdown,
  textOf,
} from "@widgetcast/markdown";
import type { MouseEvent, ReactElement, ReactNode } from "react";
import { Fragment } from "#react";
import { attributes, type Native } from "./element";
import { text } from "./prop";
import { Table } from "./table";

export interface MarkdownOptions {
  /** Opens a link; without it links do nothing. */
  onLink?: ((url: string) => void) | undefined;
  /** How many levels of heading are above the text. */
  headings?: number | undefined;
  /** The language of what the drawing adds; English without it. */
  locale?: string | undefined;
  /** Draws a block of code in another way. */
  renderCode?: ((code: string, language: string) => ReactNode) | undefined;
  /** Draws a picture, which else is a link: most hosts forbid to load it. */
  renderImage?: ((url: string, alt: string) => ReactNode) | undefined;
}

function anchor(url: string, key: number, label: ReactNode[], { onLink }: MarkdownOptions) {
  const open = (event: MouseEvent): void => {
    event.preventDefault();
    onLink?.(url);
  };
  return (
    <a key={key} href={url} target="_blank" rel="noopener noreferrer" onClick={open}>
      {label.length > 0 ? label : url}
    </a>
  );
}

function inline(nodes: Inline[], options: MarkdownOptions, inLink = false): ReactNode[] {
  return nodes.map((node, key) => {
    if (typeof node === "string") return node;
    if (node.type === "break") return <br key={key} />;
    if (node.type === "code") return <code key={key}>{node.text}</code>;
    const { type, children } = node;
    if (type === "link") return anchor(node.url, key, inline(children, options, true), options);
    if (type === "image") {
      const { renderImage } = options;
      if (renderImage)
        return <Fragment key={key}>{renderImage(node.url, textOf(children))}</Fragment>;
      // Inside a link it is its label alone.
      const label = inline(children, options, true);
      if (!isLink(node.url)) return label;
      return inLink ? (label.length > 0 ? label : node.url) : anchor(node.url, key, label, options);
    }
    const Tag = type;
    return <Tag key={key}>{inline(children, options, inLink)}</Tag>;
  });
}

function blockOf(block: Block, key: number, options: MarkdownOptions): ReactElement {
  switch (block.type) {
    case "heading": {
      // The widget and the conversation around it have the first two levels.
      const Tag = `h${Math.min(6, block.level + (options.headings ?? 2))}` as "h3";
      return (
        <Tag key={key} className={`wc-h${block.level}`}>
          {inline(block.children, options)}
        </Tag>
      );
    }
    case "paragraph":
      return <p key={key}>{inline(block.children, options)}</p>;
    case "code":
      if (options.renderCode)
        return <Fragment key={key}>{options.renderCode(block.text, block.language)}</Fragment>;
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre key={key} tabIndex={0}>
          <code data-lang={block.language || undefined}>{block.text}</code>
        </pre>
      );
    case "quote":
      return <blockquote key={key}>{blocks(block.children, options)}</blockquote>;
    case "rule":
      return <hr key={key} />;
    case "list": {
      const List = block.start === undefined ? "ul" : "ol";
      return (
        <List
          key={key}
          className={block.loose ? "wc-loose" : undefined}
          start={block.start || undefined}
        >
          {block.items.map((one, n) => item(one, n, options))}
        </List>
      );
    }
    case "table":
      return table(block, key, options);
  }
}

function blocks(list: Block[], options: MarkdownOptions): ReactElement[] {
  return list.map((block, key) => blockOf(block, key, options));
}

function item({ done, children }: Item, key: number, options: MarkdownOptions): ReactElement {
  // The space between the paragraphs of an item is that of the list.
  const [first, ...rest] = children.map((block, n) =>
    block.type === "paragraph" ? (
      <span key={n}>{inline(block.children, options)}</span>
    ) : (
      blockOf(block, n, options)
    ),
  );
  if (done === undefined)
    return (
      <li key={key}>
        {first}
        {rest}
      </li>
    );
  return (
    <li key={key} className="wc-task">
      <label>
        <input type="checkbox" disabled checked={done} />
        <span>{first}</span>
      </label>
      {rest}
    </li>
  );
}

/** What is short, such as a figure with its unit, stays together; a long word is broken. */
const lengthOf = (words: string) =>
  words.length < 11 ? "wc-short" : /\S{24}/.test(words) ? "wc-long" : undefined;

function table(block: Block & { type: "table" }, key: number, options: MarkdownOptions) {
  const row = (cells: Inline[][], Cell: "th" | "td", n: number) => (
    <tr key={n}>
      {cells.map((cell, column) => (
        <Cell
          key={column}
          scope={Cell === "th" ? "col" : undefined}
          className={lengthOf(textOf(cell))}
          style={{ textAlign: block.aligns[column] }}
        >
          {inline(cell, options)}
        </Cell>
      ))}
    </tr>
  );
  return (
    <Table
      key={key}
      locale={options.locale}
      head={row(block.head, "th", 0)}
      rows={block.rows.map((cells, n) => row(cells, "td", n))}
      span={block.head.length}
    />
  );
}

interface MarkdownProps extends MarkdownOptions {
  value: string;
  streaming?: boolean | undefined;
  native?: Native | undefined;
}

export function Markdown(props: MarkdownProps): ReactElement {
  const list = readMarkdown(text(props.value), props.streaming === true);
  return <div {...attributes({ className: "wc-md" }, props.native)}>{blocks(list, props)}</div>;
}

export const markdownCss = `
.wc-md{font-size:16px;line-height:1.5}
.wc-md [class^=wc-h]{font-weight:600;line-height:1.3}
.wc-md>*+*,.wc-md blockquote>*+*,.wc-md .wc-loose>*+*{margin-top:.75em}
.wc-md .wc-h1{font-size:1.4em}.wc-md .wc-h2{font-size:1.2em}.wc-md .wc-h3{font-size:1.08em}
.wc-md>*+[class^=wc-h]{margin-top:1.25em}.wc-md>[class^=wc-h]+*{margin-top:.4em}
.wc-md :where(ul,ol){padding-inline-start:1.5em}.wc-md :where(li+li,li>*+*){margin-top:.3em}
.wc-md li>span{display:block}
.wc-md li::marker{color:var(--wc-text-2)}
.wc-md .wc-task{list-style:none;margin-inline-start:-1.4em}
.wc-md label{display:flex;gap:.5em}
.wc-md input{flex:none;appearance:none;margin:.42em 0 0;width:1em;height:1em;border:1.5px solid var(--wc-text-3);border-radius:4px;font:700 .8em/1 var(--wc-font);text-align:center}
.wc-md input:checked{background:var(--wc-text);border-color:var(--wc-text)}
.wc-md input:checked:before{content:"✓";color:var(--wc-surface)}
.wc-md blockquote{padding-inline-start:1em;border-inline-start:3px solid var(--wc-border);color:var(--wc-text-2)}
.wc-md hr{border-top:1px solid var(--wc-border);margin-block:1.25em}
.wc-md a{color:inherit;text-decoration:underline var(--wc-text-3);text-underline-offset:.2em}
.wc-md a:hover{text-decoration-color:currentColor}
.wc-md code{font:.875em var(--wc-mono);background:var(--wc-surface-2);border-radius:4px;padding:.1em .3em}
.wc-md pre{overflow-x:auto;background:var(--wc-surface-2);border-radius:8px;padding:.7em .9em}
.wc-md pre code{padding:0;white-space:pre;line-height:1.5}
`;
