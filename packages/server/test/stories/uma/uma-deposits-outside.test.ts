/** Money of another institution for a customer whose default deposit account is outside. */
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  balanceOf,
  euroDesk,
  eventsAbout,
  expectStatus,
  paymentOf,
  transactionOf,
} from "../../kit/story-rails.ts";
import { openPaid, type PaidStory } from "../../kit/story-uma-paid.ts";

let at: PaidStory;
let customerId: string;
let payeeId: string;
beforeAll(async () => {
  at = await openPaid();
  await euroDesk(at.bank);
  ({ customerId } = (await at.bank.call("GET", `/internal-accounts/${at.accountId}`)).json);
  payeeId = await depositAccount("DE89370400440532013000");
});
afterAll(() => at.close());

async function depositAccount(iban: string): Promise<string> {
  const body = {
    customerId,
    currency: "EUR",
    defaultUmaDepositAccount: true,
    accountInfo: {
      accountType: "EUR_ACCOUNT",
      iban,
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana", countryOfResidence: "DE" },
    },
  };
  const made = await at.bank.call("POST", "/customers/external-accounts", body);
  return expectStatus(201, made).json.id;
}

const had = () => balanceOf(at.bank, at.accountId);

/** The incoming payment after its invoice was paid, and the payout that took the money on. */
async function payAndGoOn(meanwhile: () => Promise<unknown> = async () => undefined) {
  const { transactionId } = await at.pay();
  await meanwhile();
  const { amount } = at.invoiceOf(transactionId);
  await at.tell(transactionId, BigInt(amount));
  await at.tell(transactionId, BigInt(amount));
  await at.bank.settle();
  const incoming = await transactionOf(at.bank, transactionId);
  const payoutId = incoming.depositTransactionId;
  const payout = payoutId === undefined ? undefined : await transactionOf(at.bank, payoutId);
  return { incoming, payout };
}

it("is credited, and goes on by a payout", async () => {
  const before = await had();
  const { incoming, payout } = await payAndGoOn();
  expect(incoming).toMatchObject({ status: "COMPLETED", depositAccountId: payeeId });
  expect(incoming).not.toHaveProperty("depositFallback");
  expect(payout).toMatchObject({
    type: "OUTGOING",
    depositOf: incoming.id,
    destination: { accountId: payeeId },
    sentAmount: { amount: incoming.receivedAmount.amount },
  });
  expect(await had()).toBe(before);
  expect(await eventsAbout(at.bank, incoming.id)).toEqual([
    "INCOMING_PAYMENT.PENDING",
    "INCOMING_PAYMENT.COMPLETED",
  ]);
  const order = await paymentOf(at.bank, payout.id);
  const settled = { outcome: "SETTLED" };
  expectStatus(200, await at.bank.call("POST", `/rails/payments/${order.id}/mark`, settled));
  expect((await transactionOf(at.bank, payout.id)).status).toBe("COMPLETED");
});

it("comes back to the internal account when the payout is declined", async () => {
  const before = await had();
  const { incoming, payout } = await payAndGoOn();
  const order = await paymentOf(at.bank, payout.id);
  const declined = { outcome: "DECLINED", note: "the account is closed" };
  expectStatus(200, await at.bank.call("POST", `/rails/payments/${order.id}/mark`, declined));
  expect(await transactionOf(at.bank, payout.id)).toMatchObject({
    status: "FAILED",
    refund: { status: "COMPLETED" },
  });
  expect(await had()).toBe(before + incoming.receivedAmount.amount);
  expect((await transactionOf(at.bank, incoming.id)).status).toBe("COMPLETED");
});

it("stays where the customer was frozen for debits", async () => {
  const before = await had();
  const freeze = { scope: "DEBITS", reason: "LEGAL_ORDER" };
  const path = `/customers/${customerId}`;
  const { incoming, payout } = await payAndGoOn(() =>
    at.bank.call("POST", `${path}/freeze`, freeze),
  );
  expect(payout).toBeUndefined();
  expect(incoming).toMatchObject({ status: "COMPLETED", depositFallback: true });
  expect(await had()).toBe(before + incoming.receivedAmount.amount);
  expectStatus(200, await at.bank.call("POST", `${path}/unfreeze`));
});

it("stays where the account outside was deleted after the payment was announced", async () => {
  const before = await had();
  const { incoming } = await payAndGoOn(async () => {
    const gone = await at.bank.call("DELETE", `/customers/external-accounts/${payeeId}`);
    expectStatus(204, gone);
  });
  expect(incoming).toMatchObject({ depositAccountId: payeeId, depositFallback: true });
  expect(await had()).toBe(before + incoming.receivedAmount.amount);
});

it("stays where no route takes it", async () => {
  await depositAccount("FR1420041010050500013M02606");
  const before = await had();
  const { incoming } = await payAndGoOn(async () => {
    const { data } = (await at.bank.call("GET", "/rails/routes")).json;
    for (const { id, direction } of data)
      if (direction === "OUT") await at.bank.call("DELETE", `/rails/routes/${id}`);
  });
  expect(incoming).toMatchObject({ status: "COMPLETED", depositFallback: true });
  expect(await had()).toBe(before + incoming.receivedAmount.amount);
});
