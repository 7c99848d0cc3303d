/** @jsxImportSource react */
// Every host capability with its live state, and every part that the pages are made of. In a card there is
// what this host is and can do; the rest is full screen, and where there is none, below.

import type { Ability, AppsClient } from "@widgetcast/client";
import { agoText, dateText } from "@widgetcast/i18n";
import { words as searchWords } from "@widgetcast/i18n/display/search";
import { words } from "@widgetcast/i18n/display/sink";
import {
  useClient,
  useDisplayMode,
  useHostContext,
  useLocale,
  useMaxHeight,
  useSafeArea,
  useTheme,
  useToolInput,
  useToolOutput,
  useUserAgent,
  useView,
} from "@widgetcast/react";
import { Card } from "@widgetcast/react/ui";
import { type ReactNode, useState } from "react";
import { mount, useCommon, usePlace, useWords } from "../part/app";
import {
  Badge,
  Button,
  Chip,
  Empty,
  Header,
  Link,
  ModeButtons,
  Segments,
  Skeleton,
  useExpand,
} from "../part/control";
import { useFit } from "../part/fit";
import { ICONS, Icon } from "../part/icon";
import { Load } from "../part/load";
import { Markdown } from "../part/markdown";
import { useKept } from "../part/state";

type Try = (client: AppsClient) => Promise<unknown>;

const hello = {
  type: "resource",
  resource: { uri: "file:///hello.txt", mimeType: "text/plain", text: "Hello" },
} as const;

const upload = (client: AppsClient) =>
  client.uploadFile(new File(["Hello"], "hello.txt", { type: "text/plain" }));

/** Every ability, and what to try of it: none where a part of this page shows it, or the browser asks. */
const ABILITIES: Record<Ability, readonly (readonly [string, Try])[]> = {
  callTool: [
    [
      "display_demo",
      async (client) => {
        const { content, isError } = await client.callToolResult(
          client.toolName ?? "display_demo",
          client.toolInput ?? {},
        );
        return `${isError ? "error: " : ""}${content.map((block) => block.text ?? block.type).join(" ")}`;
      },
    ],
  ],
  cancel: [],
  progress: [],
  sendMessage: [["“Hello”", (client) => client.sendFollowUpMessage("Hello from the demo widget.")]],
  openLink: [
    ["modelcontextprotocol.io", (client) => client.openLink("https://modelcontextprotocol.io/")],
  ],
  requestDisplayMode: (["Inline", "Fullscreen", "PiP"] as const).map((name) => {
    const mode = name.toLowerCase() as Lowercase<typeof name>;
    return [name, async (client) => (await client.requestDisplayMode(mode)).mode] as const;
  }),
  requestModal: [["modal", (client) => client.requestModal({ params: { from: "demo" } })]],
  updateModelContext: [
    [
      "“Hello”",
      (client) =>
        client.updateModelContext({
          content: [{ type: "text", text: "The user is trying the demo widget." }],
        }),
    ],
  ],
  readResource: [
    [
      "kitchen-sink-lite.html",
      async (client) => {
        const { contents } = await client.readResource("ui://widget/kitchen-sink-lite.html");
        return `${contents.length} × ${contents[0]?.mimeType ?? "?"}`;
      },
    ],
  ],
  setState: [],
  uploadFile: [["hello.txt", async (client) => (await upload(client)).fileId]],
  selectFiles: [
    [
      "files",
      async (client) =>
        (await client.selectFiles()).map(({ fileName, fileId }) => fileName ?? fileId).join(", "),
    ],
  ],
  getFileDownloadUrl: [
    [
      "hello.txt",
      async (client) => {
        const { fileId } = await upload(client);
        return (await client.getFileDownloadUrl(fileId)).downloadUrl;
      },
    ],
  ],
  downloadFile: [["hello.txt", (client) => client.downloadFile([hello])]],
  setOpenInAppUrl: [
    [
      "modelcontextprotocol.io",
      (client) => client.setOpenInAppUrl("https://modelcontextprotocol.io/"),
    ],
  ],
  log: [["info", async (client) => client.log("info", "Hello from the demo widget.")]],
  reportSize: [
    [
      "height",
      async (client) => {
        const height = document.documentElement.offsetHeight;
        await client.reportSize({ height });
        return `${height} px`;
      },
    ],
  ],
  requestClose: [["close", (client) => client.requestClose()]],
  clipboardWrite: [["“Hello”", () => navigator.clipboard.writeText("Hello")]],
  camera: [],
  microphone: [],
  geolocation: [],
};
const TRIES = Object.entries(ABILITIES) as [Ability, (typeof ABILITIES)[Ability]][];

function Counter() {
  const say = useWords(words);
  const { locale } = usePlace();
  const [kept, keep] = useKept();
  const count = typeof kept.count === "number" ? kept.count : 0;
  return (
    <Card size="full">
      <div className="counter">
        <div>
          <h3>{say("counter")}</h3>
          <p className="note">{say("keeps")}</p>
        </div>
        <div className="row">
          <Button icon="flat" label={say("less")} onClick={() => keep({ count: count - 1 })} />
          <output className="number">{count.toLocaleString(locale)}</output>
          <Button icon="plus" label={say("plus")} onClick={() => keep({ count: count + 1 })} />
        </div>
      </div>
    </Card>
  );
}

function State({ is }: { is: boolean }) {
  const say = useWords(words);
  return (
    <Badge tone={is ? "good" : "plain"}>
      <Icon name={is ? "check" : "cross"} />
      <span className="word">{say(is ? "yes" : "no")}</span>
    </Badge>
  );
}

function Abilities() {
  const say = useWords(words);
  const client = useClient();
  const { isReady, mode, modes } = usePlace();
  const [outcomes, setOutcomes] = useState<Record<string, { text: string; isBad?: boolean }>>({});
  const run = async (ability: Ability, what: Try) => {
    const note = (text: string, isBad = false) =>
      setOutcomes((before) => ({ ...before, [ability]: { text, isBad } }));
    note("…");
    try {
      const answer = await what(client);
      note(typeof answer === "string" ? answer : "OK");
    } catch (error) {
      const { name, message } = error as Error;
      note(message ? `${name}: ${message}` : name, true);
    }
  };
  return (
    <>
      <Counter />
      <ul className="abilities">
        {TRIES.map(([ability, tries]) => {
          const outcome = outcomes[ability];
          const is = isReady && client.can(ability);
          const offered = tries.filter(
            ([what]) =>
              ability !== "requestDisplayMode" ||
              (what.toLowerCase() !== mode && modes.includes(what.toLowerCase())),
          );
          return (
            <li key={ability}>
              <div className="row">
                <code>{ability}</code>
                <State is={is} />
              </div>
              {is && (
                <div className="row">
                  {offered.map(([what, action]) => (
                    <Button
                      key={what}
                      label={`${say("try")}: ${ability}, ${what}`}
                      onClick={() => run(ability, action)}
                    >
                      {tries.length > 1 ? what : say("try")}
                    </Button>
                  ))}
                </div>
              )}
              <p className={outcome?.isBad ? "outcome bad" : "outcome"} role="status">
                {outcome?.text}
              </p>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** What a card has room for. */
const BRIEF = ["host", "theme", "mode", "language", "result"];

function HostState({ isBrief = false }: { isBrief?: boolean }) {
  const say = useWords(words);
  const client = useClient();
  const context = useHostContext();
  const { isReady } = usePlace();
  const list = useFit<HTMLDListElement>();
  const { insets } = useSafeArea();
  const agent = useUserAgent();
  const maxHeight = useMaxHeight();
  const { top, right, bottom, left } = insets;
  const { hover, touch } = agent.capabilities;
  const rows: [keyof typeof words, ReactNode][] = [
    [
      "host",
      client.hostInfo ? `${client.hostInfo.name} ${client.hostInfo.version}` : isReady ? "–" : "…",
    ],
    ["theme", useTheme()],
    ["mode", useDisplayMode()[0]],
    ["modes", context.availableDisplayModes.join(", ")],
    ["language", useLocale()],
    ["zone", context.timeZone ?? "–"],
    ["height", maxHeight === undefined ? "–" : `${maxHeight} px`],
    ["viewport", `${context.viewport.width} × ${context.viewport.height} px`],
    ["insets", `${top} ${right} ${bottom} ${left}`],
    ["device", `${agent.device.type}${hover ? ", hover" : ""}${touch ? ", touch" : ""}`],
    ["view", useView().mode],
    ["variables", String(Object.keys(context.styles?.variables ?? {}).length)],
    ["abilities", Object.keys(client.hostCapabilities).join(", ") || "–"],
    ["tool", client.toolName ?? "–"],
    ["input", <code key="input">{JSON.stringify(useToolInput() ?? null)}</code>],
    ["result", <code key="output">{JSON.stringify(useToolOutput() ?? null)}</code>],
  ];
  return (
    <dl className="state" ref={list}>
      {(isBrief ? rows.filter(([name]) => BRIEF.includes(name)) : rows).map(([name, value]) => (
        <div key={name}>
          <dt>{say(name)}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What the host can do, at a glance; where there is no room for all names, how many, and what is missing. */
function Can() {
  const say = useWords(words);
  const client = useClient();
  const { isReady } = usePlace();
  const all = TRIES.map(([ability]) => ({ ability, is: isReady && client.can(ability) }));
  const n = all.filter(({ is }) => is).length;
  return (
    <div>
      <p className="some">{say("some", { n, all: all.length })}</p>
      <ul className="can" aria-label={say("abilities")}>
        {all.map(({ ability, is }) => (
          <li key={ability} className={is ? "" : "note"}>
            <Icon name={is ? "check" : "cross"} />
            <code>{ability}</code>
            <span className="hidden"> {say(is ? "yes" : "no")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section>
      <h3>{name}</h3>
      {children}
    </section>
  );
}

function Parts() {
  const say = useWords(words);
  const common = useCommon();
  const search = useWords(searchWords);
  const { locale, tell } = usePlace();
  const [isOn, setOn] = useState(true);
  const [segment, setSegment] = useState<"host" | "abilities" | "parts">("host");
  const [start] = useState(Date.now);
  const stamp = new Date(start - 2 * 3_600_000).toISOString();
  const press = () => tell(say("try"));
  return (
    <div className="parts">
      <Part name="Button">
        <div className="row">
          <Button kind="primary" icon="spark" onClick={press}>
            {say("try")}
          </Button>
          <Button onClick={press}>{common("next")}</Button>
          <Button kind="ghost" onClick={press}>
            {common("previous")}
          </Button>
          <Button icon="star" label={say("counter")} onClick={press} />
          <Button isDisabled onClick={press}>
            {say("no")}
          </Button>
        </div>
      </Part>
      <Part name="Chip, Badge, Link">
        <div className="row">
          <Chip isPressed={isOn} count="3" onClick={() => setOn(!isOn)}>
            {say("counter")}
          </Chip>
          <Badge>{say("no")}</Badge>
          <Badge tone="good">{say("yes")}</Badge>
          <Badge tone="bad">{say("no")}</Badge>
          <Badge tone="info">{say("counter")}</Badge>
          <Link url="https://example.com/">example.com</Link>
        </div>
      </Part>
      <Part name="Segments">
        <Segments
          label={say("sections")}
          options={(["host", "abilities", "parts"] as const).map((key) => [key, say(key)] as const)}
          value={segment}
          onChange={setSegment}
        />
      </Part>
      <Part name="Icon">
        <div className="row icons">
          {ICONS.map((name) => (
            <Icon key={name} name={name} />
          ))}
        </div>
      </Part>
      <Part name="Intl">
        <p className="number">
          {(1234567.89).toLocaleString(locale)} · {dateText(stamp, locale)} ·{" "}
          {agoText(stamp, locale, start)}
        </p>
      </Part>
      <Part name="Skeleton">
        <Skeleton />
      </Part>
      <Part name="Empty">
        <Empty icon="search" title={search("none")}>
          <p className="note">{search("other")}</p>
        </Empty>
      </Part>
      <Part name="Markdown">
        <Markdown
          top={3}
          text={`**${say("host")}**, *${say("parts")}*, \`code\`, [example.com](https://example.com/)\n\n- 1\n- 2`}
        />
      </Part>
    </div>
  );
}

function Sink() {
  const say = useWords(words);
  const { mode } = usePlace();
  const expand = useExpand();
  const isBrief = mode === "pip" || expand !== undefined;
  return (
    <>
      <Header title={say("title")} note={mode === "pip" ? undefined : say("about")}>
        <ModeButtons isMore={mode === "pip"} />
      </Header>
      {isBrief ? (
        <>
          <HostState isBrief />
          {mode !== "pip" && <Can />}
        </>
      ) : (
        <div className="sections">
          <section>
            <h2>{say("abilities")}</h2>
            <Abilities />
          </section>
          <section>
            <h2>{say("host")}</h2>
            <HostState />
          </section>
          <section>
            <h2>{say("parts")}</h2>
            <Parts />
          </section>
        </div>
      )}
      {expand && mode !== "pip" && (
        <div className="row">
          <Button kind="primary" icon="expand" onClick={expand}>
            {say("all")}
          </Button>
        </div>
      )}
    </>
  );
}

mount(() => (
  <Load read={() => ({})} takes="{}" sample={{}} wait={() => <Skeleton lines={5} />}>
    {() => <Sink />}
  </Load>
));
