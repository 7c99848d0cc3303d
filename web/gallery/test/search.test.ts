import assert from "node:assert/strict";
import { test } from "node:test";
import { work } from "../../test/work";
import { ordered } from "../src/order";
import { search } from "../src/search";

const entries = [
  ["flight_tracker", "Flight Tracker", "Shows where a flight is, on time or late"],
  ["weather_current", "Weather Current", "The sky now"],
  ["weather_forecast", "Weather Forecast", "The next days, for a flight or a hike"],
  ["order_status", "Order Status", "Where a parcel is"],
].map(([name = "", title = "", description = ""]) => ({ name, title, description }));
const names = (query: string) => search(entries, query).map((hit) => hit.entry.name);

test("nothing asked, everything in its order", () => {
  assert.deepEqual(
    names("  "),
    entries.map((entry) => entry.name),
  );
});

test("titles come before descriptions", () => {
  assert.deepEqual(names("flight"), ["flight_tracker", "weather_forecast"]);
  assert.deepEqual(names("WEATHER fore"), ["weather_forecast"]);
  assert.deepEqual(names("weather_c"), ["weather_current"]);
  assert.deepEqual(names("parcel"), ["order_status"]);
});

test("names come before descriptions, and after titles", () => {
  const some = [
    { name: "a_trip", title: "First", description: "x" },
    { name: "b", title: "Second", description: "A trip" },
    { name: "c", title: "Trip", description: "x" },
  ];
  assert.deepEqual(
    search(some, "trip").map((hit) => hit.entry.name),
    ["c", "a_trip", "b"],
  );
});

test("every word must be found", () => {
  assert.deepEqual(names("flight hike"), ["weather_forecast"]);
  assert.deepEqual(names("flight zebra"), []);
});

test("letters with gaps find, and chance does not", () => {
  assert.deepEqual(names("fltr"), ["flight_tracker"]);
  assert.deepEqual(names("ordst"), ["order_status"]);
  assert.deepEqual(names("xq"), []);
});

test("what was found in the title is marked", () => {
  const [hit] = search(entries, "track fl");
  assert.deepEqual(hit?.marks, [
    [0, 2],
    [7, 12],
  ]);
});

test("twice as many entries are searched with twice the work", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `widget_${index}`,
      title: `Widget ${index}`,
      description: "Shows some things that people ask about, with all that belongs to them.",
    }));
  assert.equal(search(many(10_000), "widget 9999")[0]?.entry.name, "widget_9999");
  const [one, two] = [many(1000), many(2000)].map((some) => work(() => search(some, "widget 999")));
  assert.ok((two ?? 0) <= 2.2 * (one ?? 0), `${one} steps, then ${two}`);
});

test("the first page begins with what shows best, and ends with tools", () => {
  const tool = (name: string, kind: "widget" | "tool" = "widget") =>
    ({ name, title: name, description: "", kind, readOnly: true, drawn: true }) as const;
  const all = [tool("a"), tool("b", "tool"), tool("poll"), tool("flight_tracker"), tool("c")];
  assert.deepEqual(
    ordered(all).map(({ name }) => name),
    ["flight_tracker", "poll", "a", "c", "b"],
  );
});
