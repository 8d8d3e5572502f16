/** Statements in the days of a platform's time zone. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createManualClock, type ManualClock } from "../../kit/manual-clock.ts";
import { sampleOf } from "../../kit/sample.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { startTestServer, type TestServer } from "../../kit/test-server.ts";

const HOUR_MS = 3_600_000;
const START = Date.UTC(2026, 9, 23, 7);

let clock: ManualClock;
let server: TestServer;
beforeAll(async () => {
  clock = createManualClock(START);
  server = await startTestServer({ clock });
});
afterAll(async () => {
  const closed = server.close();
  await clock.advance(1_000);
  await closed;
});

async function storyIn(statementTimeZone: string): Promise<Story> {
  const story = await openStory(server);
  const { status, json } = await story.call("PATCH", "/config", { statementTimeZone });
  expect([status, json.statementTimeZone]).toEqual([200, statementTimeZone]);
  return story;
}

interface Wish {
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
}

async function ordered(story: Story, wish: Wish) {
  const made = await story.call("POST", "/statements", { ...wish, format: "JSON" });
  expect(made.status).toBe(202);
  await story.settle();
  return (await story.call("GET", `/statements/${made.json.id}`)).json;
}

const fund = (story: Story, accountId: string, amount: number) =>
  story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount });

describe("a statement", () => {
  it("is in UTC until the platform has another zone, and keeps the one that it was ordered in", async () => {
    const story = await openStory(server);
    expect((await story.call("GET", "/config")).json.statementTimeZone).toBe("UTC");
    const { accountId } = await fundedCustomer(story, 500);
    await clock.advance(48 * HOUR_MS);
    const day = new Date(clock.now() - 48 * HOUR_MS).toISOString().slice(0, 10);
    const before = await ordered(story, { accountId, from: day, to: day });
    expect([before.zone, before.totalIn.amount]).toEqual(["UTC", "500"]);
    const text = await story.call("GET", `/statements/${before.id}/file`);

    await story.call("PATCH", "/config", { statementTimeZone: "Pacific/Kiritimati" });
    const after = await ordered(story, { accountId, from: day, to: day });
    expect(after.zone).toBe("Pacific/Kiritimati");
    expect((await story.call("GET", `/statements/${before.id}`)).json).toEqual(before);
    expect((await story.call("GET", `/statements/${before.id}/file`)).text).toBe(text.text);
  });

  it("is refused for a day that is not over in the zone", async () => {
    const [behind, ahead] = [await storyIn("Pacific/Niue"), await storyIn("Pacific/Kiritimati")];
    const yesterday = new Date(clock.now() - 24 * HOUR_MS).toISOString().slice(0, 10);
    await clock.advance(24 * HOUR_MS - (clock.now() % (24 * HOUR_MS)) + HOUR_MS);
    const today = new Date(clock.now() - 24 * HOUR_MS).toISOString().slice(0, 10);
    const order = async (story: Story, date: string) => {
      const { accountId } = await fundedCustomer(story, 1);
      const wish = { accountId, from: date, to: date, format: "CSV" };
      const answer = await story.call("POST", "/statements", wish);
      await story.settle();
      return answer;
    };
    expect((await order(behind, yesterday)).status).toBe(202);
    expect((await order(ahead, today)).status).toBe(202);
    const { status, json } = await order(behind, today);
    expect([status, json.details.errors]).toEqual([
      400,
      [{ field: "to", message: "must be a day that is over, in Pacific/Niue" }],
    ]);
  });

  it("takes the first and the last day that there are", async () => {
    const story = await storyIn("Europe/Berlin");
    const { accountId } = await fundedCustomer(story, 1);
    const first = await ordered(story, { accountId, from: "0001-01-01", to: "0001-01-01" });
    expect([first.state, first.entries]).toEqual(["READY", 0]);
    const wish = { accountId, from: "9999-12-31", to: "9999-12-31", format: "CSV" };
    const last = await story.call("POST", "/statements", wish);
    expect([last.status, last.json.details.field]).toEqual([400, "to"]);
  });
});

it.each(["Mars/Olympus", "", "+05:30", "Europe/Berlin; drop table", "x".repeat(65), 7, null])(
  "refuses %j as a zone",
  async (statementTimeZone) => {
    const story = await openStory(server);
    const { status, json } = await story.call("PATCH", "/config", { statementTimeZone });
    expect([status, json.code]).toEqual([400, "INVALID_INPUT"]);
    expect(json.details.field).toBe("statementTimeZone");
    expect((await story.call("GET", "/config")).json.statementTimeZone).toBe("UTC");
  },
);

/** The clock goes back on 25 October in Europe and on 1 November in America; Lord Howe's had gone on by half an hour. */
const zones = ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe"];

describe.each(sampleOf(zones))("the days of %s", (zone) => {
  it("have what came on them by the clocks there, across changes of the clock", async () => {
    const story = await storyIn(zone);
    const dayThere = new Intl.DateTimeFormat("sv-SE", { timeZone: zone });
    const steps = fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 3, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(steps, async (hours) => {
        const { accountId } = await fundedCustomer(story, 0);
        const expected = new Map<string, number>();
        for (const [index, step] of hours.entries()) {
          await clock.advance(step * HOUR_MS);
          const day = dayThere.format(clock.now());
          await fund(story, accountId, index + 1);
          expected.set(day, (expected.get(day) ?? 0) + index + 1);
        }
        await clock.advance(26 * HOUR_MS);
        let balance = 0;
        for (const [day, amount] of expected) {
          const found = await ordered(story, { accountId, from: day, to: day });
          expect([day, found.openingBalance.amount, found.totalIn.amount]).toEqual([
            day,
            String(balance),
            String(amount),
          ]);
          balance += amount;
          expect(found.closingBalance.amount).toBe(String(balance));
        }
      }),
      { numRuns: 4 },
    );
  });
});

it("numbers months by the zone in which the account came to be", async () => {
  const story = await storyIn("Pacific/Kiritimati");
  const until = Date.UTC(2027, 0, 31, 20) - clock.now();
  await clock.advance(until);
  const { accountId } = await fundedCustomer(story, 1);
  await clock.advance(40 * 24 * HOUR_MS);
  const february = await ordered(story, { accountId, from: "2027-02-01", to: "2027-02-28" });
  expect([february.number, february.totalIn.amount]).toEqual([1, "1"]);
  const january = await ordered(story, { accountId, from: "2027-01-01", to: "2027-01-31" });
  expect(january).not.toHaveProperty("number");
});
