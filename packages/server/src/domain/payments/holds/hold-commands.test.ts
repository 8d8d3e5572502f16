/** What holds refuse, in the documented order, and what they do to the money of their account. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import {
  customer,
  external,
  internal,
  PLATFORM,
  platform,
} from "../../../../test/kit/payment-rows.ts";
import { sandboxRails } from "../../../../test/kit/rails.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  newSystemAccount,
} from "../../../ledger/chart.ts";
import { INT8_MAX } from "../../../ledger/postings.ts";
import { MAX_AMOUNT_MINOR } from "../../../money/money.ts";
import {
  type ExternalAccount,
  externalAccounts,
} from "../../accounts/external/external-account.ts";
import type { Freeze } from "../../accounts/freezes/freeze.ts";
import {
  type InternalAccount,
  internalAccounts,
} from "../../accounts/internal/internal-account.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import { platforms } from "../../platform.ts";
import { transactions } from "../transactions/transaction.ts";
import { type CaptureHoldInput, captureHold } from "./capture-hold.ts";
import { createHold, LONGEST_HOLD_DAYS } from "./create-hold.ts";
import { expireHold, releaseHold } from "./end-hold.ts";
import { type Hold, heldMinorOf, holds } from "./hold.ts";

const NOBODY = "018f0000-0000-7000-8000-0000000000ee";
const OTHER = "018f0000-0000-7000-8000-0000000000d9";
const JOB = "018f0000-0000-7000-8000-0000000000e2";
const DAY_MS = 86_400_000;

const frozen: Freeze = {
  reason: "OTHER",
  scope: "DEBITS",
  note: null,
  since: "2026-11-01T00:00:00.000Z",
};

/** A thousand is held of the internal account, two hundred of it were captured. */
const open: Hold = {
  id: "018f0000-0000-7000-8000-0000000000c1",
  accountId: internal.id,
  currency: "USD",
  amountMinor: 1_000n,
  capturedMinor: 200n,
  status: "OPEN",
  expiresAt: DECIDED_AT + DAY_MS,
  expiryJobId: JOB,
  description: null,
  metadata: null,
  transactionIds: ["Transaction:018f0000-0000-7000-8000-0000000000b1"],
  createdAt: DECIDED_AT - DAY_MS,
  updatedAt: DECIDED_AT - DAY_MS,
};
const LEFT = 800n;

interface State {
  readonly hold?: Partial<Hold>;
  readonly internal?: Partial<InternalAccount>;
  readonly other?: Partial<InternalAccount>;
  readonly external?: Partial<ExternalAccount>;
  readonly customer?: Partial<Customer>;
  readonly availableMinor?: bigint;
  readonly receivedMinor?: bigint;
  readonly carriedMinor?: bigint;
  readonly flyingMinor?: bigint;
}

function tables(state: State) {
  const { availableMinor = 0n, receivedMinor = 0n, carriedMinor = 0n, flyingMinor } = state;
  const hold = { ...open, ...state.hold };
  const heldMinor = heldMinorOf(hold);
  const ledger = newInternalLedgerAccount(internal.id, "USD", 0);
  const inFlight = newSystemAccount({ system: "in-flight", currency: "USD" }, 0);
  const clearing = newSystemAccount({ system: "rail-clearing", currency: "USD" }, 0);
  return [
    rowsOf(platforms, platform),
    rowsOf(customers, { ...customer, ...state.customer }),
    rowsOf(
      internalAccounts,
      { ...internal, ...state.internal },
      { ...internal, id: OTHER, customerId: null, ...state.other },
    ),
    rowsOf(externalAccounts, { ...external, ...state.external }),
    rowsOf(
      ledgerAccounts,
      { ...ledger, balanceMinor: availableMinor, heldMinor },
      { ...ledger, id: OTHER, balanceMinor: receivedMinor },
      { ...inFlight, balanceMinor: flyingMinor ?? heldMinor },
      { ...clearing, balanceMinor: carriedMinor },
    ),
    rowsOf(holds, hold),
  ];
}

type Outcome = ReturnType<typeof decided>;

/** What is available, held, and in flight after the command. */
function moneyIn({ world }: Pick<Outcome, "world">) {
  const { balanceMinor, heldMinor } = world.get(ledgerAccounts.ref(internal.id));
  return { availableMinor: balanceMinor, heldMinor };
}

const typesOf = ({ world }: Pick<Outcome, "world">) => world.events.map(({ type }) => type);

describe("creating a hold", () => {
  interface Fault extends State {
    readonly accountId?: string;
    readonly amountMinor?: bigint;
    readonly expiresAt?: number;
  }
  const create = ({ accountId = internal.id, amountMinor = 500n, expiresAt, ...state }: Fault) =>
    decided({
      command: createHold,
      input: { accountId, amountMinor, expiresAt, description: "order", metadata: null },
      platformId: PLATFORM,
      tables: tables({ hold: { status: "RELEASED", expiryJobId: null }, ...state }),
    });

  const closed = { status: "CLOSED", frozen } as const;
  const past = DECIDED_AT;
  it.each(
    inOrder<Fault>([
      ["REFERENCE_NOT_FOUND", { accountId: NOBODY }],
      ["INVALID_INPUT internalAccountId", { internal: { ...closed, type: "EMBEDDED_WALLET" } }],
      ["INVALID_INPUT internalAccountId", { internal: closed }],
      ["INVALID_INPUT expiresAt", { expiresAt: past, internal: { frozen } }],
      ["USER_NOT_READY", { customer: { deletedAt: 1 }, expiresAt: past + 1 }],
      ["ACCOUNT_FROZEN internalAccountId", { internal: { frozen }, customer: {} }],
      ["INSUFFICIENT_BALANCE", { internal: {}, amountMinor: 501n, availableMinor: 500n }],
      ["AMOUNT_OUT_OF_RANGE", { amountMinor: 1n, availableMinor: 1n, flyingMinor: INT8_MAX / 2n }],
    ]),
  )("is refused with %s, %s", (expected, _how, fault) => {
    expect(named(create(fault).refusal, "field")).toBe(expected);
  });

  it.each([
    ["after a moment", 1, true],
    ["after the longest time", LONGEST_HOLD_DAYS * DAY_MS, true],
    ["after a longer time", LONGEST_HOLD_DAYS * DAY_MS + 1, false],
    ["at once", 0, false],
  ])("that ends %s", (_how, inMs, isTaken) => {
    const outcome = create({ availableMinor: 500n, expiresAt: DECIDED_AT + inMs });
    expect(outcome.refusal === undefined).toBe(isTaken);
  });

  it("takes the money from what is available, to the last unit, and leaves the total", () => {
    const outcome = create({ availableMinor: 500n });
    expect(outcome.refusal).toBeUndefined();
    expect(moneyIn(outcome)).toEqual({ availableMinor: 0n, heldMinor: 500n });
    expect(written(outcome.world, holds)).toMatchObject([
      { status: "OPEN", amountMinor: 500n, capturedMinor: 0n, description: "order" },
    ]);
    expect(typesOf(outcome)).toEqual(["HOLD.CREATED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"]);
  });
});

describe("releasing a hold", () => {
  const release = (state: State, holdId = open.id) =>
    decided({
      command: releaseHold,
      input: { holdId },
      platformId: PLATFORM,
      tables: tables(state),
    });

  it.each([
    ["RELEASED", { status: "RELEASED", expiryJobId: null }],
    ["CAPTURED", { status: "CAPTURED", expiryJobId: null }],
    ["EXPIRED", { status: "EXPIRED", expiryJobId: null }],
    ["EXPIRED", { expiresAt: DECIDED_AT }],
  ] as const)("is refused where it is %s", (status, hold) => {
    expect(named(release({ hold }).refusal, "status")).toBe(`CONFLICT ${status}`);
  });

  it("is refused for one that is unknown", () => {
    expect(named(release({}, NOBODY).refusal)).toBe("REFERENCE_NOT_FOUND");
  });

  it.each([
    ["an active account", {}],
    ["a frozen account", { internal: { frozen: { ...frozen, scope: "ALL" } } }],
    ["a full account", { availableMinor: MAX_AMOUNT_MINOR - LEFT }],
  ] as const)("gives %s what is left of it", (_what, state: State) => {
    const outcome = release(state);
    const { availableMinor = 0n } = state;
    expect(moneyIn(outcome)).toEqual({ availableMinor: availableMinor + LEFT, heldMinor: 0n });
    expect(written(outcome.world, holds)).toMatchObject([
      { status: "RELEASED", capturedMinor: 200n, expiryJobId: null },
    ]);
    expect(typesOf(outcome)).toEqual(["HOLD.RELEASED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"]);
  });
});

describe("the job of a hold", () => {
  const expire = (hold: Partial<Hold>) =>
    decided({
      command: expireHold,
      input: { holdId: open.id, jobId: JOB },
      platformId: PLATFORM,
      tables: tables({ hold }),
    });

  it("expires one whose time has come", () => {
    const outcome = expire({ expiresAt: DECIDED_AT });
    expect(moneyIn(outcome)).toEqual({ availableMinor: LEFT, heldMinor: 0n });
    expect(typesOf(outcome)).toEqual(["HOLD.EXPIRED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"]);
  });

  it.each([
    ["whose time has not come", {}],
    ["that was captured", { status: "CAPTURED", expiryJobId: null, expiresAt: DECIDED_AT }],
    ["that was released", { status: "RELEASED", expiryJobId: null, expiresAt: DECIDED_AT }],
    ["that has expired", { status: "EXPIRED", expiryJobId: null, expiresAt: DECIDED_AT }],
  ] as const)("leaves one %s as it is", (_what, hold) => {
    const outcome = expire(hold);
    expect(written(outcome.world, holds)).toEqual([]);
    expect(typesOf(outcome)).toEqual([]);
  });
});

describe("capturing a hold", () => {
  interface Wish extends State {
    readonly holdId?: string;
    readonly amountMinor?: bigint;
    readonly to?: "INTERNAL" | "EXTERNAL";
    readonly destinationId?: string;
    readonly isFinal?: boolean;
    readonly paymentRail?: string;
  }
  const capture = ({ to = "INTERNAL", isFinal = true, ...wish }: Wish) => {
    const { holdId = open.id, amountMinor, destinationId, paymentRail, ...state } = wish;
    const input: CaptureHoldInput = {
      holdId,
      amountMinor,
      destination: { kind: to, id: destinationId ?? (to === "INTERNAL" ? OTHER : external.id) },
      paymentRail,
      remittanceInformation: undefined,
      description: undefined,
      metadata: null,
      isFinal,
      rails: sandboxRails,
    };
    return decided({ command: captureHold, input, platformId: PLATFORM, tables: tables(state) });
  };

  const often = Array.from({ length: 100 }, () => "Transaction:x");
  const ended = { status: "RELEASED", expiryJobId: null, transactionIds: often } as const;
  // Each state of an account has the faults that are looked for after it as well.
  const closed = { status: "CLOSED", frozen } as const;
  const notReady = { deletedAt: 1 };

  it.each(
    inOrder<Wish>([
      ["REFERENCE_NOT_FOUND", { holdId: NOBODY }],
      ["CONFLICT RELEASED", { hold: ended, amountMinor: 801n }],
      ["AMOUNT_OUT_OF_RANGE amount", { hold: { transactionIds: often }, amountMinor: 801n }],
      ["CONFLICT 100", { hold: { transactionIds: often }, amountMinor: 800n }],
      ["REFERENCE_NOT_FOUND destination.accountId", { hold: {}, destinationId: NOBODY }],
      ["SELF_PAYMENT", { destinationId: internal.id }],
      ["INVALID_INPUT source.accountId", { destinationId: OTHER, internal: closed }],
      [
        "INVALID_INPUT destination.accountId",
        { internal: { frozen }, other: { status: "CLOSED", currency: "EUR" } },
      ],
      ["INVALID_CURRENCY", { other: { currency: "EUR" } }],
      ["USER_NOT_READY", { other: {}, customer: notReady }],
      ["ACCOUNT_FROZEN source.accountId", { customer: {}, internal: { frozen } }],
      [
        "AMOUNT_OUT_OF_RANGE destination.accountId",
        { internal: {}, receivedMinor: MAX_AMOUNT_MINOR },
      ],
    ]),
  )("on the books is refused with %s, %s", (expected, _how, wish) => {
    expect(named(capture(wish).refusal, "status", "most", "field")).toBe(expected);
  });

  it.each(
    inOrder<Wish>([
      ["REFERENCE_NOT_FOUND", { holdId: NOBODY }],
      ["REFERENCE_NOT_FOUND destination.accountId", { destinationId: NOBODY }],
      ["INVALID_INPUT source.accountId", { destinationId: external.id, internal: closed }],
      [
        "INVALID_INPUT destination.accountId",
        { internal: { frozen }, external: { status: "INACTIVE" } },
      ],
      ["USER_NOT_READY", { external: {}, customer: notReady }],
      ["ACCOUNT_FROZEN source.accountId", { customer: {}, internal: { frozen } }],
      ["INVALID_INPUT destination.paymentRail", { internal: {}, paymentRail: "SEPA" }],
      ["AMOUNT_OUT_OF_RANGE", { paymentRail: "ACH", carriedMinor: INT8_MAX / 2n }],
    ]),
  )("by a transfer out is refused with %s, %s", (expected, _how, wish) => {
    expect(named(capture({ to: "EXTERNAL", ...wish }).refusal, "field")).toBe(expected);
  });

  it.each<readonly [string, Wish, Partial<Hold>, bigint, bigint]>([
    ["all that is left", {}, { status: "CAPTURED", capturedMinor: 1_000n }, 0n, 0n],
    [
      "a part, and the rest is released",
      { amountMinor: 300n },
      { status: "CAPTURED", capturedMinor: 500n },
      500n,
      0n,
    ],
    [
      "a part, and the rest stays held",
      { amountMinor: 300n, isFinal: false },
      { status: "OPEN", capturedMinor: 500n },
      0n,
      500n,
    ],
    [
      "all of it and not as the last",
      { isFinal: false },
      { status: "CAPTURED", capturedMinor: 1_000n },
      0n,
      0n,
    ],
  ])("on the books takes %s", (_what, wish, after, availableMinor, heldMinor) => {
    const outcome = capture(wish);
    expect(outcome.refusal).toBeUndefined();
    expect(moneyIn(outcome)).toEqual({ availableMinor, heldMinor });
    expect(written(outcome.world, holds)).toMatchObject([after]);
    const [paid, received] = written(outcome.world, transactions);
    const capturedMinor = (after.capturedMinor ?? 0n) - 200n;
    expect(paid).toMatchObject({ type: "OUTGOING", status: "COMPLETED", sentMinor: capturedMinor });
    expect(received).toMatchObject({ type: "INCOMING", receivedMinor: capturedMinor });
    expect(paid?.details).toMatchObject({ holdId: `Hold:${open.id}`, paymentRail: "BOOK" });
    expect(typesOf(outcome)).toEqual([
      "OUTGOING_PAYMENT.COMPLETED",
      "INCOMING_PAYMENT.COMPLETED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      "INTERNAL_ACCOUNT.BALANCE_UPDATED",
      "HOLD.CAPTURED",
    ]);
  });

  it.each<readonly [string, Wish, bigint, bigint]>([
    ["all that is left", {}, 0n, 800n],
    ["a part, and the rest is released", { amountMinor: 300n }, 500n, 300n],
    ["a part, and the rest stays held", { amountMinor: 300n, isFinal: false }, 0n, 800n],
  ])("by a transfer out takes %s", (_what, wish, availableMinor, heldMinor) => {
    const outcome = capture({ to: "EXTERNAL", ...wish });
    expect(outcome.refusal).toBeUndefined();
    expect(moneyIn(outcome)).toEqual({ availableMinor, heldMinor });
    expect(written(outcome.world, transactions)).toMatchObject([
      { status: "PENDING", sentMinor: wish.amountMinor ?? LEFT, details: { paymentRail: "ACH" } },
    ]);
  });

  it("that fails at once leaves the hold as it is, and says why", () => {
    const primaryIdentifier = "12345678002";
    const outcome = capture({ to: "EXTERNAL", external: { primaryIdentifier } });
    expect(outcome.refusal).toBeUndefined();
    expect(moneyIn(outcome)).toEqual({ availableMinor: 0n, heldMinor: LEFT });
    expect(written(outcome.world, holds)).toEqual([]);
    expect(written(outcome.world, transactions)).toMatchObject([{ status: "FAILED" }]);
  });
});
