/** What an adjustment refuses, in its order, and what it moves at each side of each bound. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { customer, internal, PLATFORM, platform } from "../../../../test/kit/payment-rows.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
  systemAccount,
} from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Document, documents } from "../../customers/documents/document.ts";
import { platforms } from "../../platform.ts";
import type { Amounts } from "./approval-kinds.ts";
import { approvalPolicies } from "./approval-policy.ts";
import { type AdjustmentOrder, postAdjustment, requestAdjustment } from "./post-adjustment.ts";

const DOCUMENT = "018f0000-0000-7000-8000-0000000000b1";

const credit: AdjustmentOrder = {
  accountId: internal.id,
  direction: "CREDIT",
  amountMinor: 100n,
  currency: "USD",
  reasonCode: "GOODWILL",
  note: "sorry",
  documentId: null,
};
const debit: AdjustmentOrder = { ...credit, direction: "DEBIT", reasonCode: "CHARGE" };

const document: Document = {
  id: DOCUMENT,
  holderKind: "Customer",
  holderId: customer.id,
  documentType: "PASSPORT",
  side: null,
  country: "US",
  documentNumber: null,
  issuingAuthority: null,
  fileName: "a.pdf",
  fileId: DOCUMENT,
  fileBytes: 1,
  mediaType: "application/pdf",
  createdAt: DECIDED_AT,
  updatedAt: DECIDED_AT,
  deletedAt: null,
  supersededBy: null,
};

interface State {
  readonly account?: Partial<InternalAccount> | "absent";
  readonly document?: Partial<Document>;
  readonly balanceMinor?: bigint;
  readonly heldMinor?: bigint;
  readonly adjustmentsMinor?: bigint;
  readonly twoAbove?: Amounts;
  readonly above?: Amounts;
}

function worldWith(order: AdjustmentOrder, state: State = {}) {
  const { account = {}, balanceMinor = 1_000n, heldMinor = 0n, adjustmentsMinor = 0n } = state;
  const ledger = newInternalLedgerAccount(internal.id, "USD", DECIDED_AT);
  const contra = newSystemAccount({ system: "adjustments", currency: order.currency }, DECIDED_AT);
  const sealed = { content: {}, contentSealed: "s", sealId: DOCUMENT };
  const input = { order, sealed };
  const { above, twoAbove } = state;
  const rule = { ...(above && { above }), ...(twoAbove && { twoAbove }) };
  const policy = { id: PLATFORM, rules: { ADJUSTMENT: { waits: false, ...rule } } };
  const world = worldFor({
    command: requestAdjustment,
    input,
    platformId: PLATFORM,
    tables: [
      rowsOf(platforms, platform),
      rowsOf(approvalPolicies, { ...policy, createdAt: DECIDED_AT, updatedAt: DECIDED_AT }),
      rowsOf(internalAccounts, ...(account === "absent" ? [] : [{ ...internal, ...account }])),
      rowsOf(
        documents,
        ...(state.document === undefined ? [] : [{ ...document, ...state.document }]),
      ),
      rowsOf(
        ledgerAccounts,
        { ...ledger, balanceMinor, heldMinor },
        { ...contra, balanceMinor: adjustmentsMinor },
      ),
    ],
  });
  world.begin({ kind: "person", id: DOCUMENT, personId: DOCUMENT }, 5n);
  return { world, input };
}

function refusalWith(order: AdjustmentOrder, state: State = {}) {
  const { world, input } = worldWith(order, state);
  return refusalOf(world, () => requestAdjustment.decide(world, input));
}

const freeze = (scope: Freeze["scope"]): Freeze => ({
  reason: "OTHER",
  scope,
  note: null,
  since: "2026-11-01T00:00:00.000Z",
});
const wallet = { type: "EMBEDDED_WALLET" } as const;
const closed = { status: "CLOSED" } as const;
const full = { adjustmentsMinor: INT8_MAX / 2n };

describe("an order of an adjustment", () => {
  it.each<
    readonly [what: string, order: AdjustmentOrder, state: State, code: string, details: object]
  >([
    [
      "an unknown account",
      { ...debit, currency: "EUR", documentId: DOCUMENT },
      { account: "absent" },
      "REFERENCE_NOT_FOUND",
      { field: "accountId" },
    ],
    [
      "a currency that is not the account's",
      { ...debit, currency: "EUR", documentId: DOCUMENT },
      { account: closed },
      "INVALID_CURRENCY",
      { field: "currency", currency: "USD" },
    ],
    [
      "a document that is not there",
      { ...debit, documentId: DOCUMENT },
      { account: closed },
      "REFERENCE_NOT_FOUND",
      { field: "documentId" },
    ],
    [
      "a document that was deleted",
      { ...debit, documentId: DOCUMENT },
      { account: closed, document: { deletedAt: DECIDED_AT } },
      "REFERENCE_NOT_FOUND",
      { field: "documentId" },
    ],
    [
      "a debit of an account that is not active",
      { ...debit, documentId: DOCUMENT },
      { account: { ...closed, ...wallet, frozen: freeze("ALL") }, document: {} },
      "INVALID_INPUT",
      { field: "accountId", reason: "is not active" },
    ],
    [
      "a credit of an account that is not active",
      credit,
      { account: { ...closed, frozen: freeze("ALL") } },
      "INVALID_INPUT",
      { field: "accountId", reason: "is not active" },
    ],
    [
      "a debit of an embedded wallet",
      debit,
      { account: { ...wallet, frozen: freeze("ALL") }, balanceMinor: 0n },
      "INVALID_INPUT",
      { field: "accountId", reason: expect.stringContaining("is an embedded wallet") },
    ],
    [
      "a debit of a frozen account",
      debit,
      { account: { frozen: freeze("DEBITS") }, balanceMinor: 0n },
      "ACCOUNT_FROZEN",
      { field: "accountId" },
    ],
    [
      "a debit of a frozen customer's account",
      debit,
      { account: { customerFreeze: freeze("DEBITS") }, balanceMinor: 0n },
      "CUSTOMER_FROZEN",
      { field: "accountId" },
    ],
    [
      "a credit of an account that is frozen with the scope ALL",
      credit,
      { account: { frozen: freeze("ALL") }, balanceMinor: MAX_AMOUNT_MINOR },
      "ACCOUNT_FROZEN",
      { field: "accountId" },
    ],
    [
      "a debit above the balance",
      debit,
      { balanceMinor: 99n, ...full },
      "INSUFFICIENT_BALANCE",
      { available: 99, needed: 100 },
    ],
    [
      "a credit above the largest balance",
      credit,
      { balanceMinor: MAX_AMOUNT_MINOR - 99n, adjustmentsMinor: -INT8_MAX / 2n },
      "AMOUNT_OUT_OF_RANGE",
      { field: "accountId", currency: "USD" },
    ],
    [
      "a debit for which the books have no room",
      debit,
      full,
      "AMOUNT_OUT_OF_RANGE",
      { currency: "USD" },
    ],
    [
      "a credit for which the books have no room",
      credit,
      { adjustmentsMinor: -INT8_MAX / 2n },
      "AMOUNT_OUT_OF_RANGE",
      { currency: "USD" },
    ],
  ])("refuses %s, before what is listed below it", (_what, order, state, code, details) => {
    const refusal = refusalWith(order, state);
    expect(refusal?.code).toBe(code);
    expect(refusal?.details).toMatchObject(details);
  });

  it.each<readonly [what: string, order: AdjustmentOrder, state: State]>([
    ["a debit of the whole balance", debit, { balanceMinor: 100n }],
    ["a credit up to the largest balance", credit, { balanceMinor: MAX_AMOUNT_MINOR - 100n }],
    [
      "a credit of an account that is frozen for debits",
      credit,
      { account: { frozen: freeze("DEBITS") } },
    ],
    ["a credit of an embedded wallet", credit, { account: wallet }],
    ["a document that is there", { ...credit, documentId: DOCUMENT }, { document: {} }],
    ["a debit up to the room of the books", debit, { adjustmentsMinor: INT8_MAX / 2n - 100n }],
  ])("takes %s", (_what, order, state) => {
    expect(refusalWith(order, state)).toBeUndefined();
  });

  it("counts held money where it judges the largest balance", () => {
    const held = { balanceMinor: 0n, heldMinor: MAX_AMOUNT_MINOR - 99n };
    expect(refusalWith(credit, held)?.code).toBe("AMOUNT_OUT_OF_RANGE");
  });

  it.each<readonly [state: State, amountMinor: bigint, needed: number]>([
    [{}, 1n, 1],
    [{}, 900n, 1],
    // The kind is fixed: an amount of the policy spares no agreement.
    [{ above: { USD: 500 } }, 500n, 1],
    [{ twoAbove: { USD: 500 } }, 500n, 1],
    [{ twoAbove: { USD: 500 } }, 501n, 2],
    [{ twoAbove: { EUR: 1 } }, 501n, 1],
  ])("under the policy %o, an amount of %s needs %i people", (state, amountMinor, needed) => {
    const { world, input } = worldWith({ ...credit, amountMinor }, state);
    const approval = requestAdjustment.decide(world, {
      ...input,
      order: { ...credit, amountMinor },
    });
    expect(approval).toMatchObject({
      kind: "ADJUSTMENT",
      approvalsNeeded: needed,
      state: "PENDING",
    });
    expect(world.entries).toEqual([]);
  });

  it.each([
    [credit, `Credit of 1.00 USD to InternalAccount:${internal.id}: GOODWILL`],
    [
      { ...debit, amountMinor: 5n },
      `Debit of 0.05 USD from InternalAccount:${internal.id}: CHARGE`,
    ],
  ])("is put in words for who decides", (order, summary) => {
    const { world, input } = worldWith(order);
    expect(requestAdjustment.decide(world, input).summary).toBe(summary);
  });
});

describe("an adjustment that people have agreed to", () => {
  const approval = { id: DOCUMENT, requestedBy: "Person:1" };

  it.each([
    [credit, 1_100n, -100n],
    [debit, 900n, 100n],
  ] as const)(
    "moves its amount between the account and the contra account",
    (order, balance, contra) => {
      const { world } = worldWith(order);
      const adjustment = postAdjustment(world, { order, approval });
      expect(adjustment).toMatchObject({ ...order, approvalId: DOCUMENT, requestedBy: "Person:1" });
      expect(world.get(ledgerAccounts.ref(internal.id)).balanceMinor).toBe(balance);
      expect(world.get(systemAccount("adjustments", "USD")).balanceMinor).toBe(contra);
      expect(world.events.map(({ type }) => type)).toEqual([
        "ADJUSTMENT.POSTED",
        "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      ]);
    },
  );

  it("is judged as it is then", () => {
    const { world } = worldWith(debit, { balanceMinor: 99n });
    const refusal = refusalOf(world, () => postAdjustment(world, { order: debit, approval }));
    expect(refusal?.code).toBe("INSUFFICIENT_BALANCE");
  });
});
