/** Alerts on balances: each crossing is told once, in the commit that moves the money. */
import { describe, expect, it } from "vitest";
import { present } from "../../../src/std/assert.ts";
import { eventsOf } from "../../kit/platform-rows.ts";
import { sharedServer } from "../../kit/shared-server.ts";
import { fundedCustomer, openStory, type Story } from "../../kit/story.ts";

const server = await sharedServer();
const NOBODY = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";

async function newAccount(amount = 1_000) {
  const story = await openStory(server);
  const { accountId } = await fundedCustomer(story, amount);
  const { accountId: elsewhere } = await fundedCustomer(story, 1_000);
  const path = `/internal-accounts/${accountId}/alerts`;
  const move = (source: string, destination: string, moved: number) =>
    story.call("POST", "/transfers", {
      source: { accountId: source },
      destination: { accountId: destination },
      amount: moved,
    });
  return {
    story,
    accountId,
    path,
    spend: (moved: number) => move(accountId, elsewhere, moved),
    receive: (moved: number) => move(elsewhere, accountId, moved),
  };
}

async function alertsTold(story: Story) {
  const events = await eventsOf(story);
  return events.filter(({ type }) => type === "INTERNAL_ACCOUNT.ALERT");
}

describe("an alert", () => {
  it("is told once for each crossing, with the balance that crossed", async () => {
    const { story, accountId, path, spend, receive } = await newAccount();
    const made = await story.call("POST", path, { direction: "BELOW", amount: 600 });
    expect([made.status, made.json.isBeyond]).toEqual([201, false]);
    for (const moved of [100, 300, 100, 100]) expect((await spend(moved)).status).toBe(201);
    expect((await receive(400)).status).toBe(201);
    expect((await spend(300)).status).toBe(201);
    const told = await alertsTold(story);
    expect(told).toHaveLength(2);
    expect(present(told[0], "an event").body).toMatchObject({
      data: {
        accountId,
        alertId: made.json.id,
        direction: "BELOW",
        balance: { amount: 500 },
        threshold: { amount: 600 },
      },
    });
    const { json } = await story.call("GET", path);
    expect(json.data).toEqual([{ ...made.json, isBeyond: true }]);
  });

  it("above an amount is told when money comes in", async () => {
    const { story, path, receive } = await newAccount();
    await story.call("POST", path, { direction: "ABOVE", amount: 1_100 });
    await receive(100);
    expect(await alertsTold(story)).toHaveLength(0);
    await receive(1);
    expect(await alertsTold(story)).toHaveLength(1);
  });

  it("is told of money of the sandbox as well", async () => {
    const { story, accountId, path } = await newAccount(0);
    await story.call("POST", path, { direction: "ABOVE", amount: 100 });
    await story.call("POST", `/sandbox/internal-accounts/${accountId}/fund`, { amount: 101 });
    expect(await alertsTold(story)).toHaveLength(1);
  });

  it("is deleted, and then not told", async () => {
    const { story, path, spend } = await newAccount();
    const { json } = await story.call("POST", path, { direction: "BELOW", amount: 999 });
    expect((await story.call("DELETE", `${path}/${json.id}`)).status).toBe(204);
    expect((await story.call("DELETE", `${path}/${json.id}`)).status).toBe(404);
    await spend(500);
    expect(await alertsTold(story)).toHaveLength(0);
    expect((await story.call("GET", path)).json).toEqual({
      data: [],
      hasMore: false,
      totalCount: 0,
    });
  });
});

describe("a list of alerts", () => {
  it("is paged, oldest first", async () => {
    const { story, path } = await newAccount();
    const ids: string[] = [];
    for (const amount of [300, 100, 200])
      ids.push((await story.call("POST", path, { direction: "BELOW", amount })).json.id);
    const first = (await story.call("GET", `${path}?limit=2`)).json;
    expect(first.data.map(({ id }: { readonly id: string }) => id)).toEqual(ids.slice(0, 2));
    const next = (await story.call("GET", `${path}?limit=2&cursor=${first.nextCursor}`)).json;
    expect([next.data.length, next.hasMore, next.data[0].id]).toEqual([1, false, ids[2]]);
  });
});

describe("a refused alert leaves nothing", () => {
  it.each([
    ["no direction", { amount: 5 }, 400, "INVALID_INPUT"],
    ["another direction", { direction: "BESIDE", amount: 5 }, 400, "INVALID_INPUT"],
    ["an amount of nothing", { direction: "BELOW", amount: 0 }, 400, "INVALID_AMOUNT"],
    ["an amount with a decimal point", { direction: "BELOW", amount: 1.5 }, 400, "INVALID_AMOUNT"],
  ])("%s", async (_what, body, status, code) => {
    const { story, path } = await newAccount();
    const answer = await story.call("POST", path, body);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect((await story.call("GET", path)).json.data).toEqual([]);
  });

  it("for an account that there is not, the eleventh, and the same twice", async () => {
    const { story, path } = await newAccount();
    const missing = await story.call("POST", `/internal-accounts/${NOBODY}/alerts`, {
      direction: "BELOW",
      amount: 5,
    });
    expect([missing.status, missing.json.code]).toEqual([404, "REFERENCE_NOT_FOUND"]);
    for (let amount = 1; amount <= 10; amount++)
      expect((await story.call("POST", path, { direction: "BELOW", amount })).status).toBe(201);
    const more = await story.call("POST", path, { direction: "BELOW", amount: 11 });
    expect([more.status, more.json.details.most]).toEqual([409, 10]);
    const { json } = await story.call("GET", path);
    expect(json.totalCount).toBe(10);
  });
});
