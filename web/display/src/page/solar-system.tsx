/** @jsxImportSource react */
// The planets in motion, starting today.

import { words } from "@widgetcast/i18n/display/solar";
import { useClient } from "@widgetcast/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { mount, useCommon, usePlace, useWords } from "../part/app";
import { Button, Header, ModeButtons, Segments, Skeleton } from "../part/control";
import { useAsk, useCan } from "../part/host";
import { type Fields, textOf } from "../part/list";
import { Load } from "../part/load";
import { useWidth } from "../part/size";
import { useKept } from "../part/state";
import { PLANETS, type Planet } from "../solar/planet";
import { Sky } from "../solar/sky";

const SPEEDS = ["1", "10", "60"] as const;
const still = matchMedia("(prefers-reduced-motion: reduce)");

function Facts({ planet }: { planet: Planet }) {
  const say = useWords(words);
  const common = useCommon();
  const { locale } = usePlace();
  const ask = useAsk();
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit: name,
      unitDisplay: name === "kilometer" ? "short" : "long",
      maximumFractionDigits: 1,
    }).format(value);
  const { day, year } = planet;
  const facts = [
    ["diameter", unit(planet.diameter, "kilometer")],
    ["distance", say("million", { n: planet.distance })],
    ["year", year < 800 ? unit(Math.round(year), "day") : unit(year / 365.25, "year")],
    ["day", day < 48 ? unit(day, "hour") : unit(Math.round(day / 24), "day")],
    ["moons", planet.moons.toLocaleString(locale)],
  ] as const;
  return (
    <section className="facts" aria-live="polite">
      <h2>{say(planet.key)}</h2>
      <p className="note">{say(`${planet.key}Fact`)}</p>
      <dl>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{say(key)}</dt>
            <dd className="number">{value}</dd>
          </div>
        ))}
      </dl>
      {ask && (
        <Button
          kind="primary"
          icon="chat"
          onClick={() => ask(say("prompt", { planet: say(planet.key) }))}
        >
          {common("ask")}
        </Button>
      )}
    </section>
  );
}

function System({ first }: { first: Planet["key"] }) {
  const say = useWords(words);
  const { locale, mode } = usePlace();
  const client = useClient();
  const canTell = useCan("updateModelContext");
  const [root, width] = useWidth();
  const [kept, keep] = useKept();
  const wanted = kept.planet ?? first;
  const planet = PLANETS.find(({ key }) => key === wanted) ?? (PLANETS[2] as Planet);
  const [isMoving, setMoving] = useState(!still.matches);
  const [speed, setSpeed] = useState<(typeof SPEEDS)[number]>("10");
  const [start] = useState(Date.now);
  const [time, setTime] = useState(start);

  useEffect(() => {
    const stop = () => still.matches && setMoving(false);
    still.addEventListener("change", stop);
    return () => still.removeEventListener("change", stop);
  }, []);

  const choose = useCallback(
    (key: Planet["key"]) => {
      keep({ planet: key });
      // So that “how far is it?” finds its planet.
      if (canTell)
        client
          .updateModelContext({
            content: [{ type: "text", text: `The user is looking at the planet ${key}.` }],
          })
          .catch(() => {});
    },
    [client, canTell, keep],
  );

  const names = useMemo(
    () =>
      Object.fromEntries(PLANETS.map(({ key }) => [key, say(key)])) as Record<
        Planet["key"],
        string
      >,
    [say],
  );
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "long" }).format(time);
  const pace = new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "day-per-second",
    unitDisplay: "narrow",
  });
  const isPip = mode === "pip";
  const isFull = mode === "fullscreen";
  return (
    <div className="system" ref={root}>
      {!isPip && (
        <Header
          title={say("title")}
          note={<span className="number">{say("about", { date })}</span>}
        >
          <ModeButtons isMore isPip />
        </Header>
      )}
      <div className="stage">
        <div className="view">
          <Sky
            label={say("about", { date })}
            names={names}
            chosen={planet.key}
            speed={isMoving ? Number(speed) : 0}
            isNarrow={width < 32}
            isTall={isFull}
            start={start}
            onChoose={choose}
            onTime={setTime}
          />
          {isPip && (
            <div className="over corner">
              <ModeButtons isMore />
            </div>
          )}
          <div className="row over run">
            <Button
              kind="secondary"
              icon={isMoving ? "pause" : "play"}
              label={say(isMoving ? "pause" : "play")}
              onClick={() => setMoving(!isMoving)}
            />
            {isFull && (
              <Segments
                label={say("speed")}
                options={SPEEDS.map((days) => [days, pace.format(Number(days))] as const)}
                value={speed}
                onChange={setSpeed}
              />
            )}
          </div>
        </div>
        {!isPip && (
          <div className="side">
            <Segments
              label={say("planets")}
              options={PLANETS.map(({ key }) => [key, names[key]] as const)}
              value={planet.key}
              onChange={choose}
            />
            <Facts planet={planet} />
          </div>
        )}
      </div>
    </div>
  );
}

function read({ planet = "earth" }: Fields): { first: Planet["key"] } | undefined {
  const found = PLANETS.find(({ key }) => key === textOf(planet)?.toLowerCase());
  return found && { first: found.key };
}

mount(() => (
  <Load
    read={read}
    takes={`{ planet?: ${PLANETS.map(({ key }) => `"${key}"`).join(" | ")} }`}
    sample={{ first: "earth" as const }}
    wait={() => <Skeleton kind="card" lines={1} />}
  >
    {(data) => <System {...data} />}
  </Load>
));
