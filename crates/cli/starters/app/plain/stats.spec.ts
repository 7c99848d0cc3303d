// Tests the built page in both kinds of hosts. `npm test` builds it first.

import { test as base, expect } from "@playwright/test";
import { fixtures, type Hosts } from "@widgetcast/test";

const test = base.extend<{ hosts: Hosts }>(fixtures);

const stats = (count: number) => ({
  days: Array.from({ length: count }, (_, at) => ({ ago: count - 1 - at, opened: 5, closed: 3 })),
});
const options = {
  file: "dist/stats.html",
  input: { days: 7 },
  output: stats(7),
  tools: { stats: ({ days }: Record<string, unknown>) => stats(Number(days)) },
};

for (const host of ["appBridge", "openai"] as const)
  test(`shows the days, and asks for others, in ${host}`, async ({ hosts }) => {
    const view = await hosts[host](options);
    await expect(view.frame.getByRole("listitem")).toHaveCount(7);
    await view.frame.getByLabel("Days").selectOption("14");
    await expect(view.frame.getByRole("listitem")).toHaveCount(14);
    await view.frame.getByLabel("Closed").uncheck();
    await expect(view.frame.getByText("3 closed")).toHaveCount(0);
    expect(await view.problems()).toEqual([]);
  });

test("waits for the tool", async ({ hosts }) => {
  const view = await hosts.appBridge({ ...options, output: undefined });
  await expect(view.frame.getByText("Counting")).toBeVisible();
  await view.output(stats(3));
  await expect(view.frame.getByRole("listitem")).toHaveCount(3);
});
