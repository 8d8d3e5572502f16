import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../../test/kit/decide-alone.ts";
import { decided, inOrder, named, written } from "../../../../test/kit/decided.ts";
import { internal, PLATFORM } from "../../../../test/kit/payment-rows.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { internalAccounts } from "../internal/internal-account.ts";
import { addBalanceAlert, removeBalanceAlert } from "./alert-commands.ts";
import type { BalanceAlert } from "./balance-alert.ts";

const NOBODY = "018f0000-0000-7000-8000-0000000000ee";
const BALANCE = 500n;

function alertAt(minor: bigint): BalanceAlert {
  return {
    id: `018f0000-0000-7000-8000-0000000${String(minor).padStart(5, "0")}`,
    direction: "BELOW",
    minor: String(minor),
    isBeyond: false,
    createdAt: "2026-11-21T00:00:00.000Z",
  };
}

function tables(alerts: readonly BalanceAlert[] | null) {
  const ledger = newInternalLedgerAccount(internal.id, internal.currency, 0);
  return [
    rowsOf(internalAccounts, { ...internal, alerts }),
    rowsOf(ledgerAccounts, { ...ledger, balanceMinor: BALANCE }),
  ];
}

interface Fault {
  readonly accountId?: string;
  readonly alerts?: readonly BalanceAlert[];
  readonly amountMinor?: bigint;
}

const full = Array.from({ length: 10 }, (_, place) => alertAt(BigInt(place + 1)));

describe("adding an alert", () => {
  const add = ({ accountId = internal.id, alerts = [], amountMinor = 700n }: Fault) =>
    decided({
      command: addBalanceAlert,
      input: { accountId, direction: "BELOW", amountMinor },
      platformId: PLATFORM,
      tables: tables(alerts.length === 0 ? null : alerts),
    });

  it.each(
    inOrder<Fault>([
      ["REFERENCE_NOT_FOUND", { accountId: NOBODY }],
      ["CONFLICT 10", { alerts: full, amountMinor: 1n }],
      ["CONFLICT amount", { alerts: [alertAt(700n)], amountMinor: 700n }],
    ]),
  )("is refused with %s, %s", (expected, _how, fault) => {
    expect(named(add(fault).refusal, "most", "field")).toBe(expected);
  });

  it.each([
    [499n, false],
    [500n, false],
    [501n, true],
  ])("below %d at 500: it is beyond, %s, and that is not told", (amountMinor, isBeyond) => {
    const { world, output } = add({ amountMinor });
    expect(output?.alert).toMatchObject({ minor: String(amountMinor), isBeyond });
    expect(written(world, internalAccounts)[0]?.alerts).toEqual([output?.alert]);
    expect(world.events).toEqual([]);
  });
});

describe("removing an alert", () => {
  const remove = (alertId: string, accountId = internal.id) =>
    decided({
      command: removeBalanceAlert,
      input: { accountId, alertId },
      platformId: PLATFORM,
      tables: tables(full),
    });

  it.each([
    ["an unknown account", full[0]?.id ?? "", NOBODY],
    ["an alert that the account does not have", NOBODY, internal.id],
  ])("refuses %s", (_what, alertId, accountId) => {
    expect(named(remove(alertId, accountId).refusal)).toBe("REFERENCE_NOT_FOUND");
  });

  it("leaves the others", () => {
    const { world } = remove(full[3]?.id ?? "");
    expect(written(world, internalAccounts)[0]?.alerts).toEqual(
      full.filter((_, place) => place !== 3),
    );
  });
});
