// Markdown as vnodes. Blocks are keyed by place: a growing text changes its last one.

import { type Block, type Inline, type Item, isLink, readMarkdown } from "@widgetcast/markdown";
import type { ComponentChild, VNode } from "preact";
import { text } from "./prop";

type OnLink = ((url: string) => void) | undefined;

function anchor(url: string, label: ComponentChild[], onLink: OnLink): VNode {
  const open = (event: Event): void => {
    event.preventDefault();
    onLink?.(url);
  };
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" onClick={open}>
      {label.length > 0 ? label : url}
    </a>
  );
}

function inline(nodes: Inline[], onLink: OnLink, inLink = false): ComponentChild[] {
  return nodes.map((node) => {
    if (typeof node === "string") return node;
    if (node.type === "break") return <br />;
    if (node.type === "code") return <code>{node.text}</code>;
    const { type, children } = node;
    if (type === "link") return anchor(node.url, inline(children, onLink, true), onLink);
    if (type === "image") {
      // A picture is a link: most hosts forbid to load it. Inside a link it is its label alone.
      const label = inline(children, onLink, true);
      if (!isLink(node.url)) return label;
      return inLink ? (label.length > 0 ? label : node.url) : anchor(node.url, label, onLink);
    }
    const Tag = type;
    return <Tag>{inline(children, onLink, inLink)}</Tag>;
  });
}

function blockOf(block: Block, key: number, onLink: OnLink): VNode {
  switch (block.type) {
    case "heading": {
      // The widget and the conversation around it have the first two levels.
      const Tag = `h${Math.min(6, block.level + 2)}` as "h3";
      return (
        <Tag key={key} class={`wc-h${block.level}`}>
          {inline(block.children, onLink)}
        </Tag>
      );
    }
    case "paragraph":
      return <p key={key}>{inline(block.children, onLink)}</p>;
    case "code":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <pre key={key} tabIndex={0}>
          <code data-lang={block.language || undefined}>{block.text}</code>
        </pre>
      );
    case "quote":
      return <blockquote key={key}>{blocks(block.children, onLink)}</blockquote>;
    case "rule":
      return <hr key={key} />;
    case "list": {
      const List = block.start === undefined ? "ul" : "ol";
      return (
        <List
          key={key}
          class={block.loose ? "wc-loose" : undefined}
          start={block.start || undefined}
        >
          {block.items.map((one, n) => item(one, n, onLink))}
        </List>
      );
    }
    case "table":
      return table(block, key, onLink);
  }
}

function blocks(list: Block[], onLink: OnLink): VNode[] {
  return list.map((block, key) => blockOf(block, key, onLink));
}

function item({ done, children }: Item, key: number, onLink: OnLink): VNode {
  // The space between the paragraphs of an item is that of the list.
  const [first, ...rest] = children.map((block, n) =>
    block.type === "paragraph" ? (
      <span key={n}>{inline(block.children, onLink)}</span>
    ) : (
      blockOf(block, n, onLink)
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
    <li key={key} class="wc-task">
      <label>
        <input type="checkbox" disabled checked={done} />
        <span>{first}</span>
      </label>
      {rest}
    </li>
  );
}

function table(block: Block & { type: "table" }, key: number, onLink: OnLink): VNode {
  const row = (cells: Inline[][], Cell: "th" | "td", n: number): VNode => (
    <tr key={n}>
      {cells.map((cell, column) => (
        <Cell
          key={column}
          scope={Cell === "th" ? "col" : undefined}
          style={{ textAlign: block.aligns[column] }}
        >
          {inline(cell, onLink)}
        </Cell>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <div key={key} class="wc-scroll" tabIndex={0}>
      <table>
        <thead>{row(block.head, "th", 0)}</thead>
        <tbody>{block.rows.map((cells, n) => row(cells, "td", n))}</tbody>
      </table>
    </div>
  );
}

export function Markdown(props: {
  value: string;
  streaming?: boolean | undefined;
  onLink?: OnLink;
}): VNode {
  const list = readMarkdown(text(props.value), props.streaming === true);
  return <div class="wc-md">{blocks(list, props.onLink)}</div>;
}

export const markdownCss = `
.wc-md{font-size:16px;line-height:1.5;overflow-wrap:anywhere;min-width:0}
.wc-md :where(h3,h4,h5,h6,p,ul,ol,pre,blockquote){margin:0;font-size:1em}
.wc-md :where(h3,h4,h5,h6){font-weight:600;line-height:1.3}
.wc-md>*+*,.wc-md blockquote>*+*,.wc-md .wc-loose>*+*{margin-top:.75em}
.wc-md .wc-h1{font-size:1.4em}.wc-md .wc-h2{font-size:1.2em}.wc-md .wc-h3{font-size:1.08em}
.wc-md>*+[class^=wc-h]{margin-top:1.25em}.wc-md>[class^=wc-h]+*{margin-top:.4em}
.wc-md :where(ul,ol){padding-inline-start:1.5em}.wc-md :where(li+li,li>*+*){margin-top:.3em}
.wc-md li>span{display:block}
.wc-md li::marker{color:var(--wc-text-2);font-variant-numeric:tabular-nums}
.wc-md .wc-task{list-style:none;margin-inline-start:-1.4em}
.wc-md label{display:flex;gap:.5em}
.wc-md input{flex:none;appearance:none;margin:.42em 0 0;width:1em;height:1em;border:1.5px solid var(--wc-text-3);border-radius:4px;font:700 .8em/1 var(--wc-font);text-align:center}
.wc-md input:checked{background:var(--wc-text);border-color:var(--wc-text)}
.wc-md input:checked:before{content:"✓";color:var(--wc-surface)}
.wc-md blockquote{padding-inline-start:1em;border-inline-start:3px solid var(--wc-border);color:var(--wc-text-2)}
.wc-md hr{border:0;border-top:1px solid var(--wc-border);margin-block:1.25em}
.wc-md a{color:inherit;text-decoration:underline var(--wc-text-3);text-underline-offset:.2em}
.wc-md a:hover{text-decoration-color:currentColor}
.wc-md code{font:.875em var(--wc-mono);background:var(--wc-surface-2);border-radius:4px;padding:.1em .3em}
.wc-md pre{overflow-x:auto;background:var(--wc-surface-2);border-radius:8px;padding:.7em .9em}
.wc-md pre code{padding:0;white-space:pre;line-height:1.5}
.wc-md .wc-scroll{overflow-x:auto}
.wc-md table{border-collapse:collapse;font-size:.875em;font-variant-numeric:tabular-nums;overflow-wrap:normal;min-width:100%}
.wc-md :is(th,td){padding:.5em 0;padding-inline-end:1em;border-bottom:1px solid var(--wc-border);vertical-align:top}
.wc-md :is(th,td):last-child{padding-inline-end:0}
.wc-md th{font-weight:600;color:var(--wc-text-2);white-space:nowrap}
.wc-md tr:last-child>td{border:0}
`;
