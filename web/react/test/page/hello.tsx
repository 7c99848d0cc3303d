/** @jsxImportSource react */
// The smallest page that does something, to be measured.

import { useClient, useToolOutput } from "@widgetcast/react";
import { Button, Table } from "@widgetcast/react/ui";
import { createRoot } from "react-dom/client";

interface Row {
  name: string;
  count: number;
}

const rowsOf = (output: object | undefined): Row[] =>
  output && "rows" in output && Array.isArray(output.rows) ? output.rows : [];

function Hello() {
  const client = useClient();
  const rows = rowsOf(useToolOutput());
  return (
    <>
      <Table columns={[{ key: "name" }, { key: "count", align: "end" }]} rows={rows} />
      <Button onClick={() => client.sendFollowUpMessage("Hello")}>Say hello</Button>
    </>
  );
}

createRoot(document.body.appendChild(document.createElement("main"))).render(<Hello />);
