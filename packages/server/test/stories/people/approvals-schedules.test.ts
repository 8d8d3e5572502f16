/** Schedules of people in production: their approval is that of a payment, once, and again when the schedule grows. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ConsoleBrowser } from "../../kit/console.ts";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type RawAnswer, type Story } from "../../kit/story.ts";
import { agree, verdictOf } from "../../kit/story-approvals.ts";
import {
  activeConnection,
  balanceOf,
  expectStatus,
  manualConnection,
  type Payer,
  payerOf,
  routeTo,
} from "../../kit/story-rails.ts";
import { MONTHLY } from "../../kit/valid-schedule-calls.ts";

const server = await sharedServer();
let story: Story;
let owner: ConsoleBrowser;
let finance: InvitedPerson;
let approver: InvitedPerson;
let payer: Payer;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId, environment: "PRODUCTION" });
  payer = await payerOf(story, 1_000_000);
  await routeTo(story, await activeConnection(story, manualConnection()));
  owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
});

const templateOf = (amount: number) => ({
  kind: "TRANSFER_OUT",
  source: { accountId: payer.accountId },
  destination: { accountId: payer.payeeId },
  amount,
});

const ask = (method: string, path: string, body?: unknown) =>
  finance.browser.at(story.platformId)(method, path, body);

const waiting = (answer: RawAnswer) => expectStatus(202, answer).json;
const get = async (id: string) => (await story.call("GET", `/payment-schedules/${id}`)).json;

async function agreed(asked: { readonly id: string }): Promise<string> {
  const done = expectStatus(200, await agree(approver.browser, asked.id)).json;
  expect([done.state, done.failure]).toEqual(["DONE", undefined]);
  return done.resultId;
}

async function newSchedule(): Promise<string> {
  const body = { name: "Rent", template: templateOf(200), rule: MONTHLY };
  return agreed(waiting(await ask("POST", "/payment-schedules", body)));
}

describe("a schedule of a person", () => {
  it("waits for another one, and those of a token do not", async () => {
    const body = { name: "Rent", template: templateOf(200), rule: MONTHLY };
    expectStatus(201, await story.call("POST", "/payment-schedules", body));
    const { totalCount } = (await story.call("GET", "/payment-schedules")).json;
    const asked = waiting(await ask("POST", "/payment-schedules", body));
    expect(asked).toMatchObject({
      kind: "PAYMENT",
      operation: "createPaymentSchedule",
      summary: "A schedule of payments of 2.00 USD",
      content: body,
    });
    expect((await story.call("GET", "/payment-schedules")).json.totalCount).toBe(totalCount);
    expect(verdictOf(await agree(finance.browser, asked.id))).toContain("CAPABILITY");
    expect((await get(await agreed(asked))).status).toBe("ACTIVE");
  });

  it("waits again when it grows, and not for less", async () => {
    const id = await newSchedule();
    const path = `/payment-schedules/${id}`;
    expectStatus(200, await ask("PATCH", path, { name: "Rent of May" }));
    expectStatus(200, await ask("PATCH", path, { template: templateOf(150) }));
    const asked = waiting(await ask("PATCH", path, { template: templateOf(151) }));
    expect((await get(id)).template.amount).toBe(150);
    expect(asked.content.before.template).toEqual(templateOf(150));
    expect(await agreed(asked)).toBe(id);
    expect((await get(id)).template.amount).toBe(151);
    const sooner = waiting(
      await ask("PATCH", path, { rule: { ...MONTHLY, every: "DAY", on: undefined } }),
    );
    expectStatus(200, await ask("PATCH", path, { template: templateOf(100) }));
    const failed = expectStatus(200, await agree(approver.browser, sooner.id)).json;
    expect([failed.state, failed.failure.details]).toEqual(["FAILED", { changed: "schedule" }]);
  });

  it("is stopped by one person, and makes one more run by two", async () => {
    const id = await newSchedule();
    const path = `/payment-schedules/${id}`;
    const before = await balanceOf(story, payer.accountId);
    const asked = waiting(await ask("POST", `${path}/run`));
    expect(await balanceOf(story, payer.accountId)).toBe(before);
    expect(await agreed(asked)).toMatch(/^Transaction:/);
    expect(await balanceOf(story, payer.accountId)).toBe(before - 200);
    expect((await get(id)).runs).toBe(1);
    expectStatus(200, await ask("POST", `${path}/pause`));
    expectStatus(200, await ask("POST", `${path}/end`));
  });
});
