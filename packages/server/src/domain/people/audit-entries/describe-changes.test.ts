/** What an audit entry tells of the rows that a command has changed, and what it keeps to itself. */
import { describe, expect, it } from "vitest";
import {
  customer,
  PLATFORM,
  platform,
  quoteTransaction,
} from "../../../../test/kit/payment-rows.ts";
import { issuer, link, passkey, person, session } from "../../../../test/kit/person-rows.ts";
import type { RowChange } from "../../../engine/audit-entries.ts";
import type { Table, TableRow } from "../../../tables/tables.ts";
import { customers } from "../../customers/customer.ts";
import { type Transaction, transactions } from "../../payments/transactions/transaction.ts";
import { platforms } from "../../platform.ts";
import { type Token, tokens } from "../../token.ts";
import { personPasskeys } from "../passkey.ts";
import { people } from "../person.ts";
import { personLinks } from "../person-link.ts";
import { personSessions } from "../sessions/person-session.ts";
import { ssoIssuers } from "../single-sign-on/sso-issuer.ts";
import { describeChanges } from "./describe-changes.ts";

const ANA = "018f0000-0000-7000-8000-000000000001";
const KEY = "018f0000-0000-7000-8000-000000000020";
const ana = person(ANA, "FINANCE", { name: "Ana Ruiz" });

function change<Row extends TableRow>(table: Table<Row>, after: Row, before?: Row): RowChange {
  return { table, before, after } as unknown as RowChange;
}

const fieldsOf = (...rows: readonly RowChange[]) =>
  describeChanges(rows, null).changes.map(({ field }) => field);

describe("an audit entry", () => {
  it("tells what changed, from what to what", () => {
    const { changes, target, approvalId } = describeChanges(
      [change(people, { ...ana, state: "SUSPENDED", updatedAt: 9 }, ana)],
      null,
    );
    expect(changes).toEqual([{ field: "state", before: "ACTIVE", after: "SUSPENDED" }]);
    expect(target).toEqual({ kind: "Person", id: `Person:${ANA}`, label: "Ana Ruiz" });
    expect(approvalId).toBeNull();
  });

  it("tells of a payment that its metadata changed, without the values, and nothing else of it", () => {
    const told = (before: Transaction | undefined, after: Partial<Transaction>) =>
      describeChanges(
        [
          change(transactions, { ...quoteTransaction, ...after }, before),
          change(people, { ...ana, state: "SUSPENDED" }, ana),
        ],
        null,
      );
    const metadata = { orderId: "17" };
    const changed = told(quoteTransaction, { metadata, status: "FAILED" });
    expect(changed.target?.kind).toBe("Transaction");
    expect(changed.changes).toEqual([
      { field: "metadata", before: "(changed)", after: "(changed)" },
      { field: "people.state", before: "ACTIVE", after: "SUSPENDED" },
    ]);
    const others = [
      told(quoteTransaction, { status: "FAILED", failureReason: "QUOTE_EXPIRED" }),
      told(undefined, { metadata }),
    ];
    for (const { target, changes } of others) {
      expect(target?.kind).toBe("Person");
      expect(changes.map(({ field }) => field)).toEqual(["state"]);
    }
  });

  it("tells of a new row what is set of it", () => {
    const { changes } = describeChanges([change(personPasskeys, passkey(KEY, ANA))], null);
    expect(changes).toEqual([
      { field: "rpId", before: null, after: "localhost" },
      { field: "isSynced", before: null, after: false },
      { field: "nickname", before: null, after: "Laptop" },
    ]);
  });

  it.each<[string, RowChange, readonly string[]]>([
    ["a new passkey", change(personPasskeys, passkey(KEY, ANA)), ["key", "credential"]],
    [
      "a new session",
      change(personSessions, session(KEY, ANA, { secretHash: "hash-of-it" })),
      ["hash-of-it"],
    ],
    [
      "a new link",
      change(personLinks, link("INVITE", ANA, { urlSealed: "sealed-url" })),
      ["sealed-url", "c0de"],
    ],
    [
      "a new issuer",
      change(ssoIssuers, { ...issuer, clientSecretSealed: "sealed-secret" }),
      ["sealed-secret"],
    ],
    ["a new customer", change(customers, customer), ["Ana Ruiz"]],
  ])("keeps the secrets of %s to itself", (_what, row, secrets) => {
    const text = JSON.stringify(describeChanges([row], null));
    for (const secret of secrets) expect(text).not.toContain(`"${secret}"`);
  });

  it("says that a secret changed, and not from what to what", () => {
    const next = { ...issuer, clientSecretSealed: "new", sealId: "new" };
    const { changes } = describeChanges([change(ssoIssuers, next, issuer)], null);
    expect(changes).toEqual([
      { field: "sealId", before: "(changed)", after: "(changed)" },
      { field: "clientSecretSealed", before: "(changed)", after: "(changed)" },
    ]);
  });

  it("tells times, amounts and bytes as JSON can say them", () => {
    const token: Token = {
      id: KEY,
      name: "t",
      permissions: ["VIEW"],
      clientId: "c",
      secretHash: Buffer.from("x"),
      expiresAt: Date.UTC(2027, 0, 1),
      createdBy: null,
      personId: null,
      lineage: [],
      createdAt: 1,
      updatedAt: 1,
      deletedAt: null,
    };
    const { changes } = describeChanges([change(tokens, token)], null);
    expect(changes).toContainEqual({
      field: "expiresAt",
      before: null,
      after: "2027-01-01T00:00:00.000Z",
    });
    expect(changes).toContainEqual({ field: "permissions", before: null, after: ["VIEW"] });
    expect(JSON.stringify(changes)).not.toContain("secretHash");
  });

  it("merges a row that was put several times, from before the first to after the last", () => {
    const suspended = { ...ana, state: "SUSPENDED" } as const;
    const named = { ...suspended, name: "Ana" };
    const rows = [change(people, suspended, ana), change(people, named, suspended)];
    expect(describeChanges(rows, null).changes).toEqual([
      { field: "name", before: "Ana Ruiz", after: "Ana" },
      { field: "state", before: "ACTIVE", after: "SUSPENDED" },
    ]);
    expect(fieldsOf(change(people, suspended, ana), change(people, ana, suspended))).toEqual([]);
  });

  it("is about the row that the caller names, and else about the first that may be told", () => {
    const rows = [
      change(people, { ...ana, name: "A" }, ana),
      change(platforms, { ...platform, name: "q" }, platform),
    ];
    const first = describeChanges(rows, null);
    expect([first.target?.id, first.changes.map(({ field }) => field)]).toEqual([
      `Person:${ANA}`,
      ["name", "platforms.name"],
    ]);
    const named = describeChanges(rows, `PlatformConfig:${PLATFORM}`);
    expect([named.target?.id, named.changes.map(({ field }) => field)]).toEqual([
      `PlatformConfig:${PLATFORM}`,
      ["name", "people.name"],
    ]);
    expect(describeChanges(rows, "Person:another").target?.id).toBe(`Person:${ANA}`);
  });

  it("is about nothing where no row may be told", () => {
    const other = { name: "transactions", columns: [] } as unknown as Table<TableRow>;
    expect(describeChanges([change(other, { id: KEY })], null)).toEqual({
      target: null,
      changes: [],
      approvalId: null,
    });
    expect(describeChanges([], null).target).toBeNull();
  });

  it("has no label where the name is empty", () => {
    const { target } = describeChanges([change(people, { ...ana, name: "" }, ana)], null);
    expect(target?.label).toBeNull();
  });

  it.each([
    [999, 999],
    [1_000, 1_000],
    [1_001, 1_000],
  ])("cuts a text of %i characters to %i", (length, kept) => {
    const { changes, target } = describeChanges(
      [change(people, { ...ana, name: "x".repeat(length) }, ana)],
      null,
    );
    expect(String(changes[0]?.after)).toHaveLength(kept);
    expect(target?.label).toHaveLength(kept);
  });

  it("cuts a value that is long as JSON", () => {
    const roles = Array.from({ length: 60 }, () => ({
      platformId: ANA,
      roles: ["VIEWER" as const],
    }));
    const { changes } = describeChanges([change(people, { ...ana, roles }, ana)], null);
    expect(String(changes[0]?.after)).toHaveLength(1_001);
    expect(String(changes[0]?.after).endsWith("…")).toBe(true);
  });

  it("tells fifty changes at most", () => {
    const rows = Array.from({ length: 60 }, (_, place) =>
      change(
        people,
        { ...ana, id: `${ANA.slice(0, -2)}${10 + place}`, name: "x" },
        { ...ana, id: `${ANA.slice(0, -2)}${10 + place}` },
      ),
    );
    expect(describeChanges(rows, null).changes).toHaveLength(50);
  });
});
