/** @jsxImportSource react */
// The smallest page that does something, to be measured.

import { useClient, useToolOutput } from "@widgetcast/react";
import { Button, Table } from "@widgetcast/react/ui";
import { createRoot } from "react-dom/client";

function Hello() {
  const client = useClient();
  const output = useToolOutput<{ rows: { name: string; count: number }[] }>();
  return (
    <>
      <Table
        columns={[{ key: "name" }, { key: "count", align: "end" }]}
        rows={output?.rows ?? []}
      />
      <Button onClick={() => client.sendFollowUpMessage("Hello")}>Say hello</Button>
    </>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(<Hello />);
