/** Which freeze of an account stops what, and what the commands of an account do with the freezes that they find. */
import { describe, expect, it } from "vitest";
import { DECIDED_AT, refusalOf, rowsOf, worldFor } from "../../../../test/kit/decide-alone.ts";
import { internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { refusalIn } from "../../../../test/kit/refusals.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { type InternalAccount, internalAccounts } from "../internal/internal-account.ts";
import {
  type Freeze,
  refuseFrozenCredit,
  refuseFrozenCustomer,
  refuseFrozenDebit,
  takesCredits,
} from "./freeze.ts";
import { freezeAccount, unfreezeAccount } from "./freeze-account.ts";

const OWN_SINCE = "2026-11-01T00:00:00.000Z";
const CUSTOMER_SINCE = "2026-11-02T00:00:00.000Z";
const NOW = new Date(DECIDED_AT).toISOString();

type Scope = Freeze["scope"] | "NONE";

function freezeWith(scope: Scope, since: string): Freeze | null {
  return scope === "NONE" ? null : { reason: "COMPLIANCE", scope, note: "a note", since };
}

const frozenAs = (own: Scope, ofCustomer: Scope): InternalAccount => ({
  ...internal,
  frozen: freezeWith(own, OWN_SINCE),
  customerFreeze: freezeWith(ofCustomer, CUSTOMER_SINCE),
});

const TAKEN = undefined;

describe("an account with a freeze of its own and one of its customer", () => {
  it.each([
    ["NONE", "NONE", TAKEN, TAKEN],
    ["NONE", "DEBITS", "CUSTOMER_FROZEN", TAKEN],
    ["NONE", "ALL", "CUSTOMER_FROZEN", "CUSTOMER_FROZEN"],
    ["DEBITS", "NONE", "ACCOUNT_FROZEN", TAKEN],
    ["DEBITS", "DEBITS", "ACCOUNT_FROZEN", TAKEN],
    ["DEBITS", "ALL", "ACCOUNT_FROZEN", "CUSTOMER_FROZEN"],
    ["ALL", "NONE", "ACCOUNT_FROZEN", "ACCOUNT_FROZEN"],
    ["ALL", "DEBITS", "ACCOUNT_FROZEN", "ACCOUNT_FROZEN"],
    ["ALL", "ALL", "ACCOUNT_FROZEN", "ACCOUNT_FROZEN"],
  ] as const)("own %s, customer's %s: a debit %s, a credit %s", (own, of, debit, credit) => {
    const account = frozenAs(own, of);
    expect(refusalIn(() => refuseFrozenDebit(account, "source"))?.code).toBe(debit);
    expect(refusalIn(() => refuseFrozenCredit(account, "destination"))?.code).toBe(credit);
    expect(takesCredits(account)).toBe(credit === TAKEN);
  });

  it.each([
    ["own", frozenAs("DEBITS", "ALL"), OWN_SINCE, "DEBITS", "source: the account is frozen since"],
    [
      "customer's",
      frozenAs("NONE", "ALL"),
      CUSTOMER_SINCE,
      "ALL",
      "source: the customer of the account is frozen since",
    ],
  ] as const)(
    "names the %s freeze that refuses, and not its note",
    (_which, account, since, scope, words) => {
      const refusal = refusalIn(() => refuseFrozenDebit(account, "source"));
      expect(refusal?.details).toEqual({
        field: "source",
        frozen: { reason: "COMPLIANCE", scope, since },
      });
      expect(refusal?.message).toBe(`${words} ${since}; an unfreeze lifts that.`);
    },
  );

  it("names the freeze with the scope ALL where a credit is refused", () => {
    const refusal = refusalIn(() => refuseFrozenCredit(frozenAs("DEBITS", "ALL"), "destination"));
    expect(refusal?.details).toMatchObject({ frozen: { scope: "ALL", since: CUSTOMER_SINCE } });
  });

  it.each(["NONE", "DEBITS", "ALL"] as const)(
    "of a customer with the freeze %s, a payment with money from outside",
    (scope) => {
      const refusal = refusalIn(() => refuseFrozenCustomer(freezeWith(scope, CUSTOMER_SINCE)));
      expect(refusal?.code).toBe(scope === "NONE" ? TAKEN : "CUSTOMER_FROZEN");
      if (scope !== "NONE")
        expect(refusal?.details).toEqual({
          frozen: { reason: "COMPLIANCE", scope, since: CUSTOMER_SINCE },
        });
    },
  );
});

const freeze = { reason: "LEGAL_ORDER", scope: "ALL", note: "file 7" } as const;

describe("the commands of an account", () => {
  function decided(
    command: typeof freezeAccount | typeof unfreezeAccount,
    account: InternalAccount | undefined,
  ) {
    const input = { accountId: internal.id, freeze };
    const world = worldFor({
      command,
      input,
      platformId: PLATFORM,
      tables: [
        rowsOf(internalAccounts, ...(account === undefined ? [] : [account])),
        rowsOf(ledgerAccounts, newInternalLedgerAccount(internal.id, "USD", DECIDED_AT)),
      ],
    });
    const refusal = refusalOf(world, () => command.decide(world, input));
    const row = world.find(internalAccounts.ref(internal.id));
    return { refusal, row, events: world.events.map(({ type }) => type) };
  }

  it.each([
    ["NONE", "NONE", NOW],
    ["NONE", "ALL", NOW],
    ["DEBITS", "NONE", OWN_SINCE],
    ["ALL", "DEBITS", OWN_SINCE],
  ] as const)(
    "freeze one that is frozen %s, its customer %s: the freeze is replaced, its time stays",
    (own, of, since) => {
      const { row, events } = decided(freezeAccount, frozenAs(own, of));
      expect(row?.frozen).toEqual({ ...freeze, since });
      expect(row?.customerFreeze).toEqual(frozenAs(own, of).customerFreeze);
      expect(events).toEqual(["INTERNAL_ACCOUNT.FROZEN"]);
    },
  );

  it.each([
    ["DEBITS", "NONE"],
    ["ALL", "ALL"],
  ] as const)("lift the freeze %s, and leave its customer's %s", (own, of) => {
    const { row, events } = decided(unfreezeAccount, frozenAs(own, of));
    expect(row?.frozen).toBeNull();
    expect(row?.customerFreeze).toEqual(frozenAs(own, of).customerFreeze);
    expect(events).toEqual(["INTERNAL_ACCOUNT.UNFROZEN"]);
  });

  it.each([
    ["freeze", freezeAccount, undefined, "REFERENCE_NOT_FOUND"],
    ["lift the freeze of", unfreezeAccount, undefined, "REFERENCE_NOT_FOUND"],
    ["lift the freeze of", unfreezeAccount, frozenAs("NONE", "NONE"), "CONFLICT"],
    ["lift the freeze of", unfreezeAccount, frozenAs("NONE", "ALL"), "CONFLICT"],
  ] as const)("%s none that is absent or not frozen itself", (_what, command, account, code) => {
    const { refusal } = decided(command, account);
    expect(refusal?.code).toBe(code);
    if (code === "CONFLICT")
      expect(refusal).toMatchObject({
        details: { frozen: false },
        message: "The account is not frozen.",
      });
  });
});
