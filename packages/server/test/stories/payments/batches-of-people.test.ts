/** Batches that people send, which wait for other people as one order. */
import { beforeAll, describe, expect, it } from "vitest";
import { type InvitedPerson, makeOwner, makePerson } from "../../kit/console-people.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { openStory, type Story } from "../../kit/story.ts";
import { agree, reject } from "../../kit/story-approvals.ts";
import { bookItem, type Payers, payersOf } from "../../kit/story-batches.ts";
import { holdingsOf, rowCounts } from "../../kit/story-money.ts";

const server = await sharedServer();
let story: Story;
let finance: InvitedPerson;
let approver: InvitedPerson;
let payers: Payers;

beforeAll(async () => {
  const { workspaceId } = await server.makePlatform();
  story = await openStory(server, { workspaceId });
  payers = await payersOf(story, 100_000);
  const owner = await makeOwner(server, workspaceId);
  finance = await makePerson(owner, ["FINANCE"]);
  approver = await makePerson(owner, ["APPROVER"]);
  const rules = { PAYMENT: { waits: true } };
  const platformId = `PlatformConfig:${story.platformId}`;
  await owner.call("PUT", "/workspace/policies", { platformId, rules });
});

const batchOf = (count: number, amount = 100) => ({
  name: "Salaries",
  mode: "INDEPENDENT",
  items: Array.from({ length: count }, (_, at) =>
    bookItem(payers, { reference: `item-${at}`, amount: amount + at }),
  ),
});
const send = (body: object) =>
  finance.browser.at(story.platformId)("POST", "/payment-batches", body);

describe("a batch of a person", () => {
  it("waits as one order, which shows its sum, its count, its largest items and its new payees", async () => {
    const before = await rowCounts(story);
    const asked = await send(batchOf(12));
    expect([asked.status, asked.json.summary]).toEqual([202, "Batch of 12 payments, 12.66 USD"]);
    expect((await rowCounts(story)).payment_batches).toBe(before.payment_batches);
    const { json } = await approver.browser.call("GET", `/workspace/approvals/${asked.json.id}`);
    const facts: readonly Record<string, string>[] = json.shown.facts;
    const shownAs = (key: string) => {
      const fact = facts.find((one) => one.key === key);
      return fact?.value ?? fact?.personal;
    };
    expect(shownAs("amount")).toBe("12.66 USD");
    expect(shownAs("count")).toBe("12");
    expect(shownAs("newPayees")).toBe("1, paid for the first time");
    expect(facts.filter(({ key }) => key?.startsWith("largest."))).toHaveLength(10);
    expect(shownAs("largest.0")).toMatch(/^1\.11 USD to .*, item-11, new$/);
    const done = (await agree(approver.browser, asked.json.id)).json;
    expect(done.state).toBe("DONE");
    await story.settle();
    const { json: batch } = await story.call("GET", `/payment-batches/${done.resultId}`);
    expect(batch).toMatchObject({ status: "COMPLETED", counts: { accepted: 12 } });
    expect((await holdingsOf(story, payers.to)).available).toBe(1_266);
  });

  it("that is scheduled shows its time, and runs at once when it is agreed to later", async () => {
    const clock = await story.call("GET", "/sandbox/clock");
    const scheduledFor = new Date(Date.parse(clock.json.now) + 3_600_000).toISOString();
    const before = await holdingsOf(story, payers.to);
    const wish = { ...batchOf(1), scheduledFor };
    const [later, early] = [await send(wish), await send({ ...wish, name: "Early" })];
    expect([later.status, early.status]).toEqual([202, 202]);
    const { json } = await approver.browser.call("GET", `/workspace/approvals/${later.json.id}`);
    const facts: readonly Record<string, string>[] = json.shown.facts;
    expect(facts.find(({ key }) => key === "scheduledFor")?.label).toBe("Runs at");
    const waiting = (await agree(approver.browser, early.json.id)).json.resultId;
    const stored = await story.call("GET", `/payment-batches/${waiting}`);
    expect(stored.json).toMatchObject({ status: "PENDING", scheduledFor });
    await story.call("POST", "/sandbox/clock/advance", { seconds: 7_200 });
    const agreed = (await agree(approver.browser, later.json.id)).json;
    expect(agreed.state).toBe("DONE");
    await story.settle();
    for (const id of [waiting, agreed.resultId]) {
      const batch = await story.call("GET", `/payment-batches/${id}`);
      expect(batch.json).toMatchObject({ status: "COMPLETED", scheduledFor });
    }
    expect((await holdingsOf(story, payers.to)).available - before.available).toBe(200);
  });

  it("that is rejected is never stored", async () => {
    const before = await rowCounts(story);
    const asked = await send(batchOf(2));
    expect((await reject(approver.browser, asked.json.id)).json.state).toBe("REJECTED");
    expect((await rowCounts(story)).payment_batches).toBe(before.payment_batches);
  });

  it("that is changed is another order", async () => {
    const [one, other] = [await send(batchOf(2)), await send(batchOf(2, 101))];
    expect(one.json.contentDigest).not.toBe(other.json.contentDigest);
    const digest = (body: object) => send(body).then(({ json }) => json.contentDigest);
    expect(await digest(batchOf(2))).toBe(one.json.contentDigest);
  });

  it("is refused with more items than people can decide about at once", async () => {
    const { status, json } = await send(batchOf(2_001, 1));
    expect([status, json.details.field]).toEqual([400, "items"]);
  });
});
