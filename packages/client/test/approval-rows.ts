/** The calls of approvals and adjustments, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

export const approvalRows: readonly Row[] = [
  ["approvals.list", (c) => c.approvals.list({ state: "PENDING" }), "GET /approvals?state=PENDING"],
  ["approvals.get", (c) => c.approvals.get("Approval:1"), "GET /approvals/Approval%3A1"],
  [
    "adjustments.create",
    (c) =>
      c.adjustments.create({
        accountId: "InternalAccount:1",
        direction: "CREDIT",
        amount: 1,
        currency: "USD",
        reasonCode: "GOODWILL",
        note: "an apology",
      }),
    "POST /adjustments",
  ],
  ["adjustments.list", (c) => c.adjustments.list(), "GET /adjustments"],
];
