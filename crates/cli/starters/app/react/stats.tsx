// The page of the tool `stats`. tools.d.ts contains the types of the server's tools.

import { useCallTool, useTool, useViewState } from "@widgetcast/react";
import { Card, Chart, Checkbox, Page, Row, Select, Text } from "@widgetcast/react/ui";

const label = (ago: number) => (ago === 0 ? "Today" : ago === 1 ? "Yesterday" : `${ago} days ago`);
const choices = (now: number) => [...new Set([3, 7, 14, now])].sort((a, b) => a - b);

export default function Stats() {
  const tool = useTool("stats");
  // Calls the same tool for another number of days.
  const other = useCallTool("stats");
  // Stored by the host or the server, so it survives a reload.
  const [view, setView] = useViewState({ closed: true });

  return (
    <Page>
      <Card title="Tickets per day" state={tool} size="lg">
        {({ output }) => {
          const { days } = other.output ?? output;
          return (
            <>
              <Row gap={4} wrap="wrap">
                <Select
                  aria-label="Days"
                  size="sm"
                  value={String(days.length)}
                  onChange={(value) => other.call({ days: Number(value) })}
                  options={choices(days.length).map((count) => ({
                    value: String(count),
                    label: `${count} days`,
                  }))}
                />
                <Checkbox
                  label="Closed"
                  checked={view.closed}
                  onChange={({ target }) => setView({ closed: target.checked })}
                />
              </Row>
              {other.error && (
                <Text color="danger" size="sm" role="alert">
                  {other.error.message}
                </Text>
              )}
              <Chart
                label="Tickets per day"
                data={days.map(({ ago, ...day }) => ({ ...day, day: label(ago) }))}
                xAxis="day"
                height={200}
                showYAxis
                showLegend
                series={[
                  { type: "bar", dataKey: "opened", label: "Opened" },
                  ...(view.closed
                    ? [{ type: "bar", dataKey: "closed", label: "Closed" } as const]
                    : []),
                ]}
              />
            </>
          );
        }}
      </Card>
    </Page>
  );
}
