/** @jsxImportSource #jsx */
// The roots of a tree: card, list, and the bare one.

import { useState } from "#react";
import { Box, FormFrame } from "./box";
import { drawButton } from "./button";
import type { Part, PartOf, RenderContext } from "./context";
import { boxStyle } from "./markup/box";
import {
  CardInside,
  cardLook,
  LIST_LOOK,
  ListInside,
  RootFrame,
  renderBody,
  renderFoot,
  renderItem,
  renderStatus,
} from "./markup/card";
import { match, record, text } from "./markup/prop";
import { renderIcon } from "./text";
import { useAction } from "./use-action";

interface Root {
  frame: { theme: string | undefined; locked: boolean };
  /** What a root changes for its children: the theme, and what an action locks. */
  change: Partial<RenderContext> & { dark: boolean };
}

function useRoot({ props, context }: PartOf<"Card" | "ListView" | "Basic">): Root {
  const theme = match(props.theme, /^(light|dark)$/);
  const [locked, setBusy] = useState(false);
  const dark = theme ? theme === "dark" : context.dark;
  return { frame: { theme, locked }, change: { dark, setBusy } };
}

function statusOf({ props, context }: PartOf<"Card" | "ListView">) {
  const given = record(props.status) ?? {};
  return renderStatus(given, renderIcon(context, text(given.icon), 14));
}

export function Card(part: PartOf<"Card">) {
  const { node, props, context } = part;
  const root = useRoot(part);
  const look = cardLook(props, root.change.dark);
  if (look.theme) root.change.dark = look.theme === "dark";
  const change = node.form ? { ...root.change, form: node } : root.change;
  const inner = (
    <>
      {renderBody(part.renderChildren(change))}
      <Footer node={node} context={{ ...context, ...change }} />
    </>
  );
  return (
    <RootFrame {...root.frame} look={look}>
      <CardInside props={props} status={statusOf(part)} locale={context.options.locale}>
        {node.form ? (
          <FormFrame part={part} look={{ className: "wc-col" }}>
            {inner}
          </FormFrame>
        ) : (
          inner
        )}
      </CardInside>
    </RootFrame>
  );
}

/** The two buttons of a card. */
function Footer(part: Pick<Part, "node" | "context">) {
  const { node, context } = part;
  const cancel = record(node.props.cancel) ?? {};
  const confirm = record(node.props.confirm) ?? {};
  const [cancelling, runCancel] = useAction(part, "self");
  const [confirming, runConfirm] = useAction(part, "container");
  const submit = node.form > 0;
  if (!text(cancel.label) && !text(confirm.label)) return null;
  return renderFoot(
    <>
      {text(cancel.label) &&
        drawButton(context, { label: cancel.label }, " wc-v-soft wc-c-secondary", cancelling, () =>
          runCancel(cancel.action, text(cancel.label)),
        )}
      {text(confirm.label) &&
        drawButton(
          context,
          { label: confirm.label, submit },
          " wc-v-solid wc-c-primary",
          confirming,
          (event) => {
            if (submit && !event.currentTarget.closest("form")?.reportValidity()) return;
            runConfirm(confirm.action, text(confirm.label));
          },
        )}
    </>,
  );
}

export function ListView(part: PartOf<"ListView">) {
  const { node, props } = part;
  const { frame, change } = useRoot(part);
  return (
    <RootFrame {...frame} look={LIST_LOOK}>
      <ListInside
        limit={props.limit}
        locale={part.context.options.locale}
        status={statusOf(part)}
        items={part.renderChildren(change)}
        isBare={(at) => node.children[at]?.type !== "ListViewItem"}
      />
    </RootFrame>
  );
}

export function ListViewItem(part: PartOf<"ListViewItem">) {
  const { props } = part;
  const [busy, run] = useAction(part, "self");
  const action = record(props.onClickAction);
  const look = {
    className: "wc-row",
    style: boxStyle({ gap: props.gap, align: props.align }, false),
  };
  const onClick = (event: { currentTarget: Element }) => {
    const label = event.currentTarget.nextElementSibling?.textContent?.trim();
    run(action, label?.slice(0, 80));
  };
  return renderItem(look, part.id, part.renderChildren(), action && onClick, busy);
}

export function Basic(part: PartOf<"Basic">) {
  const { frame, change } = useRoot(part);
  return (
    <RootFrame {...frame} look={{ className: "wc-basic" }}>
      <Box
        {...part}
        context={{ ...part.context, ...change }}
        renderChildren={() => part.renderChildren(change)}
      />
    </RootFrame>
  );
}
