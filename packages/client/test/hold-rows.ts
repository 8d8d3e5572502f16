/** The calls of holds, as rows of the table in call-table.ts. */
import type { Client } from "../src/client.ts";

type Row = readonly [name: string, call: (client: Client) => Promise<unknown>, request: string];

export const holdRows: readonly Row[] = [
  [
    "holds.create",
    (c) => c.holds.create("InternalAccount:1", { amount: 5 }),
    "POST /internal-accounts/InternalAccount%3A1/holds",
  ],
  ["holds.list", (c) => c.holds.list({ status: "OPEN" }), "GET /holds?status=OPEN"],
  [
    "holds.get",
    (c) => c.holds.get("Hold:1", { expand: "parties" }),
    "GET /holds/Hold%3A1?expand=parties",
  ],
  [
    "holds.capture",
    (c) => c.holds.capture("Hold:1", { destination: { accountId: "InternalAccount:2" } }),
    "POST /holds/Hold%3A1/capture",
  ],
  ["holds.release", (c) => c.holds.release("Hold:1"), "POST /holds/Hold%3A1/release"],
];
