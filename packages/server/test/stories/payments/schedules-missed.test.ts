/** Due times that a production server has missed, because it was down for days: its clock is found ahead. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../../src/std/clock.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { balanceOf, expectStatus, payerOf } from "../../kit/story-rails.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const DAY_MS = 24 * 3_600_000;
/** Ten hours before the next due time. */
const beganAt = Date.parse("2027-03-01T23:00:00Z");
let aheadMs = 0;
const clock = { ...systemClock, now: () => beganAt + aheadMs };

let server: TestServer;
let story: Story;
beforeAll(async () => {
  server = await startTestServer({ clock });
  story = await openStory(server, { environment: "PRODUCTION" });
});
afterAll(() => server.close());

it("are MISSED with an event each when they are more than a day past; the last one is run", async () => {
  const { accountId } = await payerOf(story, 1_000);
  const wish = { name: "Savings", currency: "USD" };
  const savings = expectStatus(201, await story.call("POST", "/internal-accounts", wish)).json.id;
  const body = {
    name: "Savings",
    template: {
      kind: "BOOK",
      source: { accountId },
      destination: { accountId: savings },
      amount: 100,
    },
    rule: { every: "DAY", time: "09:00", timeZone: "UTC" },
  };
  const { id } = expectStatus(201, await story.call("POST", "/payment-schedules", body)).json;
  aheadMs = 3.5 * DAY_MS;
  await story.settle();
  const { json } = await story.call("GET", `/payment-schedules/${id}/runs`);
  const runs = json.data.map(({ dueAt, status }: Record<string, string>) => [
    dueAt?.slice(0, 10),
    status,
  ]);
  expect(runs).toEqual([
    ["2027-03-05", "CREATED"],
    ["2027-03-04", "MISSED"],
    ["2027-03-03", "MISSED"],
    ["2027-03-02", "MISSED"],
  ]);
  expect(await balanceOf(story, savings)).toBe(100);
  const told = await story.call("GET", "/events?type=PAYMENT_SCHEDULE.RUN_MISSED");
  expect(told.json.data).toHaveLength(3);
  expect((await story.call("GET", `/payment-schedules/${id}`)).json).toMatchObject({
    status: "ACTIVE",
    runs: 1,
    nextAt: "2027-03-06T09:00:00.000Z",
  });
});
