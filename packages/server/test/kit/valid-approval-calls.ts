/** Orders that wait for people, and a valid call of each operation on them. */
import type { Make } from "./made-objects.ts";
import { fundedCustomer, type Story } from "./story.ts";
import { expectStatus } from "./story-rails.ts";

export function adjustmentOf(accountId: string, more: object = {}) {
  return {
    accountId,
    direction: "CREDIT",
    amount: 125,
    currency: "USD",
    reasonCode: "GOODWILL",
    note: "for the late payout",
    ...more,
  };
}

async function asked(story: Story): Promise<string> {
  const { accountId } = await fundedCustomer(story, 1_000);
  const answer = await story.call("POST", "/adjustments", adjustmentOf(accountId));
  return expectStatus(202, answer).json.id;
}

export const approvalObjects: Readonly<Record<string, (story: Story) => Promise<string>>> = {
  Approval: asked,
};

export const approvalValidCalls: Readonly<Record<string, Make>> = {
  createAdjustment: async (story) => {
    const { accountId } = await fundedCustomer(story, 1_000);
    return { path: "/adjustments", body: adjustmentOf(accountId) };
  },
  getApproval: async (story) => ({ path: `/approvals/${await asked(story)}` }),
};

export const approvalPlaces = {
  createAdjustment: { body: { accountId: "InternalAccount", documentId: "Document" } },
  listAdjustments: { query: { accountId: "InternalAccount" } },
};
