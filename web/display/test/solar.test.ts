import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "../src/solar/label";

const label = (rank: number) => ({ radius: 5, width: 40, height: 12, rank });
const size = { width: 400, height: 300 };
const SUN = 24;

test("names of planets stand below them, within the picture", () => {
  const labels = [label(1), label(2), label(3)];
  const points = [
    { x: 100, y: 50 },
    { x: -195, y: -60 },
    { x: 100, y: 140 },
  ];
  assert.deepEqual(placed(labels, points, size, SUN), [
    { x: 100, y: 71 },
    { x: -178, y: -39 },
    // Above, where there is no room below.
    { x: 100, y: 127 },
  ]);
});

test("where names would be over each other, or over a planet, the outer one stays", () => {
  const both = placed(
    [label(1), label(2)],
    [
      { x: 100, y: 50 },
      { x: 120, y: 52 },
    ],
    size,
    SUN,
  );
  assert.deepEqual(both, [undefined, { x: 120, y: 73 }]);
  const under = placed(
    [label(2), label(1)],
    [
      { x: 100, y: 50 },
      { x: 100, y: 67 },
    ],
    size,
    SUN,
  );
  assert.deepEqual(under, [undefined, { x: 100, y: 88 }]);
  const beside = [
    { x: 100, y: 50 },
    { x: 145, y: 50 },
  ];
  assert.deepEqual(placed([label(1), label(2)], beside, size, SUN)[0], undefined);
});

test("names keep off the sun: on the other side of the planet, or none", () => {
  assert.deepEqual(placed([label(2)], [{ x: 10, y: -30 }], size, SUN), [{ x: 10, y: -43 }]);
  assert.deepEqual(placed([label(2)], [{ x: 10, y: -12 }], size, SUN), [undefined]);
});

test("the chosen planet has its name always, and those that are too near to the sun never", () => {
  const chosen = label(Number.POSITIVE_INFINITY);
  const points = [
    { x: 10, y: -12 },
    { x: 100, y: 50 },
  ];
  assert.deepEqual(placed([chosen, label(0)], points, size, SUN), [{ x: 10, y: -26 }, undefined]);
});
