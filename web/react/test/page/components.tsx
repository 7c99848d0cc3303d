/** @jsxImportSource react */
// Draws all cases for React, or one of the parts below that a test uses.

import { createClient } from "@widgetcast/client";
import { ClientProvider } from "@widgetcast/react";
import {
  Button,
  Card,
  Checkbox,
  DatePicker,
  Form,
  Input,
  Markdown,
  Page,
  RadioGroup,
  Select,
} from "@widgetcast/react/ui";
import { Fragment, type ReactNode, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { CASES } from "./cases";

declare global {
  interface Window {
    show(part: "cases" | "form" | "parts"): void;
    showState(state: Parameters<typeof Card>[0]["state"]): void;
    /** What the form gave. */
    sent: unknown[];
    finish(): void;
  }
}

const root = createRoot(document.getElementById("root") as HTMLElement);
const client = createClient({ name: "components", autoResize: false });
const render = (children: ReactNode) =>
  root.render(
    <StrictMode>
      <ClientProvider client={client}>{children}</ClientProvider>
    </StrictMode>,
  );

window.sent = [];
const later = () =>
  new Promise<void>((done) => {
    window.finish = done;
  });

function Cases() {
  return CASES.map(({ name, element }) => (
    <div key={name} data-case={name}>
      {element}
    </div>
  ));
}

const MANY = Array.from({ length: 20 }, (_, at) => ({ value: `v${at}`, label: `Value ${at}` }));

function Fields() {
  const [name, setName] = useState("");
  const onSubmit = (values: unknown) => {
    window.sent.push(values);
    return later();
  };
  return (
    <Page>
      <Form onSubmit={onSubmit}>
        <Input
          label="Name"
          name="name"
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Input label="Age" name="age" type="number" />
        <Checkbox label="Agree" name="agree" />
        <RadioGroup
          label="Colour"
          name="colour"
          options={[{ value: "red" }, { value: "blue" }]}
          defaultValue="red"
        />
        <Select label="Value" name="value" options={MANY} texts={{ search: "Suche" }} required />
        <Select label="Size" name="size" options={[{ value: "s" }, { value: "l" }]} required />
        <DatePicker
          label="Day"
          name="day"
          defaultValue="2026-03-10"
          clearable
          texts={{ choose: "Tag wählen", clear: "Leeren" }}
        />
        <Button type="submit">Send</Button>
      </Form>
      <output>{name}</output>
    </Page>
  );
}

window.show = (part) => {
  if (part === "cases") render(<Cases />);
  else if (part === "form") render(<Fields />);
  else
    render(
      <Fragment>
        <Button onClick={later}>Wait</Button>
        <Card collapsed texts={{ unfold: "Mehr", fold: "Weniger" }}>
          Inside
        </Card>
        <Markdown>{"[a link](https://example.com/x)"}</Markdown>
      </Fragment>,
    );
};
window.showState = (state) =>
  render(
    <Card title="The call" state={state}>
      {(done) => <p>It is {done.status}.</p>}
    </Card>,
  );
