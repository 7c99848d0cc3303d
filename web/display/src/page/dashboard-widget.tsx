/** @jsxImportSource react */
// Numbers with their trends, and recent chats.

import { agoText } from "@widgetcast/i18n";
import { words } from "@widgetcast/i18n/display/dashboard";
import { Box } from "@widgetcast/react/ui";
import { mount, usePlace, useWords } from "../part/app";
import { Badge, Button, Empty, Header, ModeButtons, Skeleton } from "../part/control";
import { useFit } from "../part/fit";
import { useAsk } from "../part/host";
import { Icon } from "../part/icon";
import { type Fields, records, textOf } from "../part/list";
import { Load } from "../part/load";
import { nameOf } from "../part/name";
import { trendOf } from "../part/trend";

interface Stat {
  label: string;
  value: string;
  change?: string | undefined;
}
interface Chat {
  id: string;
  title: string;
  model?: string | undefined;
  time?: string | undefined;
}
interface Data {
  header?: string | undefined;
  stats: Stat[];
  chats: Chat[];
}

const isList = (value: unknown) => value === undefined || Array.isArray(value);
const read = ({ dashboard, headerText, stats, recentChats, ...other }: Fields): Data | undefined =>
  // Fields of which none is known are no empty dashboard.
  isList(stats) &&
  isList(recentChats) &&
  (dashboard ?? headerText ?? stats ?? recentChats ?? !Object.keys(other).length)
    ? {
        header: textOf(headerText),
        stats: records(stats).map((one) => ({
          label: textOf(one.label) ?? "–",
          value: textOf(one.value) ?? "–",
          change: textOf(one.change),
        })),
        chats: records(recentChats).map((one, at) => ({
          id: `${textOf(one.id) ?? ""}-${at}`,
          title: textOf(one.title) ?? "–",
          model: textOf(one.model),
          time: textOf(one.time),
        })),
      }
    : undefined;

const TONES = { up: "good", down: "bad", flat: "plain" } as const;

function Change({ change }: { change: string }) {
  const say = useWords(words);
  const trend = trendOf(change);
  if (!trend) return <Badge>{change}</Badge>;
  return (
    <Badge tone={TONES[trend]}>
      <Icon name={trend} />
      <bdi>{change.replace(/^-(?=\d)/, "−")}</bdi>
      <span className="hidden"> ({say(trend)})</span>
    </Badge>
  );
}

const FEW = 5;
const isZero = (value: string) => /^\D*0+([.,]0+)?\D*$/.test(value);

function Dashboard({ header, stats: given, chats }: Data) {
  const say = useWords(words);
  const stats = given.map((one) => ({ ...one, label: nameOf(one.label, say) }));
  const { locale, mode } = usePlace();
  const ask = useAsk();
  const isPip = mode === "pip";
  const list = useFit<HTMLDListElement>();
  const shown = chats.slice(0, mode === "fullscreen" ? chats.length : FEW);
  // Zeros alone say nothing.
  const isEmpty = stats.every(({ value }) => isZero(value)) && chats.length === 0;
  return (
    <>
      <Header title={header ? nameOf(header, say) : say("title")}>
        <ModeButtons isMore={chats.length > FEW} />
      </Header>
      {isEmpty ? (
        <Empty icon="grid" title={say("nothing")}>
          <p className="note">{say("later")}</p>
        </Empty>
      ) : (
        <div className="board">
          <section aria-label={say("numbers")}>
            {stats.length === 0 && <p className="note">{say("noNumbers")}</p>}
            <dl className="stats" ref={list}>
              {stats.slice(0, isPip ? 4 : stats.length).map((stat, at) => (
                <Box
                  key={at}
                  className="stat"
                  border={1}
                  radius="xl"
                  padding={3.5}
                  background="surface-elevated"
                >
                  <dt>{stat.label}</dt>
                  <dd>
                    <bdi className="value">{stat.value}</bdi>
                    {stat.change && <Change change={stat.change} />}
                  </dd>
                </Box>
              ))}
            </dl>
          </section>
          {!isPip && (
            <section className="chats">
              <h2>{say("chats")}</h2>
              {shown.length === 0 ? (
                <p className="note">{say("noChats")}</p>
              ) : (
                <ul>
                  {shown.map(({ id, title, model, time }) => {
                    const line = (
                      <>
                        <Icon name="chat" />
                        <span className="what">
                          <bdi>{title}</bdi>
                          <small>
                            <bdi>{model}</bdi>
                            {model && time && " · "}
                            <bdi>{time && agoText(time, locale)}</bdi>
                          </small>
                        </span>
                      </>
                    );
                    return (
                      <li key={id}>
                        {ask ? (
                          <button type="button" onClick={() => ask(say("open", { title }))}>
                            {line}
                          </button>
                        ) : (
                          <div>{line}</div>
                        )}
                      </li>
                    );
                  })}
                </ul>
              )}
            </section>
          )}
        </div>
      )}
      {ask && !isEmpty && stats.length > 0 && !isPip && (
        <div className="row">
          <Button
            kind="primary"
            icon="spark"
            onClick={() =>
              ask(
                `${say("explain")}: ${stats
                  .map(
                    ({ label, value, change }) =>
                      `${label} ${value}${change ? ` (${change})` : ""}`,
                  )
                  .join("; ")}`,
              )
            }
          >
            {say("explain")}
          </Button>
        </div>
      )}
    </>
  );
}

mount(() => (
  <Load
    read={read}
    takes="{ headerText?, stats: { label, value, change? }[], recentChats: { title, model?, time? }[] }"
    wait={() => (
      <>
        <Skeleton kind="card" lines={4} />
        <Skeleton />
      </>
    )}
  >
    {(data) => <Dashboard {...data} />}
  </Load>
));
