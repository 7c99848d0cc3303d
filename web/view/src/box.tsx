/** @jsxImportSource #jsx */
// Boxes, forms, tables of a tree, and what separates them.

import { translate } from "@widgetcast/i18n";
import { table } from "@widgetcast/i18n/view";
import type { ReactNode } from "react";
import type { Part, PartOf } from "./context";
import * as markup from "./markup/box";
import type { Look } from "./markup/element";
import { record } from "./markup/prop";
import * as grid from "./markup/table";
import { useAction } from "./use-action";

export function Box(part: PartOf<"Box">) {
  const { node, props, context } = part;
  const look = markup.boxLook(node.type, props, context.dark);
  const change = look.theme ? { dark: look.theme === "dark" } : {};
  return node.form ? (
    <FormFrame part={part} look={look}>
      {part.renderChildren({ ...change, form: node })}
    </FormFrame>
  ) : (
    markup.renderBox(look, part.renderChildren(change))
  );
}

/** The action of a form itself. */
export function submission({ type, props }: Part["node"]): unknown {
  return type === "Form" ? props.onSubmitAction : record(props.confirm)?.action;
}

/** A form. Enter in one of its fields sends it. */
export function FormFrame(frame: { part: Part; look: Look; children: ReactNode }) {
  const { node, context } = frame.part;
  const [, run] = useAction({ node, context: { ...context, form: node } }, "self");
  return markup.renderForm(frame.look, () => run(submission(node)), frame.children);
}

export const Divider = ({ props }: PartOf<"Divider">) => markup.renderDivider(props);

export const Spacer = ({ props }: PartOf<"Spacer">) => markup.renderSpacer(props);

export function Transition({ node, renderChildren }: Part) {
  return <markup.Fade name={node.children[0]?.key ?? ""}>{renderChildren()}</markup.Fade>;
}

export function Table({ node, context, renderChildren }: Part) {
  const rows = renderChildren();
  const first = node.children.findIndex(({ props }) => props.header !== true);
  const head = rows.splice(0, first < 0 ? rows.length : first);
  const { locale } = context.options;
  return (
    <grid.Table
      label={translate(table, locale)}
      locale={locale}
      head={head.length > 0 && head}
      rows={rows}
      span={node.children[0]?.children.length ?? 1}
    />
  );
}

export function TableRow({ props, renderChildren }: PartOf<"Table.Row">) {
  const head = props.header === true;
  return grid.renderRow(head, renderChildren({ head }));
}

export const TableCell = ({ props, context, renderChildren }: PartOf<"Table.Cell">) =>
  grid.renderCell(props, context.head, renderChildren({ head: false }));
