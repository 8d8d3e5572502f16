import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
} from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import type { Batch } from "../../../engine/batch.ts";
import { Refusal } from "../../../engine/refusal.ts";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { externalAccounts } from "../../accounts/external/external-account.ts";
import { internalAccounts } from "../../accounts/internal/internal-account.ts";
import { customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { transferOut } from "./transfer-out.ts";

const empty = newSystemAccount({ system: "in-flight", currency: "USD" }, DECIDED_AT);
const order = {
  internalId: internal.id,
  externalId: external.id,
  amountMinor: 700n,
  paymentRail: undefined,
  remittanceInformation: undefined,
  rails: sandboxRails,
};

function worldWith({ inFlight }: { readonly inFlight: LedgerAccount }): Batch {
  const opened = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  return worldFor({
    command: transferOut,
    input: order,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, platform),
      rowsOf(customers, customer),
      rowsOf(internalAccounts, internal),
      rowsOf(externalAccounts, external),
      rowsOf(ledgerAccounts, { ...opened, balanceMinor: 1_000n }, inFlight),
    ],
  });
}

describe("a transfer out", () => {
  it("holds its money, and emits the payment's event before the balance's event", () => {
    const world = worldWith({ inFlight: empty });
    expect(transferOut.decide(world, order).status).toBe("PENDING");
    expect(world.get(ledgerAccounts.ref(internal.id))).toMatchObject({
      balanceMinor: 300n,
      heldMinor: 700n,
    });
    expect(world.events.map(({ type }) => type)).toEqual([
      "OUTGOING_PAYMENT.PENDING",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    ]);
    expect(world.jobs.map(({ kind }) => kind)).toEqual(["send-payout"]);
  });

  it.each([
    ["the account holds too little", { ...order, amountMinor: 1_001n }, empty],
    ["the books are full", order, { ...empty, balanceMinor: 2n ** 63n - 1n }],
  ])("that is refused, because %s, has written nothing", (_why, refused, inFlight) => {
    const world = worldWith({ inFlight });
    expect(() => transferOut.decide(world, refused)).toThrow(Refusal);
    expect(world.isEmpty).toBe(true);
  });
});
