import assert from "node:assert/strict";
import { test } from "node:test";
import { placed } from "../src/solar/label";

const label = (rank: number) => ({ radius: 5, width: 40, height: 12, rank });
const size = { width: 400, height: 300 };

test("names of planets stand below them, within the picture", () => {
  const labels = [label(1), label(2), label(3)];
  const points = [
    { x: 100, y: 50 },
    { x: -195, y: -60 },
    { x: 100, y: 140 },
  ];
  assert.deepEqual(placed(labels, points, size), [
    { x: 100, y: 71 },
    { x: -176, y: -39 },
    // Above, where there is no room below.
    { x: 100, y: 127 },
  ]);
});

test("where names would be over each other, over a planet or over the sun, the outer one stays", () => {
  const both = placed(
    [label(1), label(2)],
    [
      { x: 100, y: 50 },
      { x: 120, y: 52 },
    ],
    size,
  );
  assert.deepEqual(both, [undefined, { x: 120, y: 73 }]);
  const under = placed(
    [label(2), label(1)],
    [
      { x: 100, y: 50 },
      { x: 100, y: 67 },
    ],
    size,
  );
  assert.deepEqual(under, [undefined, { x: 100, y: 88 }]);
  assert.deepEqual(placed([label(2)], [{ x: 10, y: -30 }], size), [undefined]);
});

test("the chosen planet has its name always, and those that are too near to the sun never", () => {
  const chosen = label(Number.POSITIVE_INFINITY);
  const points = [
    { x: 10, y: -30 },
    { x: 100, y: 50 },
  ];
  assert.deepEqual(placed([chosen, label(0)], points, size), [{ x: 10, y: -9 }, undefined]);
});
