// One ticket: in a modal of the host, or in a dialog of the page.

import type { ToolOutput, ToolRegistry } from "@widgetcast/client";
import { Button, Caption, Col, Row, Text, Title } from "@widgetcast/react/ui";
import { useEffect, useId, useRef } from "react";

type Ticket = ToolOutput<ToolRegistry, "stats">["waiting"][number];

export function Details({ ticket, id }: { ticket: Ticket | undefined; id?: string }) {
  if (!ticket) return <Text color="secondary">This ticket is no longer open.</Text>;
  return (
    <Col gap={2}>
      <Title size="sm" id={id}>
        {ticket.title}
      </Title>
      <Text>{ticket.body || "Nothing more was said."}</Text>
      <Caption>{`Ticket ${ticket.id}, with ${ticket.assignee ?? "nobody"}`}</Caption>
    </Col>
  );
}

interface DialogProps {
  ticket: Ticket | undefined;
  onClose(): void;
}

/** The browser's own dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
export function DetailsDialog({ ticket, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    if (ticket) dialog.current?.showModal();
    else dialog.current?.close();
  }, [ticket]);
  return (
    <dialog ref={dialog} className="details" aria-labelledby={title} onClose={onClose}>
      {ticket && (
        <Col gap={4}>
          <Details ticket={ticket} id={title} />
          <Row justify="end">
            <Button onClick={onClose}>Close</Button>
          </Row>
        </Col>
      )}
    </dialog>
  );
}
