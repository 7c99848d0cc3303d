/** @jsxImportSource react */
// Every component twice: as a tree, which the view draws, and for React. Both must look the same.

import { calendar, chevronRight, info, mail, plus, search } from "@widgetcast/react/icons";
import {
  Badge,
  Box,
  Button,
  Caption,
  Card,
  Chart,
  Checkbox,
  Col,
  DatePicker,
  Divider,
  Form,
  Icon,
  Image,
  Input,
  Label,
  ListView,
  ListViewItem,
  Markdown,
  RadioGroup,
  Row,
  Select,
  Spacer,
  Table,
  TableCell,
  TableRow,
  Text,
  Textarea,
  Title,
  Transition,
} from "@widgetcast/react/ui";
import { Fragment, type ReactNode } from "react";

export interface Case {
  name: string;
  tree: object;
  element: ReactNode;
}

const node = (type: string, props: object = {}, ...children: unknown[]) => ({
  type,
  ...props,
  ...(children.length > 0 && { children }),
});

const COLORS = ["secondary", "success", "danger", "warning", "info", "discovery"] as const;
const VARIANTS = ["solid", "soft", "outline", "ghost"] as const;
const SIZES = ["3xs", "2xs", "xs", "sm", "md", "lg", "xl", "2xl", "3xl"] as const;

// The view tells password managers to leave its fields alone; a page of one's own decides itself.
const quiet = { autoComplete: "off", "data-1p-ignore": "true", "data-lpignore": "true" };

const DATA = [
  { day: "Mon", calls: 12, mails: 30 },
  { day: "Tue", calls: 18, mails: 22 },
  { day: "Wed", calls: 9, mails: 41 },
];
const OPTIONS = [
  { value: "a", label: "First" },
  { value: "b", label: "Second", disabled: true },
  { value: "c", label: "Third" },
];
const DESCRIBED = OPTIONS.map((one) => ({ ...one, description: `About ${one.label}` }));
const PROSE = `# One\n\nA **bold** word, *another*, \`code\`, [a link](https://example.com/).\n\n## Two\n
- one\n- two\n  - inner\n\n1. first\n2. second\n\n- [x] done\n- [ ] open\n\n> quoted\n
| a | b |\n|:--|--:|\n| 1 | 2 |\n\n---\n\n~~~js\nlet a = 1;\n~~~\n\n![a picture](https://example.com/a.png)`;
const PIXEL =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E";

export const CASES: Case[] = [
  {
    name: "text",
    tree: node(
      "Card",
      {},
      node("Title", { value: "A title" }),
      node("Title", { value: "Large", size: "3xl", color: "info", weight: "normal" }),
      node("Text", { value: "Some text" }),
      node("Text", { value: "Small and quiet", size: "sm", color: "secondary", italic: true }),
      node("Text", { value: "Cut", truncate: true, textAlign: "center", width: 80 }),
      node("Text", { value: "Two lines", maxLines: 2, minLines: 2, lineThrough: true }),
      node("Text", { value: "Growing", streaming: true, color: "blue-500" }),
      node("Caption", { value: "A caption", size: "lg" }),
      node("Label", { value: "A label", fieldName: "x" }),
    ),
    element: (
      <Card>
        <Title>A title</Title>
        <Title size="3xl" color="info" weight="normal">
          Large
        </Title>
        <Text>Some text</Text>
        <Text size="sm" color="secondary" italic>
          Small and quiet
        </Text>
        <Text truncate textAlign="center" width={80}>
          Cut
        </Text>
        <Text maxLines={2} minLines={2} lineThrough>
          Two lines
        </Text>
        <Text streaming color="blue-500">
          Growing
        </Text>
        <Caption size="lg">A caption</Caption>
        <Label id="x-label" htmlFor="x">
          A label
        </Label>
      </Card>
    ),
  },
  {
    name: "badges",
    tree: node(
      "Card",
      { size: "lg" },
      ...(["solid", "soft", "outline"] as const).map((variant) =>
        node(
          "Row",
          { wrap: "wrap" },
          ...COLORS.map((color) => node("Badge", { label: color, color, variant })),
          node("Badge", { label: "pill", variant, pill: true, size: "lg" }),
        ),
      ),
    ),
    element: (
      <Card size="lg">
        {(["solid", "soft", "outline"] as const).map((variant) => (
          <Row key={variant} wrap="wrap">
            {COLORS.map((color) => (
              <Badge key={color} color={color} variant={variant}>
                {color}
              </Badge>
            ))}
            <Badge variant={variant} pill size="lg">
              pill
            </Badge>
          </Row>
        ))}
      </Card>
    ),
  },
  {
    name: "buttons",
    tree: node(
      "Card",
      { size: "lg" },
      node(
        "Row",
        { wrap: "wrap" },
        node("Button", { label: "Plain" }),
        ...VARIANTS.map((variant) => node("Button", { label: variant, variant })),
        ...["primary", "success", "danger"].map((color) => node("Button", { label: color, color })),
        node("Button", { label: "Off", disabled: true, variant: "solid" }),
        node("Button", { label: "Mail", iconStart: "mail", iconEnd: "chevron-right", pill: true }),
        node("Button", { iconStart: "plus", variant: "outline" }),
      ),
      node("Row", { wrap: "wrap" }, ...SIZES.map((size) => node("Button", { label: size, size }))),
      node("Button", { label: "Block", block: true, color: "discovery" }),
    ),
    element: (
      <Card size="lg">
        <Row wrap="wrap">
          <Button>Plain</Button>
          {VARIANTS.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
          {(["primary", "success", "danger"] as const).map((color) => (
            <Button key={color} color={color}>
              {color}
            </Button>
          ))}
          <Button disabled variant="solid">
            Off
          </Button>
          <Button iconStart={mail} iconEnd={chevronRight} pill>
            Mail
          </Button>
          <Button iconStart={plus} variant="outline" aria-label="plus" />
        </Row>
        <Row wrap="wrap">
          {SIZES.map((size) => (
            <Button key={size} size={size}>
              {size}
            </Button>
          ))}
        </Row>
        <Button block color="discovery">
          Block
        </Button>
      </Card>
    ),
  },
  {
    name: "boxes",
    tree: node(
      "Card",
      { padding: 3, background: "surface-secondary", border: { size: 2, color: "info" } },
      node(
        "Row",
        { justify: "between", align: "start", gap: 3, padding: { x: 2, y: 1 }, radius: "md" },
        node("Text", { value: "Left" }),
        node("Spacer", { minSize: 8 }),
        node("Col", { gap: 0, border: 1, width: 120 }, node("Text", { value: "Right" })),
      ),
      node("Divider", { spacing: 2 }),
      node("Box", { direction: "row", background: "blue-100", height: 30, margin: { top: 2 } }),
      node("Divider", { flush: true, color: "strong", size: 3 }),
      node("Transition", {}, node("Text", { key: "a", value: "Shown" })),
    ),
    element: (
      <Card padding={3} background="surface-secondary" border={{ size: 2, color: "info" }}>
        <Row justify="between" align="start" gap={3} padding={{ x: 2, y: 1 }} radius="md">
          <Text>Left</Text>
          <Spacer minSize={8} />
          <Col gap={0} border={1} width={120}>
            <Text>Right</Text>
          </Col>
        </Row>
        <Divider spacing={2} />
        <Box direction="row" background="blue-100" height={30} margin={{ top: 2 }} />
        <Divider flush color="strong" size={3} />
        <Transition name="a">
          <Text>Shown</Text>
        </Transition>
      </Card>
    ),
  },
  {
    name: "fields",
    tree: node(
      "Card",
      {},
      node(
        "Form",
        {},
        node("Label", { value: "Name", fieldName: "name" }),
        node("Input", { name: "name", required: true, placeholder: "Your name" }),
        node("Input", { name: "soft", variant: "soft", size: "sm", pill: true, defaultValue: "x" }),
        node("Input", { name: "off", ariaLabel: "Off", disabled: true, gutterSize: "xl" }),
        node("Textarea", { name: "area", ariaLabel: "Area", rows: 2, autoResize: true }),
        node("Checkbox", { name: "check", label: "Agree", required: true }),
        node("Checkbox", { name: "on", label: "On", defaultChecked: true, disabled: true }),
        node("Label", { value: "Which", fieldName: "radio" }),
        node("RadioGroup", { name: "radio", options: OPTIONS, defaultValue: "a" }),
        node("RadioGroup", {
          name: "across",
          ariaLabel: "Across",
          options: OPTIONS,
          direction: "row",
        }),
        node("Select", { name: "pick", ariaLabel: "Pick", options: OPTIONS, placeholder: "Pick" }),
        node("Select", {
          name: "long",
          ariaLabel: "Long",
          options: DESCRIBED,
          defaultValue: "c",
          clearable: true,
          block: true,
        }),
        node("DatePicker", { name: "date", ariaLabel: "Date", placeholder: "When" }),
        node("DatePicker", {
          name: "day",
          ariaLabel: "Day",
          defaultValue: "2026-03-09",
          clearable: true,
        }),
        node("Button", { label: "Send", submit: true }),
      ),
    ),
    element: (
      <Card>
        <Form>
          <Label id="n-label" htmlFor="n" required>
            Name
          </Label>
          <Input
            id="n"
            aria-labelledby="n-label"
            required
            placeholder="Your name"
            {...quiet}
            onChange={() => {}}
          />
          <Input
            variant="soft"
            size="sm"
            pill
            defaultValue="x"
            aria-label="Soft"
            placeholder=""
            {...quiet}
          />
          <Input aria-label="Off" disabled gutterSize="xl" placeholder="" {...quiet} />
          <Textarea aria-label="Area" rows={2} autoResize placeholder="" {...quiet} />
          <Checkbox id="c" label="Agree" required />
          <Checkbox id="o" label="On" defaultChecked disabled />
          <Label id="r-label" htmlFor="r">
            Which
          </Label>
          <RadioGroup id="r" aria-labelledby="r-label" options={OPTIONS} defaultValue="a" />
          <RadioGroup aria-label="Across" options={OPTIONS} direction="row" />
          <Select aria-label="Pick" options={OPTIONS} placeholder="Pick" />
          <Select aria-label="Long" options={DESCRIBED} defaultValue="c" clearable block />
          <DatePicker aria-label="Date" placeholder="When" />
          <DatePicker aria-label="Day" defaultValue="2026-03-09" clearable />
          <Button type="submit">Send</Button>
        </Form>
      </Card>
    ),
  },
  {
    name: "labelled fields",
    tree: node(
      "Card",
      {},
      node(
        "Col",
        {},
        node("Label", { value: "City", fieldName: "city" }),
        node("Select", { name: "city", options: OPTIONS, defaultValue: "a" }),
      ),
      node(
        "Col",
        {},
        node("Label", { value: "Day", fieldName: "day" }),
        node("DatePicker", { name: "day", defaultValue: "2026-03-09" }),
      ),
    ),
    element: (
      <Card>
        <Select label="City" options={OPTIONS} defaultValue="a" />
        <DatePicker label="Day" defaultValue="2026-03-09" />
      </Card>
    ),
  },
  {
    name: "table",
    tree: node(
      "Card",
      { size: "full" },
      node(
        "Table",
        {},
        node(
          "Table.Row",
          { header: true },
          node("Table.Cell", {}, node("Text", { value: "Day", size: "sm" })),
          node(
            "Table.Cell",
            { align: "end", colSize: "md" },
            node("Text", { value: "Calls", size: "sm" }),
          ),
        ),
        ...DATA.map(({ day, calls }) =>
          node(
            "Table.Row",
            {},
            node("Table.Cell", {}, node("Text", { value: day, size: "sm" })),
            node(
              "Table.Cell",
              { align: "end", colSize: "md" },
              node("Text", { value: calls, size: "sm" }),
            ),
          ),
        ),
      ),
      node(
        "Table",
        {},
        node(
          "Table.Row",
          {},
          node("Table.Cell", { vAlign: "end", padding: 4 }, node("Badge", { label: "New" })),
          node("Table.Cell", { colSpan: 2, width: 200 }, node("Button", { label: "Open" })),
        ),
      ),
    ),
    element: (
      <Card size="full">
        <Table
          columns={[
            { key: "day", label: "Day" },
            { key: "calls", label: "Calls", align: "end", colSize: "md" },
          ]}
          rows={DATA}
        />
        <Table>
          <TableRow>
            <TableCell vAlign="end" padding={4}>
              <Badge>New</Badge>
            </TableCell>
            <TableCell colSpan={2} width={200}>
              <Button>Open</Button>
            </TableCell>
          </TableRow>
        </Table>
      </Card>
    ),
  },
  {
    name: "charts",
    tree: node(
      "Card",
      { size: "lg" },
      node("Chart", {
        data: DATA,
        series: [
          { type: "bar", dataKey: "calls", label: "Calls", stack: "a" },
          { type: "bar", dataKey: "mails", color: "orange", stack: "a" },
          { type: "line", dataKey: "mails", curveType: "step" },
        ],
        xAxis: "day",
        showYAxis: true,
      }),
      node("Chart", {
        data: DATA,
        series: [{ type: "area", dataKey: "mails" }],
        xAxis: { dataKey: "day", hide: true },
        height: 80,
      }),
      node("Chart", { data: [], series: [{ dataKey: "mails" }], xAxis: "day", height: 60 }),
    ),
    element: (
      <Card size="lg">
        <Chart
          data={DATA}
          series={[
            { type: "bar", dataKey: "calls", label: "Calls", stack: "a" },
            { type: "bar", dataKey: "mails", color: "orange", stack: "a" },
            { type: "line", dataKey: "mails", curveType: "step" },
          ]}
          xAxis="day"
          showYAxis
        />
        <Chart
          data={DATA}
          series={[{ type: "area", dataKey: "mails" }]}
          xAxis={{ dataKey: "day", hide: true }}
          height={80}
        />
        <Chart data={DATA.slice(3)} series={[{ dataKey: "mails" }]} xAxis="day" height={60} />
      </Card>
    ),
  },
  {
    name: "markdown, icons and pictures",
    tree: node(
      "Card",
      { size: "lg" },
      node("Markdown", { value: PROSE }),
      node(
        "Row",
        {},
        node("Icon", { name: "calendar" }),
        node("Icon", { name: "search", size: "3xl", color: "danger" }),
        node("Icon", { name: "chevron-right", size: "xs" }),
      ),
      node("Image", { src: PIXEL, alt: "A pixel", size: 48, frame: true, fit: "contain" }),
      node("Image", { src: "http://refused/", alt: "Refused" }),
    ),
    element: (
      <Card size="lg">
        <Markdown>{PROSE}</Markdown>
        <Row>
          <Icon drawing={calendar} />
          <Icon drawing={search} size="3xl" color="danger" />
          <Icon drawing={chevronRight} size="xs" />
        </Row>
        <Image src={PIXEL} alt="A pixel" size={48} frame fit="contain" />
        <Image src="http://refused/" alt="Refused" />
      </Card>
    ),
  },
  {
    name: "a card with all its parts",
    tree: node(
      "Card",
      {
        theme: "dark",
        status: { text: "From somewhere", icon: "info" },
        cancel: { label: "No", action: { type: "no" } },
        confirm: { label: "Yes", action: { type: "yes" } },
      },
      node("Title", { value: "Its title", size: "sm" }),
      node("Text", { value: "Inside" }),
    ),
    element: (
      <Card
        theme="dark"
        status={{ text: "From somewhere", icon: info }}
        title="Its title"
        footer={
          <Fragment>
            <Button>No</Button>
            <Button variant="solid">Yes</Button>
          </Fragment>
        }
      >
        <Text>Inside</Text>
      </Card>
    ),
  },
  {
    name: "a card that is folded",
    tree: node("Card", { collapsed: true, size: "sm" }, node("Text", { value: "Inside" })),
    element: (
      <Card collapsed size="sm">
        <Text>Inside</Text>
      </Card>
    ),
  },
  {
    name: "a list",
    tree: node(
      "ListView",
      { limit: 2, status: { text: "Three" } },
      node(
        "ListViewItem",
        { onClickAction: { type: "open" } },
        node("Icon", { name: "mail" }),
        node("Text", { value: "One" }),
      ),
      node("ListViewItem", { gap: 2, align: "start" }, node("Text", { value: "Two" })),
      node("ListViewItem", {}, node("Text", { value: "Three" })),
    ),
    element: (
      <ListView limit={2} status={{ text: "Three" }}>
        <ListViewItem onClick={() => {}}>
          <Icon drawing={mail} />
          <Text>One</Text>
        </ListViewItem>
        <ListViewItem gap={2} align="start">
          <Text>Two</Text>
        </ListViewItem>
        <ListViewItem>
          <Text>Three</Text>
        </ListViewItem>
      </ListView>
    ),
  },
];
