/** What comes back to an agent's limits: the part of what it has used that its payer has again, once. */
import { expect, it } from "vitest";
import { agent } from "../../../../test/kit/agent-rows.ts";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { PLATFORM, platform, quoteTransaction } from "../../../../test/kit/payment-rows.ts";
import {
  type Refund,
  type Transaction,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { agents } from "../agent.ts";
import { type AgentAction, agentActions } from "./agent-action.ts";
import { followPayment } from "./follow-payment.ts";

const USED = 5_000n;

/** Of a payment of 1,000 that counted as 700. */
function usedAfter(refund: Partial<Refund>, action: Partial<AgentAction> = {}): bigint {
  const transaction: Transaction = {
    ...{ ...quoteTransaction, status: "FAILED", agentId: agent.id, sentMinor: 1_000n },
    refund: {
      ...{ reference: "RF-1", initiatedAt: "", status: "COMPLETED", reason: "TRANSACTION_FAILED" },
      ...refund,
    },
  };
  const counted = {
    ...{ id: "018f0000-0000-7000-8000-0000000000f2", agentId: agent.id, status: "FAILED" },
    ...{ transactionId: transaction.id, executedAt: DECIDED_AT, usageReturnedAt: null },
    ...{ countedMinor: 700n, countedCurrency: "USD", ...action },
  } as unknown as AgentAction;
  const input = { transactionId: transaction.id, jobId: "018f0000-0000-7000-8000-0000000000f3" };
  const usage = { usageDayCount: 2, usageDayMinor: USED, usageMonthMinor: USED };
  const world = worldFor({
    command: followPayment,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, platform),
      rowsOf(transactions, transaction),
      rowsOf(agentActions, counted),
      rowsOf(agents, { ...agent, ...usage }),
    ],
  });
  followPayment.decide(world, input);
  followPayment.decide(world, input);
  const { usageDayMinor, usageMonthMinor } = world.get(agents.ref(agent.id));
  expect(usageMonthMinor).toBe(usageDayMinor);
  return usageDayMinor;
}

const came = (minor: string) => ({ returned: { cameMinor: minor, refundMinor: minor } });

it.each([
  ["all of a payment that was declined", {}, USED - 700n],
  ["all of a payout that came back whole", came("1000"), USED - 700n],
  ["a part of one that came back short, rounded down", came("999"), USED - 699n],
  ["a unit", came("2"), USED - 1n],
  ["no more than was used", came("1400"), USED - 700n],
  ["nothing while the refund is pending", { ...came("1000"), status: "PENDING" }, USED],
  ["nothing when no account took it", { ...came("1000"), status: "FAILED" }, USED],
] as const)("is %s", (_what, refund, expected) => {
  expect(usedAfter(refund)).toBe(expected);
});
