import { describe, expect, it } from "vitest";
import { sharedServer } from "../../kit/shared-server.ts";
import { bankAccount, fundedCustomer, openStory } from "../../kit/story.ts";

const server = await sharedServer();

describe("a payment", () => {
  it("leaves the account at once and completes", async () => {
    const story = await openStory(server);
    const { accountId, customerId } = await fundedCustomer(story, 10_000);
    const destination = await bankAccount(story, { customerId });
    const sent = await story.call("POST", "/transfer-out", {
      source: { accountId },
      destination: { accountId: destination },
      amount: 2_500,
    });
    expect(sent.status).toBe(201);
    expect(sent.json).toMatchObject({ status: "PENDING", type: "OUTGOING", customerId });
    await story.settle();
    const completed = await story.call("GET", `/transactions/${sent.json.id}`);
    expect(completed.json.status).toBe("COMPLETED");
    const accounts = await story.call(
      "GET",
      `/customers/internal-accounts?customerId=${customerId}`,
    );
    expect(accounts.json.data[0].balance.amount).toBe(7_500);
    expect(accounts.json.data[0].totalBalance.amount).toBe(7_500);
  });
});
