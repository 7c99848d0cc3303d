/** @jsxImportSource #jsx */
// One component of a tree, in an error boundary of its own: what throws inside leaves the rest drawn.

import { translate } from "@widgetcast/i18n";
import { not_shown } from "@widgetcast/i18n/host";
import { useErrorBoundary } from "preact/hooks";
import type { ReactNode } from "react";
import { useRef } from "#react";
import * as box from "./box";
import { Button } from "./button";
import type { Part, PartOf, RenderContext } from "./context";
import * as field from "./field";
import { renderFault } from "./markup/card";
import { Chart } from "./markup/chart";
import type { ComponentProps } from "./markup/component-props";
import { Image } from "./markup/image";
import { pick } from "./markup/prop";
import * as root from "./root";
import { Select } from "./select";
import * as words from "./text";
import type { TreeNode } from "./tree";

const COMPONENTS: { [K in keyof ComponentProps]: (part: PartOf<K>) => ReactNode } = {
  Badge: words.Badge,
  Basic: root.Basic,
  Box: box.Box,
  Button,
  Caption: words.Caption,
  Card: root.Card,
  Chart: ({ props, context }) => (
    <Chart {...(props as Omit<typeof props, "key">)} locale={context.options.locale} />
  ),
  Checkbox: field.Checkbox,
  Col: box.Box,
  DatePicker: field.DatePicker,
  Divider: box.Divider,
  Form: box.Box,
  Icon: words.Icon,
  Image: ({ props, context }) => <Image props={props} dark={context.dark} />,
  Input: field.Input,
  Label: words.Label,
  ListView: root.ListView,
  ListViewItem: root.ListViewItem,
  Markdown: words.Markdown,
  RadioGroup: field.RadioGroup,
  Row: box.Box,
  Select,
  Spacer: box.Spacer,
  Table: box.Table,
  "Table.Cell": box.TableCell,
  "Table.Row": box.TableRow,
  Text: words.Text,
  Textarea: field.Textarea,
  Title: words.Title,
  Transition: box.Transition,
};

export const TYPES = Object.keys(COMPONENTS);

function Unknown({ node, context, renderChildren }: Part) {
  return (
    <div className="wc-quiet wc-col">
      <span>
        {translate(not_shown, context.options.locale)}: {node.type.slice(0, 60)}
      </span>
      {renderChildren()}
    </div>
  );
}

interface Props {
  node: TreeNode;
  context: RenderContext;
  top?: boolean;
}

export function Node({ node, context, top }: Props) {
  const failed = useRef<{ node: TreeNode; error: unknown }>(undefined);
  useErrorBoundary((error) => {
    failed.current = { node, error };
  });
  // The next drawing, which has another node, tries again.
  if (failed.current?.node === node) {
    const { error } = failed.current;
    const title = translate(not_shown, context.options.locale);
    if (top) return renderFault(title, error instanceof Error ? error.message : "");
    return <div className="wc-quiet">{title}</div>;
  }
  const Component = pick<(part: Part) => ReactNode>(COMPONENTS, node.type) ?? Unknown;
  return (
    <Component
      node={node}
      props={node.props}
      context={context}
      id={`${context.id}-${node.index}`}
      renderChildren={(change) =>
        node.children.map((child) => (
          <Node
            key={child.key}
            node={child}
            context={change ? { ...context, ...change } : context}
          />
        ))
      }
    />
  );
}
