/** A production platform pays a receiver at an institution on the official SDK. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sha256Hex } from "../../../src/std/digest.ts";
import { holdingsOf, systemBalances } from "../../kit/story-money.ts";
import { expectStatus } from "../../kit/story-rails.ts";
import { BOB, openPays, type PaysStory } from "../../kit/story-uma-pays.ts";

let story: PaysStory;
beforeAll(async () => {
  story = await openPays();
});
afterAll(() => story.close());
afterEach(() => {
  const { payee, connector } = story;
  payee.invoices.asked.length = 0;
  payee.invoices.terms.fee = 0;
  payee.invoices.invoice = undefined;
  payee.isSubjectToTravelRule = true;
  connector.report = () => ({ status: "accepted" });
});

describe("a payment to an institution on the official SDK", () => {
  it("of an amount that arrives is the invoice to the unit", async () => {
    const { payee, bank, connector, accountId } = story;
    const made = expectStatus(201, await story.quote({ amount: 1_000 })).json;
    // 1,000 × 10,000.5 millisatoshis at 12,500 for a cent: 800.04 cents.
    expect(made).toMatchObject({
      status: "PENDING",
      totalSendingAmount: 801,
      totalReceivingAmount: 1_000,
      feesIncluded: 0,
      paymentRail: "UMA",
      counterpartyInformation: { FULL_NAME: "Bob Stone" },
      rateDetails: { serviceApiMultiplier: 12_500, counterpartyMultiplier: 0.000099995000249988 },
    });
    const [{ json, travelRule } = expect.fail("nobody was asked")] = payee.invoices.asked;
    expect(json).toMatchObject({ amount: "1000.EUR", convert: "EUR" });
    expect(json.payerData).toMatchObject({ identifier: "$ana@bank.test", name: "Ana Ruiz" });
    expect(json.payerData.compliance).toMatchObject({ kycStatus: "VERIFIED" });
    expect(JSON.parse(travelRule ?? "")).toMatchObject({
      originator: { accountNumber: ["$ana@bank.test"] },
      beneficiary: { accountNumber: [BOB] },
    });
    const before = await holdingsOf(bank, accountId);
    connector.report = () => ({ status: "settled" });
    expectStatus(200, await story.execute(made.id));
    await bank.settle();
    const [order] = [...connector.orders.values()].slice(-1);
    expect(order).toMatchObject({
      amount: "10000500",
      currency: "MSAT",
      counterparty: {
        accountType: "UMA_ADDRESS",
        accountInfo: { umaAddress: BOB, vaspDomain: "vasp.test" },
      },
      settlement: { layer: "ln", assetIdentifier: "BTC", invoice: "lnbc10000500x1" },
    });
    const paid = (await bank.call("GET", `/transactions/${made.transactionId}`)).json;
    expect(paid).toMatchObject({ status: "COMPLETED", receivedAmount: { amount: 1_000 } });
    const told = (await bank.call("GET", `/uma/payments/${made.transactionId}`)).json;
    expect(told).toMatchObject({
      direction: "OUTGOING",
      state: "PAID",
      vaspDomain: "vasp.test",
      railPaymentId: expect.stringContaining("RailPayment:"),
      layer: "ln",
      settlementAmount: { amount: 10_000_500 },
      fee: { amount: 0 },
      multiplier: "10000.5",
      receiverKyc: "VERIFIED",
      isSubjectToTravelRule: true,
      travelRule: { format: "ivms@101.2023", sha256: sha256Hex(travelRule ?? "") },
      fieldsSent: ["name"],
      fieldsReceived: ["name"],
    });
    expect(told).not.toHaveProperty("invoiceId");
    const after = await holdingsOf(bank, accountId);
    expect(before.total - after.total).toBe(801);
    expect(await systemBalances(bank, "MSAT")).toEqual({ clearing: 10_000_500, fx: -10_000_500 });
  });

  it("of an amount that is sent asks for the units that it buys", async () => {
    const { payee, bank } = story;
    const made = expectStatus(201, await story.quote({ side: "SENDING", amount: 1_000 })).json;
    const [{ json } = expect.fail("nobody was asked")] = payee.invoices.asked;
    expect(json.amount).toBe("12500000");
    // 12,500,000 ÷ 10,000.5 is 1,249.9: the SDK rounds it up.
    expect(made).toMatchObject({ totalSendingAmount: 1_000, totalReceivingAmount: 1_250 });
    const { rows } = await bank.server.database.asSuperuser((client) =>
      client.query("select settlement from quotes where id = $1", [made.id.split(":")[1]]),
    );
    expect(rows[0].settlement).toMatchObject({ minor: "12500000", vaspDomain: "vasp.test" });
  });
});
