// A call that takes its time: it says how far it is, and can be cancelled.

import { useCallTool, useCan } from "@widgetcast/react";
import { Button, Row, Text } from "@widgetcast/react/ui";
import { useEffect, useRef } from "react";

export function Reminders({ count }: { count: number }) {
  const remind = useCallTool("remind");
  const canCancel = useCan("cancel");
  // A call outlives its component, unless a signal ends it.
  const gone = useRef<AbortController>(undefined);
  useEffect(() => () => gone.current?.abort(), []);
  const start = () => {
    gone.current = new AbortController();
    return remind.call({}, { signal: gone.current.signal });
  };

  const { pending, progress, output, error } = remind;
  const said = pending
    ? progress?.message
      ? `Reminding of ${progress.message} …`
      : "Reminding …"
    : (error?.message ?? (output && `${output.sent} reminders were sent`));
  return (
    <Row gap={3} wrap="wrap" align="center">
      <Button variant="outline" pending={pending} disabled={count === 0} onClick={start}>
        Remind everybody
      </Button>
      {pending && canCancel && (
        <Button variant="ghost" onClick={remind.cancel}>
          Cancel
        </Button>
      )}
      {pending && progress && (
        <progress aria-label="Reminders" value={progress.progress} max={progress.total} />
      )}
      <Text size="sm" color={error ? "danger" : "secondary"} role="status">
        {said ?? ""}
      </Text>
    </Row>
  );
}
