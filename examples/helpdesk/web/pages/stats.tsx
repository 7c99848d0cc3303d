// The page of the tool `stats`. Its types come from the server, by tools.d.ts.

import {
  useCallTool,
  useCan,
  useClient,
  useLocale,
  useTool,
  useView,
  useViewState,
} from "@widgetcast/react";
import {
  Badge,
  Button,
  Caption,
  Card,
  Chart,
  Page,
  Row,
  Select,
  Table,
  Text,
} from "@widgetcast/react/ui";
import { useState } from "react";
import { Details, DetailsDialog } from "./stats/details";
import { Reminders } from "./stats/reminders";
import "./stats/stats.css";

const PERIODS = [7, 14, 30];

export default function Stats() {
  const tool = useTool("stats");
  // The same tool again, for another period.
  const other = useCallTool("stats");
  const assign = useCallTool("assign");
  // Kept by the host or by the server: it is there again when the page is opened again.
  const [{ days }, keep] = useViewState({ days: 7 });
  const [shown, setShown] = useState<number>();
  const client = useClient();
  const hasModal = useCan("requestModal");
  const canAssign = useCan("callTool");
  const view = useView();
  const date = new Intl.DateTimeFormat(useLocale(), {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });

  const choose = (next: number) => {
    keep({ days: next });
    return other.call({ days: next });
  };
  const take = async (ticket: number) => {
    await assign.call({ ticket });
    await other.call({ days });
  };
  const open = (ticket: number) => {
    if (!hasModal) return setShown(ticket);
    // A host may have it and refuse it.
    return client.requestModal({ params: { ticket } }).catch(() => setShown(ticket));
  };

  return (
    <Page>
      <Card title="Helpdesk" state={tool} size="full">
        {({ output: first }) => {
          const output = other.output ?? first;
          const ticketOf = (id: unknown) => output.waiting.find((ticket) => ticket.id === id);
          if (view.mode === "modal") return <Details ticket={ticketOf(ticketIn(view.params))} />;
          const error = other.error ?? assign.error;
          const people = output.people.map(({ name, open }) => ({ name: name ?? "nobody", open }));
          return (
            <>
              <Row gap={2} wrap="wrap" align="center">
                <Badge color="info">{`${output.open} open`}</Badge>
                <Badge color="success">{`${output.closed} closed`}</Badge>
                <Badge color={output.unassigned ? "warning" : "secondary"}>
                  {`${output.unassigned} without anybody`}
                </Badge>
                <div className="period">
                  <Select
                    aria-label="Period"
                    size="sm"
                    value={String(output.days.length)}
                    onChange={(value) => choose(Number(value))}
                    options={[...new Set([...PERIODS, output.days.length])]
                      .sort((a, b) => a - b)
                      .map((count) => ({ value: String(count), label: `${count} days` }))}
                  />
                </div>
              </Row>
              {error && (
                <Text color="danger" size="sm" role="alert">
                  {error.message}
                </Text>
              )}
              <div className="charts" aria-busy={other.pending}>
                <div>
                  <Caption>Tickets per day</Caption>
                  <Chart
                    label="Tickets per day"
                    data={output.days.map((one) => ({
                      ...one,
                      day: date.format(new Date(one.day)),
                    }))}
                    xAxis="day"
                    height={180}
                    showYAxis
                    series={[
                      { type: "bar", dataKey: "opened", label: "Opened" },
                      { type: "bar", dataKey: "closed", label: "Closed", color: "green-500" },
                    ]}
                  />
                </div>
                <div>
                  <Caption>Open tickets per person</Caption>
                  <Chart
                    label="Open tickets per person"
                    data={people}
                    xAxis="name"
                    height={180}
                    series={[{ type: "bar", dataKey: "open", label: "Open" }]}
                  />
                </div>
              </div>
              <Table
                label="Open tickets"
                rows={output.waiting}
                rowKey={(ticket) => ticket.id}
                columns={[
                  {
                    key: "title",
                    label: "Open tickets",
                    render: (ticket) => (
                      <Button
                        className="ticket"
                        variant="ghost"
                        size="sm"
                        onClick={() => open(ticket.id)}
                      >
                        {ticket.title}
                      </Button>
                    ),
                  },
                  {
                    key: "assignee",
                    label: "With",
                    align: "end",
                    render: ({ id, assignee }) =>
                      assignee ??
                      (canAssign && (
                        <Button size="sm" variant="soft" onClick={() => take(id)}>
                          Take it
                        </Button>
                      )),
                  },
                ]}
              />
              <Reminders count={output.open} />
              <DetailsDialog ticket={ticketOf(shown)} onClose={() => setShown(undefined)} />
            </>
          );
        }}
      </Card>
    </Page>
  );
}

/** Which ticket a modal was asked for: a host gives back what it was given. */
const ticketIn = (params: unknown): unknown =>
  typeof params === "object" && params && "ticket" in params ? params.ticket : undefined;
