/** The balance of an account at a time, against a list of what was done when. */
import { describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory } from "../../kit/story.ts";
import { expectStatus } from "../../kit/story-rails.ts";

const server = await sharedServer();

describe("the balance of an account at a time", () => {
  it("is that after the last entry up to the moment, at every moment", async () => {
    const story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story, 0);
    const path = `/internal-accounts/${accountId}`;
    const expected: { at: string; available: number; sequence: number }[] = [];
    for (let step = 1; step <= 5; step += 1) {
      await story.call("POST", "/sandbox/clock/advance", { seconds: 60 });
      await story.call("POST", `/sandbox${path}/fund`, { amount: step * 100 });
      const { updatedAt, balance } = (await story.call("GET", path)).json;
      expected.push({ at: updatedAt, available: balance.amount, sequence: step });
    }
    const at = async (moment: string) =>
      expectStatus(200, await story.call("GET", `${path}/balance?at=${moment}`)).json;
    const shifted = (moment: string, ms: number) => new Date(Date.parse(moment) + ms).toISOString();
    for (const [place, { at: moment, available, sequence }] of expected.entries()) {
      const here = await at(moment);
      expect(here).toMatchObject({ available: { amount: available }, sequence, asOf: moment });
      const before = await at(shifted(moment, -1));
      const last = expected[place - 1] ?? { available: 0, sequence: 0 };
      expect(before).toMatchObject({
        available: { amount: last.available },
        sequence: last.sequence,
      });
      expect(before).not.toHaveProperty("total");
    }
    expect((await at("1969-01-01T00:00:00Z")).sequence).toBe(0);
    const payee = await bankAccount(story, { customerId, suffix: "005" });
    const out = { source: { accountId }, destination: { accountId: payee }, amount: 300 };
    expectStatus(201, await story.call("POST", "/transfer-out", out));
    const now = expectStatus(200, await story.call("GET", `${path}/balance`)).json;
    expect(now).toMatchObject({
      available: { amount: 1_200 },
      total: { amount: 1_500 },
      sequence: 6,
    });
  });

  it("is refused for a time in the future, a wrong one, and an unknown account", async () => {
    const story = await openStory(server);
    const { accountId } = await fundedCustomer(story, 100);
    const path = `/internal-accounts/${accountId}/balance`;
    for (const at of ["2999-01-01T00:00:00Z", "yesterday", ""]) {
      const { status, json } = await story.call("GET", `${path}?at=${at}`);
      expect([status, json.details.field]).toEqual([400, "at"]);
    }
    const other = await openStory(server);
    expect((await other.call("GET", path)).status).toBe(404);
  });
});
