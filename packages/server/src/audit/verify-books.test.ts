import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type LedgerAccount,
  newInternalLedgerAccount,
  newSystemAccount,
  type SystemAccountKind,
  systemAccountId,
} from "../ledger/chart.ts";
import type { StoredEntry } from "../ledger/postings.ts";
import { applyPosting, type Leg } from "../ledger/postings.ts";
import { BooksCheck, type Finding } from "./verify-books.ts";

const AT = 1_767_225_600_000;
const ONE = "018f0000-0000-7000-8000-000000000001";
const TWO = "018f0000-0000-7000-8000-000000000002";

interface Books {
  readonly accounts: Map<string, LedgerAccount>;
  readonly entries: StoredEntry[];
}

type OpenHolds = Readonly<Record<string, bigint>>;

function check({ accounts, entries }: Books, open: OpenHolds = {}): readonly Finding[] {
  const found: Finding[] = [];
  const books = new BooksCheck((finding) => found.push(finding));
  for (const account of accounts.values()) books.account(account);
  for (const [id, minor] of Object.entries(open)) books.openHolds(id, minor);
  for (const entry of entries) books.entry(entry);
  books.finish();
  return found;
}

const whats = (books: Books, open?: OpenHolds) =>
  check(books, open).map(({ row, what }) => `${row}: ${what}`);

type Order = {
  readonly kind: "fund" | "hold" | "settle" | "release";
  readonly isFirst: boolean;
  readonly minor: bigint;
};

const LEGS: Readonly<Record<Order["kind"], readonly [from: string, to: string]>> = {
  fund: ["sandbox-funding", "account"],
  hold: ["account", "in-flight"],
  settle: ["in-flight", "rail-clearing"],
  release: ["in-flight", "account"],
};

/** Books as the ledger itself writes them; what it would refuse is left out. */
function keepBooks(orders: readonly Order[]): Books {
  const accounts = new Map([ONE, TWO].map((id) => [id, newInternalLedgerAccount(id, "USD", AT)]));
  const entries: StoredEntry[] = [];
  let commandSeq = 0n;
  for (const { kind, isFirst, minor } of orders) {
    const id = isFirst ? ONE : TWO;
    const isShort = LEGS[kind][0] === "in-flight" && (accounts.get(id)?.heldMinor ?? 0n) < minor;
    if (isShort) continue;
    const legs = LEGS[kind].map((name, side): Leg => {
      const amount = side === 0 ? -minor : minor;
      if (name === "account") return { account: id, minor: amount };
      const held = name === "in-flight" ? { heldFor: id } : {};
      return { system: name as SystemAccountKind, currency: "USD", minor: amount, ...held };
    });
    const at = AT + Number(commandSeq);
    const outcome = applyPosting(
      { find: (key) => accounts.get(key), put: (account) => accounts.set(account.id, account) },
      { reason: kind === "fund" ? "sandbox.fund" : `payout.${kind}`, legs },
      { at, posting: 0 },
    );
    if (outcome.kind !== "posted") continue;
    commandSeq++;
    for (const [line, entry] of outcome.entries.entries()) {
      entries.push({ ...entry, commandSeq, line, at });
    }
  }
  return { accounts, entries };
}

const orders = fc.array(
  fc.record({
    kind: fc.constantFrom<Order["kind"]>("fund", "fund", "hold", "settle", "release"),
    isFirst: fc.boolean(),
    minor: fc.bigInt({ min: 1n, max: 100n }),
  }),
  { minLength: 1, maxLength: 40 },
);

describe("books kept by the ledger", () => {
  it("add up after every sequence of orders", () => {
    fc.assert(
      fc.property(orders, (list) => {
        expect(check(keepBooks(list))).toEqual([]);
      }),
    );
  });

  it("no longer add up when any number, account, currency or place of any entry is another", () => {
    const fields = [
      "accountId",
      "version",
      "posting",
      "currency",
      "amountMinor",
      "balanceAfterMinor",
      "line",
    ] as const;
    fc.assert(
      fc.property(orders, fc.nat(), fc.constantFrom(...fields), (list, at, field) => {
        const { accounts, entries } = keepBooks(list);
        fc.pre(entries.length > 0);
        const index = at % entries.length;
        const changed = entries.map((entry, place) =>
          place === index ? otherEntry(entry, field) : entry,
        );
        expect(check({ accounts, entries: changed })).not.toEqual([]);
      }),
    );
  });

  it("no longer add up when any entry is missing or there twice", () => {
    fc.assert(
      fc.property(orders, fc.nat(), fc.boolean(), (list, at, isTwice) => {
        const { accounts, entries } = keepBooks(list);
        fc.pre(entries.length > 0);
        const index = at % entries.length;
        const changed = entries.flatMap((entry, place) =>
          place !== index ? [entry] : isTwice ? [entry, entry] : [],
        );
        expect(check({ accounts, entries: changed })).not.toEqual([]);
      }),
    );
  });
});

function otherEntry(entry: StoredEntry, field: keyof StoredEntry): StoredEntry {
  const value = entry[field];
  if (typeof value === "bigint") return { ...entry, [field]: value + 1n };
  if (typeof value === "number") return { ...entry, [field]: value + 1 };
  if (field === "accountId") return { ...entry, accountId: value === ONE ? TWO : ONE };
  return { ...entry, [field]: `${value}X` };
}

/** Wrong books whose rows agree with each other: what no digest and no running balance would show. */
describe("books that were kept wrongly", () => {
  const IN_FLIGHT = systemAccountId("in-flight", "USD");
  const FUNDING = systemAccountId("sandbox-funding", "USD");

  interface Draft {
    readonly account: string;
    readonly minor: bigint;
    readonly heldFor?: string;
    readonly command?: bigint;
    readonly reason?: StoredEntry["reason"];
  }

  /** Writes down any entries at all, with running balances that fit. */
  function write(drafts: readonly Draft[]): Books {
    const accounts = new Map<string, LedgerAccount>();
    for (const id of [ONE, TWO]) accounts.set(id, newInternalLedgerAccount(id, "USD", AT));
    for (const kind of ["in-flight", "sandbox-funding"] as const) {
      const account = newSystemAccount({ system: kind, currency: "USD" }, AT);
      accounts.set(account.id, account);
    }
    const lines = new Map<bigint, number>();
    const entries = drafts.map((draft): StoredEntry => {
      const { account: id, minor, heldFor, command = 1n, reason = "payout.hold" } = draft;
      const line = lines.get(command) ?? 0;
      lines.set(command, line + 1);
      const before = accounts.get(id) as LedgerAccount;
      const balanceMinor = before.balanceMinor + minor;
      const version = before.version + 1n;
      accounts.set(id, { ...before, balanceMinor, version });
      const holder = accounts.get(heldFor ?? "");
      if (holder !== undefined) {
        accounts.set(holder.id, { ...holder, heldMinor: holder.heldMinor + minor });
      }
      return {
        commandSeq: command,
        line,
        accountId: id,
        version,
        posting: 0,
        reason,
        currency: "USD",
        amountMinor: minor,
        balanceAfterMinor: balanceMinor,
        heldForAccountId: heldFor ?? null,
        at: AT,
      };
    });
    return { accounts, entries };
  }

  it("are found when a posting has a single entry", () => {
    expect(whats(write([{ account: ONE, minor: 5n }]))).toEqual([
      "command 1, posting 0: it has a single entry",
      "command 1, posting 0: its entries in USD sum to 5, not to zero",
      "all accounts in USD: the balances of all accounts sum to 5, not to zero",
    ]);
  });

  it("are found when a posting does not sum to zero, though another one makes up for it", () => {
    const uneven = write([
      { account: FUNDING, minor: -5n },
      { account: ONE, minor: 6n },
      { account: FUNDING, minor: -6n, command: 2n },
      { account: ONE, minor: 5n, command: 2n },
    ]);
    expect(whats(uneven)).toEqual([
      "command 1, posting 0: its entries in USD sum to 1, not to zero",
      "command 2, posting 0: its entries in USD sum to -1, not to zero",
    ]);
  });

  it("are found when a guarded account went below zero and came back", () => {
    const dipped = write([
      { account: ONE, minor: -5n },
      { account: FUNDING, minor: 5n },
      { account: FUNDING, minor: -5n, command: 2n },
      { account: ONE, minor: 5n, command: 2n },
    ]);
    expect(whats(dipped)).toEqual(["command 1, line 0: it leaves a guarded account below zero"]);
  });

  it("are found when more was released than was held", () => {
    const released = write([
      { account: IN_FLIGHT, minor: -5n, heldFor: ONE },
      { account: ONE, minor: 5n },
      { account: TWO, minor: 0n, command: 2n },
    ]);
    expect(whats(released)).toContain("command 1, line 0: it releases more than was held");
    expect(whats(released)).toContain("command 2, line 0: it moves nothing");
  });

  it("are found when money is in flight for no account, or held in another account", () => {
    const lost = write([
      { account: FUNDING, minor: -5n, heldFor: TWO },
      { account: IN_FLIGHT, minor: 5n },
    ]);
    expect(whats(lost)).toEqual([
      "command 1, line 0: money is held outside the in-flight account",
      "command 1, line 0: it releases more than was held",
      "command 1, line 1: money is in flight for no account",
      "all accounts in USD: the accounts say that -5 is held, the in-flight account has 5",
    ]);
  });

  it("are found when the open holds of an account hold another amount than its entries", () => {
    const held = (command: bigint, minor: bigint): readonly Draft[] => {
      const reason = minor > 0n ? "hold.place" : "hold.release";
      return [
        { account: ONE, minor: -minor, command, reason },
        { account: IN_FLIGHT, minor, heldFor: ONE, command, reason },
      ];
    };
    const funded = [
      { account: FUNDING, minor: -100n },
      { account: ONE, minor: 100n },
    ];
    const books = write([...funded, ...held(2n, 60n), ...held(3n, -25n)]);
    expect(whats(books, { [ONE]: 35n })).toEqual([]);
    expect(whats(books, { [ONE]: 36n })).toEqual([
      `account ${ONE}: its open holds come to 36, the entries of its holds to 35`,
    ]);
    expect(whats(books)).toEqual([
      `account ${ONE}: its open holds come to 0, the entries of its holds to 35`,
    ]);
    expect(whats(books, { [ONE]: 35n, [TWO]: 1n })).toEqual([
      `account ${TWO}: its open holds come to 1, the entries of its holds to 0`,
    ]);
  });

  it("are found when a system account has another id", () => {
    const { accounts, entries } = write([]);
    accounts.set(TWO, { ...newSystemAccount({ system: "fees", currency: "USD" }, AT), id: TWO });
    expect(whats({ accounts, entries })).toEqual([
      `account ${TWO}: it is not the id of the fees account in USD`,
    ]);
  });
});
