import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import {
  customer,
  internal,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { idOf } from "../../../../test/kit/person-rows.ts";
import {
  type LedgerAccount,
  ledgerAccounts,
  newInternalLedgerAccount,
} from "../../../ledger/chart.ts";
import { type Customer, customers } from "../../customers/customer.ts";
import {
  type Refund,
  type Transaction,
  transactions,
} from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import {
  askForFunding,
  changeAccount,
  closeAccount,
  MOST_OF_CUSTOMER,
  MOST_OF_PLATFORM,
  type OpenAdditionalAccountInput,
  openAdditionalAccount,
} from "./additional-accounts.ts";
import { defaultAccountsIn, type InternalAccount, internalAccounts } from "./internal-account.ts";

const NOBODY = "018f0000-0000-7000-8000-0000000000ee";
const rent: InternalAccount = {
  ...internal,
  id: idOf("77"),
  additional: { isFundable: false },
  name: "Rent",
};

describe("opening an account", () => {
  interface Fault extends Partial<OpenAdditionalAccountInput> {
    readonly of?: Partial<Customer>;
    readonly there?: number;
  }
  const open = ({ of, there = 0, ...input }: Fault) =>
    decided({
      command: openAdditionalAccount,
      input: {
        ...{ name: "Rent", currency: "USD", customerId: customer.id, metadata: null },
        ...{ platformHas: 0, ...input },
      },
      platformId: PLATFORM,
      tables: [
        rowsOf(platforms, platform),
        rowsOf(customers, { ...customer, ...of }),
        rowsOf(
          internalAccounts,
          internal,
          ...Array.from({ length: there }, (_, place) => ({
            ...rent,
            id: `018f0000-0000-7000-8000-000000${String(900_000 + place)}`,
          })),
        ),
      ],
    });

  it.each(
    inOrder<Fault>([
      ["USER_NOT_FOUND", { customerId: NOBODY }],
      ["INVALID_INPUT", { of: { deletedAt: 1 } }],
      ["INVALID_CURRENCY XAU", { currency: "XAU" }],
    ]),
  )("is refused with %s, %s", (expected, _how, fault) => {
    expect(named(open(fault).refusal, "currency")).toBe(expected);
  });

  it.each<readonly [expected: string, fault: Fault]>([
    ["INVALID_CURRENCY USD", { of: { currencies: ["EUR"] } }],
    [`CONFLICT ${MOST_OF_CUSTOMER}`, { there: MOST_OF_CUSTOMER }],
    ["decided", { there: MOST_OF_CUSTOMER - 1 }],
    [`CONFLICT ${MOST_OF_PLATFORM}`, { customerId: undefined, platformHas: MOST_OF_PLATFORM }],
    ["decided", { customerId: undefined, platformHas: MOST_OF_PLATFORM - 1 }],
  ])("is %s with %j", (expected, fault) => {
    expect(named(open(fault).refusal, "most", "currency")).toBe(expected);
  });

  it("takes over the freeze of its customer", () => {
    const frozen = { reason: "OTHER", scope: "ALL", note: null, since: "2026-11-21" } as const;
    const { world } = open({ of: { frozen } });
    expect(written(world, internalAccounts)).toEqual([
      expect.objectContaining({
        ...{ customerId: customer.id, name: "Rent", additional: { isFundable: false } },
        ...{ status: "ACTIVE", customerFreeze: frozen },
      }),
    ]);
  });
});

interface Left {
  readonly account?: Partial<InternalAccount>;
  readonly ledger?: Partial<LedgerAccount>;
  readonly payments?: readonly Partial<Transaction>[];
}

function scene({ account, ledger, payments = [] }: Left) {
  const row = { ...rent, ...account };
  const empty = newInternalLedgerAccount(row.id, row.currency, 0);
  return [
    rowsOf(internalAccounts, row),
    rowsOf(ledgerAccounts, { ...empty, ...ledger }),
    rowsOf(transactions, ...payments.map((each) => ({ ...quoteTransaction, ...each }))),
  ];
}

describe("closing an account", () => {
  const close = (left: Left, accountId = rent.id) =>
    decided({
      command: closeAccount,
      input: { accountId },
      platformId: PLATFORM,
      tables: scene(left),
    });
  const from = { id: idOf("81"), sourceAccountId: rent.id, destinationAccountId: null };
  const to = { id: idOf("82"), sourceAccountId: null, destinationAccountId: rent.id };

  it.each<readonly [what: string, left: Left, told: object]>([
    ["money", { ledger: { balanceMinor: 5n } }, { balance: 5, held: 0, payments: 0 }],
    ["held money", { ledger: { heldMinor: 7n } }, { balance: 0, held: 7, payments: 0 }],
    ["a payment out", { payments: [{ ...from, status: "PENDING" }] }, { payments: 1 }],
    ["a payment in", { payments: [{ ...to, status: "PROCESSING" }] }, { payments: 1 }],
    [
      "everything, each payment once",
      {
        ledger: { balanceMinor: 5n, heldMinor: 7n },
        payments: [
          { ...from, destinationAccountId: rent.id, status: "PENDING" },
          { ...to, status: "COMPLETED", refund: PENDING_REFUND },
        ],
      },
      { balance: 5, held: 7, payments: 2 },
    ],
    ["a default account", { account: { additional: null } }, { isDefault: true }],
    ["a closed account", { account: { status: "CLOSED" } }, { status: "CLOSED" }],
  ])("refuses %s", (_what, left, told) => {
    const { refusal } = close(left);
    expect(refusal?.code).toBe("CONFLICT");
    expect(refusal?.details).toMatchObject(told);
  });

  it("refuses an unknown account", () => {
    expect(named(close({}, NOBODY).refusal)).toBe("REFERENCE_NOT_FOUND");
  });

  it("says in one sentence all that is left", () => {
    const left = {
      ledger: { balanceMinor: 5n },
      payments: [{ ...to, status: "PENDING" }],
    } as const;
    expect(close(left).refusal?.message).toBe(
      "The account has a balance of 5 and 1 payment under way; it can be closed when nothing is left. Amounts are in the smallest unit of USD.",
    );
  });

  it("closes an empty one, whatever has ended there", () => {
    const payments = [
      { ...from, status: "FAILED" } as const,
      { ...to, status: "COMPLETED" } as const,
    ];
    const { world } = close({ payments });
    expect(written(world, internalAccounts)).toEqual([
      expect.objectContaining({ id: rent.id, status: "CLOSED", name: "Rent" }),
    ]);
  });
});

const PENDING_REFUND: Refund = {
  reference: "RF-1",
  initiatedAt: "2026-11-21T00:00:00.000Z",
  status: "PENDING",
  reason: "TIMEOUT",
};

describe("changing an account", () => {
  const change = (account: Partial<InternalAccount>, name?: string) =>
    decided({
      command: changeAccount,
      input: { accountId: rent.id, name, metadata: { order: "7" } },
      platformId: PLATFORM,
      tables: scene({ account }),
    });

  it.each([
    ["CONFLICT", { status: "CLOSED" }, "Bills"],
    ["CONFLICT", { additional: null, name: null }, "Bills"],
    ["decided", { additional: null, name: null }, undefined],
    ["decided", {}, "Bills"],
  ] as const)("is %s of one that is %j with the name %s", (expected, account, name) => {
    expect(named(change(account, name).refusal)).toBe(expected);
  });

  it("keeps a name that is not given", () => {
    expect(written(change({}).world, internalAccounts)).toEqual([
      expect.objectContaining({ name: "Rent", metadata: { order: "7" } }),
    ]);
  });
});

describe("asking for funding instructions", () => {
  it.each([
    [{}, [{ isFundable: true }]],
    [{ additional: { isFundable: true } }, []],
    [{ additional: null }, []],
  ] as const)("of %j writes %j", (account, expected) => {
    const { world } = decided({
      command: askForFunding,
      input: { accountId: rent.id },
      platformId: PLATFORM,
      tables: scene({ account }),
    });
    expect(written(world, internalAccounts).map(({ additional }) => additional)).toEqual(expected);
  });
});

it("is never a default account, also where it is the older one", () => {
  const older = { ...rent, id: idOf("1") };
  expect(defaultAccountsIn([older, internal], internal.currency)).toEqual([internal]);
  expect(defaultAccountsIn([older], internal.currency)).toEqual([]);
});
