/** Payment schedules: payments that are made later, once or again and again, on the platform's clock. */
import { describe, expect, it } from "vitest";
import { eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory, type Story } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";

const server = await sharedServer();
const DAILY = { every: "DAY", time: "09:00", timeZone: "Europe/Berlin" };
const HOUR = 3_600;

async function nowOf(story: Story): Promise<number> {
  return Date.parse((await story.call("GET", "/sandbox/clock")).json.now);
}

async function newSchedule(more: object = {}, amount = 1_000) {
  const story = await openStory(server);
  const { accountId } = await fundedCustomer(story, amount);
  const { accountId: savings } = await fundedCustomer(story, 0);
  const template = {
    kind: "BOOK",
    source: { accountId },
    destination: { accountId: savings },
    amount: 100,
    description: "Savings",
    metadata: { plan: "7" },
  };
  const body = { name: "Savings", template, rule: DAILY, ...more };
  const made = expectStatus(201, await story.call("POST", "/payment-schedules", body)).json;
  const path = `/payment-schedules/${made.id}`;
  return {
    story,
    body,
    made,
    path,
    accountId,
    savings,
    advance: async (seconds: number) =>
      expectStatus(200, await story.call("POST", "/sandbox/clock/advance", { seconds })),
    get: async () => (await story.call("GET", path)).json,
    act: (act: string) => story.call("POST", `${path}/${act}`),
    runs: async () => (await story.call("GET", `${path}/runs`)).json.data,
    balance: async (id: string) =>
      (await story.call("GET", `/internal-accounts/${id}`)).json.balance.amount,
    told: async () =>
      (await eventsOf(story)).filter(({ type }) => type.startsWith("PAYMENT_SCHEDULE.")),
  };
}

describe("a schedule", () => {
  it("pays each time the clock passes a due time, as the single call would", async () => {
    const { story, made, advance, get, runs, balance, savings, accountId } = await newSchedule();
    expect(made).toMatchObject({ status: "ACTIVE", currency: "USD", runs: 0 });
    expect(made.rule).toMatchObject({ ...DAILY, interval: 1, holidays: "NONE", adjust: "NONE" });
    await advance(3 * 24 * HOUR);
    const after = await get();
    expect([after.runs, await balance(savings), await balance(accountId)]).toEqual([3, 300, 700]);
    expect(Date.parse(after.nextAt)).toBeGreaterThan(await nowOf(story));
    const [last, ...before] = await runs();
    expect(before).toHaveLength(2);
    expect(last).toMatchObject({ status: "CREATED", trigger: "RULE", attempts: 1 });
    expect(after.lastRun.transactionId).toBe(last.transactionId);
    const { json } = await story.call("GET", `/transactions/${last.transactionId}`);
    expect(json).toMatchObject({ description: "Savings", metadata: { plan: "7" } });
  });

  it("once at a time ends after its run", async () => {
    const story = await openStory(server);
    const at = new Date((await nowOf(story)) + 60_000).toISOString();
    const { customerId, accountId } = await fundedCustomer(story, 500);
    const template = {
      kind: "TRANSFER_OUT",
      source: { accountId },
      destination: { accountId: await bankAccount(story, { customerId }), paymentRail: "ACH" },
      amount: 200,
      remittanceInformation: "Invoice 9",
    };
    const { json } = await story.call("POST", "/payment-schedules", {
      name: "Invoice 9",
      template,
      rule: { at },
    });
    expect(json).toMatchObject({ template, rule: { at }, nextAt: at });
    await story.call("POST", "/sandbox/clock/advance", { seconds: 61 });
    const after = (await story.call("GET", `/payment-schedules/${json.id}`)).json;
    expect([after.status, after.lastRun.status]).toEqual(["ENDED", "CREATED"]);
    const { transactionId } = after.lastRun;
    const paid = (await story.call("GET", `/transactions/${transactionId}`)).json;
    expect(paid).toMatchObject({ paymentRail: "ACH", remittanceInformation: "Invoice 9" });
  });

  it("tells of a refused run, and pays when it is tried again", async () => {
    const retry = { times: 2, everyMinutes: 30 };
    const { story, made, advance, get, told, accountId } = await newSchedule({ retry }, 50);
    const wait = Date.parse(made.nextAt) - (await nowOf(story));
    await advance(Math.ceil(wait / 1_000) + 1);
    const waiting = await get();
    expect(waiting.lastRun).toMatchObject({
      status: "WAITING",
      error: { code: "INSUFFICIENT_BALANCE", details: { available: 50, needed: 100 } },
    });
    expect((await told()).map(({ type }) => type)).toEqual(["PAYMENT_SCHEDULE.RUN_FAILED"]);
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 50 });
    await advance(31 * 60);
    expect((await get()).lastRun).toMatchObject({ id: waiting.lastRun.id, status: "CREATED" });
    expect(await told()).toHaveLength(1);
  });

  it("is paused, resumed, skipped, run at once, and ended", async () => {
    const { advance, get, act, runs, balance, savings, made } = await newSchedule();
    expect((await act("pause")).json).toMatchObject({ status: "PAUSED" });
    await advance(2 * 24 * HOUR);
    const resumed = (await act("resume")).json;
    expect([resumed.status, resumed.runs]).toEqual(["ACTIVE", 0]);
    const skipped = (await act("skip")).json;
    expect(skipped.lastRun).toMatchObject({ status: "SKIPPED", dueAt: resumed.nextAt });
    const now = expectStatus(201, await act("run")).json;
    expect(now).toMatchObject({ trigger: "CALL", status: "CREATED", scheduleId: made.id });
    expect((await get()).nextAt).toBe(skipped.nextAt);
    expect((await act("end")).json.status).toBe("ENDED");
    await advance(5 * 24 * HOUR);
    expect([(await runs()).length, await balance(savings)]).toEqual([2, 100]);
    const again = await act("run");
    expect([again.status, again.json.code]).toEqual([409, "CONFLICT"]);
  });

  it("does not run a due time that was skipped before a pause, and runs the next one", async () => {
    const { story, path, advance, get, act, runs, balance, savings } = await newSchedule();
    const skipped = (await act("skip")).json;
    const previewed = async () => (await story.call("GET", `${path}/preview?count=1`)).json.data;
    await act("pause");
    expect(await previewed()).toMatchObject([{ dueAt: skipped.nextAt }]);
    expect((await act("resume")).json).toMatchObject({
      status: "ACTIVE",
      nextAt: skipped.nextAt,
    });
    await advance(3 * 24 * HOUR);
    const statuses = (await runs()).map(({ status }: { status: string }) => status);
    expect(statuses.filter((status: string) => status === "SKIPPED")).toHaveLength(1);
    expect([statuses.includes("CREATED"), (await get()).status]).toEqual([true, "ACTIVE"]);
    expect(await balance(savings)).toBeGreaterThan(0);
  });

  it("has a preview on the clock of its zone", async () => {
    const { story, path } = await newSchedule({ rule: { ...DAILY, count: 2 } });
    const { json } = await story.call("GET", `${path}/preview`);
    expect(json.data).toHaveLength(2);
    for (const { localTime } of json.data) expect(localTime.slice(11)).toBe("09:00");
  });

  it("is changed: a new amount, a new rule that begins now", async () => {
    const { story, path, body, advance, balance, savings, get } = await newSchedule();
    const template = { ...body.template, amount: 300 };
    const change = { name: "More", template, rule: { ...DAILY, time: "10:00", count: 1 } };
    const { status, json } = await story.call("PATCH", path, change);
    expect([status, json.name, json.template.amount]).toEqual([200, "More", 300]);
    await advance(3 * 24 * HOUR);
    expect([await balance(savings), (await get()).status]).toEqual([300, "ENDED"]);
    const late = await story.call("PATCH", path, { name: "Late" });
    expect([late.status, late.json.code]).toEqual([409, "CONFLICT"]);
  });

  it("names its parties", async () => {
    const { story, made } = await newSchedule();
    const { json } = await story.call("GET", "/payment-schedules?expand=parties&status=ACTIVE");
    expect([json.totalCount, json.data[0].id]).toEqual([1, made.id]);
    expect(json.data[0].parties.from).toMatchObject({ name: "Ana Ruiz" });
  });
});

describe("a schedule is refused", () => {
  it.each<[name: string, rule: object, field: string, message: string]>([
    ["without every", {}, "rule.every", "is missing; a rule has either at or every"],
    [
      "with both",
      { at: "2030-01-01T00:00:00Z", every: "DAY" },
      "rule.every",
      "has no place beside at, which is one time",
    ],
    ["in the past", { at: "2020-01-01T00:00:00Z" }, "rule.at", "must be in the future"],
    ["far ahead", { at: "2090-01-01T00:00:00Z" }, "rule.at", "must be within 10 years"],
    [
      "without a time",
      { ...DAILY, time: undefined },
      "rule.time",
      "is missing; it is the time of the day, such as 09:30",
    ],
    [
      "at no time",
      { ...DAILY, time: "24:00" },
      "rule.time",
      "must be a time of the day, such as 09:30",
    ],
    [
      "in no zone",
      { ...DAILY, timeZone: "Mars/Base" },
      "rule.timeZone",
      "must be the IANA name of a time zone, such as Europe/Berlin",
    ],
    [
      "on a weekday of a month",
      { ...DAILY, every: "MONTH", on: "MONDAY" },
      "rule.on",
      "must be a day of the month, 1 to 31",
    ],
    ["on day 32", { ...DAILY, every: "MONTH", on: 32 }, "rule.on", "must be at most 31"],
    [
      "on a day of a week",
      { ...DAILY, every: "WEEK", on: 3 },
      "rule.on",
      "must be one of SUNDAY, MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY",
    ],
    ["with on each day", { ...DAILY, on: 3 }, "rule.on", "has no place in a rule of every day"],
    [
      "moved without holidays",
      { ...DAILY, adjust: "NEXT" },
      "rule.adjust",
      "needs holidays, the calendar of banking days",
    ],
    [
      "with two ends",
      { ...DAILY, count: 3, until: "2030-01-01" },
      "rule.count",
      "has no place beside until",
    ],
    [
      "ended before it begins",
      { ...DAILY, from: "2030-01-02", until: "2030-01-01" },
      "rule.until",
      "must not be before from",
    ],
    ["at every 13th", { ...DAILY, interval: 13 }, "rule.interval", "must be at most 12"],
  ])("%s", async (_name, rule, field, message) => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 10);
    const { accountId: other } = await fundedCustomer(story, 0);
    const sides = { source: { accountId }, destination: { accountId: other } };
    const { status, json } = await story.call("POST", "/payment-schedules", {
      name: "x",
      template: { kind: "BOOK", ...sides, amount: 5 },
      rule,
    });
    expect([status, json.details.field, json.details.reason]).toEqual([400, field, message]);
    expect((await story.call("GET", "/payment-schedules")).json.totalCount).toBe(0);
  });

  it("for what the single call refuses, but not for the balance", async () => {
    const { story, body } = await newSchedule({}, 0);
    const { template } = body;
    const post = (more: object) =>
      story.call("POST", "/payment-schedules", { ...body, template: { ...template, ...more } });
    const self = await post({ destination: template.source });
    expect([self.status, self.json.code]).toEqual([400, "SELF_PAYMENT"]);
    const outside = await post({ kind: "TRANSFER_OUT" });
    expect([outside.status, outside.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    const nothing = await story.call("PATCH", `/payment-schedules/${"PaymentSchedule:1"}`, {});
    expect(nothing.status).toBe(400);
  });
});
