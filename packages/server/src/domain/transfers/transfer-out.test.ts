import { describe, expect, it } from "vitest";
import { Batch } from "../../engine/batch.ts";
import { GENESIS_HASH } from "../../engine/head.ts";
import { Refusal } from "../../engine/refusal.ts";
import { RowCache } from "../../engine/row-cache.ts";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../ledger/chart.ts";
import { randomIds } from "../../std/ids.ts";
import { type ExternalAccount, externalAccounts } from "../external-accounts/external-account.ts";
import { type InternalAccount, internalAccounts } from "../internal-accounts/internal-account.ts";
import { type Platform, platforms } from "../platforms/platform.ts";
import { transferOut } from "./transfer-out.ts";

const AT = Date.UTC(2026, 10, 21);
const PLATFORM = "018f0000-0000-7000-8000-0000000000aa";
const HERE = "018f0000-0000-7000-8000-000000000001";
const THERE = "018f0000-0000-7000-8000-000000000002";

const platform: Platform = {
  id: PLATFORM,
  name: "p",
  environment: "SANDBOX",
  umaDomain: "p.test",
  umaDomains: ["p.test"],
  proxyUmaSubdomain: "p",
  sandboxUmaDomain: "sandbox.p.test",
  isRegulatedFinancialInstitution: false,
  webhookEndpoint: null,
  webhookSinceEventSeq: 0n,
  webhookSetting: 0n,
  webhookPublicKey: "",
  webhookPrivateKeySealed: "",
  supportedCurrencies: [
    {
      currencyCode: "USD",
      minAmount: 1,
      maxAmount: 1_000_000,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ["OUTGOING"],
    },
  ],
  embeddedWalletConfig: null,
  createdAt: AT,
  updatedAt: AT,
};

const internal: InternalAccount = {
  id: HERE,
  customerId: null,
  type: "INTERNAL_FIAT",
  status: "ACTIVE",
  currency: "USD",
  isSimulated: true,
  walletAddress: null,
  walletMnemonicSealed: null,
  createdAt: AT,
};

const external: ExternalAccount = {
  id: THERE,
  customerId: null,
  status: "ACTIVE",
  currency: "USD",
  accountType: "USD_ACCOUNT",
  accountInfo: { accountType: "USD_ACCOUNT", accountNumber: "12345678901" },
  primaryIdentifier: "12345678901",
  fingerprint: "f",
  platformAccountId: null,
  defaultUmaDepositAccount: false,
  beneficiaryVerificationStatus: null,
  beneficiaryVerifiedFullName: null,
  createdAt: AT,
  updatedAt: AT,
  deletedAt: null,
};

function worldWith({ inFlight }: { readonly inFlight: LedgerAccount }): Batch {
  const world = new Batch({
    platformId: PLATFORM,
    head: { seq: 4n, eventSeq: 9n, clockOffsetMs: 0, lastAt: AT, chainHash: GENESIS_HASH },
    at: AT,
    rows: new RowCache(100),
    ids: randomIds(),
    renderEvent: ({ id }) => JSON.stringify({ id }),
  });
  const balance = { ...newInternalLedgerAccount(HERE, "USD", AT), balanceMinor: 1_000n };
  world.receiveRows(platforms, [PLATFORM], [platform]);
  world.receiveRows(internalAccounts, [HERE], [internal]);
  world.receiveRows(externalAccounts, [THERE], [external]);
  world.receiveRows(ledgerAccounts, [HERE, inFlight.id], [balance, inFlight]);
  world.closeLoading();
  return world;
}

const empty = newSystemAccount("in-flight", "USD", AT);
const order = {
  internalId: HERE,
  externalId: THERE,
  amountMinor: 700n,
  paymentRail: undefined,
  remittanceInformation: undefined,
};

describe("a transfer out", () => {
  it("holds its money, and tells of the payment before the balance", () => {
    const world = worldWith({ inFlight: empty });
    expect(transferOut.decide(world, order).status).toBe("PENDING");
    expect(world.get(ledgerAccounts.ref(HERE))).toMatchObject({
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
