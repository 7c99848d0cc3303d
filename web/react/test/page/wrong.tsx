/** @jsxImportSource react */
// What the types of the components must refuse; `tsc` fails if one of these compiles.

import { Button, Card, Chart, Form, Input, Select, Table } from "@widgetcast/react/ui";

const days = [{ day: "Mon", calls: 3 }];
declare const tool:
  | { status: "waiting"; input?: { id: string } }
  | { status: "done"; output: { calls: number } }
  | { status: "failed"; error: Error }
  | { status: "cancelled"; reason: string | undefined };

/** As `useCallTool` gives it. */
declare const order: {
  call(args: { product: string; count: number }, options?: { signal?: AbortSignal }): Promise<void>;
};

export const right = (
  <Card state={tool} title="Calls">
    {({ output }) => (
      <>
        <Chart data={days} xAxis="day" series={[{ dataKey: "calls", label: `${output.calls}` }]} />
        <Form onSubmit={order.call} />
        <Form<{ count: number }>
          onSubmit={({ count }) => order.call({ product: "lamp", count: count + 1 })}
        />
        <Form onSubmit={(values) => Object.values(values).map(String)} />
      </>
    )}
  </Card>
);

export const wrong = [
  <Card key="1" state={tool}>
    {/* @ts-expect-error the output is that of the tool */}
    {({ output }) => output.mails}
  </Card>,
  // @ts-expect-error no member of the data
  <Chart key="2" data={days} xAxis="day" series={[{ dataKey: "mails" }]} />,
  // @ts-expect-error no variant
  <Button key="3" variant="loud" />,
  // @ts-expect-error a row has no such member, and render says so
  <Table key="4" rows={days} columns={[{ key: "day", render: (row) => row.mails }]} />,
  // @ts-expect-error a value, not an event
  <Select key="5" options={[]} onChange={(event) => event.target} />,
  // @ts-expect-error the sizes of controls
  <Input key="6" size={12} />,
  // @ts-expect-error nothing says that it is a number
  <Form key="7" onSubmit={({ count }) => count + 1} />,
];
