/** Which of a customer's payments hold up its deletion: the database and the rules for rows not yet written say the same. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { customer, PLATFORM, quoteTransaction } from "../../../test/kit/payment-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/kit/test-database.ts";
import { openTransactionsOfCustomer } from "../payments/transactions/open-payments.ts";
import {
  type Refund,
  type Transaction,
  transactionStatuses,
} from "../payments/transactions/transaction.ts";

let place: TestDatabase;
beforeAll(async () => {
  place = await createTestDatabase();
});
afterAll(() => place.drop());

const REFUNDS: readonly (Refund["status"] | null)[] = [null, "PENDING", "COMPLETED", "FAILED"];

const payments: readonly Transaction[] = transactionStatuses.flatMap((status, row) =>
  REFUNDS.map((refunded, column) => ({
    ...quoteTransaction,
    id: `018f0000-0000-7000-8000-0000000${row}${column}000`,
    status,
    refund:
      refunded === null
        ? null
        : {
            reference: "RF",
            initiatedAt: "2026-11-21T00:00:00.000Z",
            status: refunded,
            reason: "TRANSACTION_FAILED",
          },
  })),
);

const { lookup } = openTransactionsOfCustomer.of(customer.id);

it("include payments under way and those with a pending refund", async () => {
  const underWay = await place.asSuperuser(async (client) => {
    for (const { id, status, refund } of payments) {
      await client.query(
        "insert into transactions (platform_id, id, type, status, customer_id, platform_customer_id, source, destination, " +
          "refund, created_at, updated_at) values ($1, $2, 'OUTGOING', $3, $4, 'c', '{}', '{}', $5, now(), now())",
        [PLATFORM, id, status, customer.id, refund],
      );
    }
    const { rows } = await client.query<{ id: string }>({
      text: `select id from (${lookup.select.text}) found order by id`,
      values: [PLATFORM, [customer.id]],
    });
    return rows.map(({ id }) => id);
  });
  expect(underWay).toEqual(payments.filter((row) => lookup.holds(row)).map(({ id }) => id));
  const said = payments
    .filter(({ id }) => underWay.includes(id))
    .map(({ status, refund }) => `${status} ${refund?.status ?? "-"}`);
  expect(said).toContain("FAILED PENDING");
  expect(said).toContain("COMPLETED PENDING");
  expect(said).not.toContain("FAILED FAILED");
  expect(said).not.toContain("COMPLETED -");
  expect(said.filter((text) => /^(CREATED|PENDING|PROCESSING) /.test(text))).toHaveLength(12);
  expect(said).toHaveLength(12 + 5);
});
