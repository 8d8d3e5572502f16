/**
 * Checks the books of one platform from its rows alone.
 *
 * Order of calls: every account, every entry by (command, line), then `finish`, which compares the sums of the entries with
 * the balances of the accounts. Entries arrive by command and not by account, so a small state is kept in memory for each
 * account; entries are not kept. After a mismatch the check continues from the value in the row, so that a wrong row is
 * reported once and not again at each later row.
 *
 * Pure: it reads nothing and changes nothing.
 */
import { type LedgerAccount, type SystemAccountKind, systemAccountId } from "../ledger/chart.ts";
import type { StoredEntry } from "../ledger/postings.ts";

/** A discrepancy. `row` is the key of the row, written as the table stores it. */
export interface Finding {
  readonly table: string;
  readonly row: string;
  readonly what: string;
}

export type Tell = (finding: Finding) => void;

/** Running sums of an account's entries. */
interface Running {
  readonly account: LedgerAccount;
  readonly isInFlight: boolean;
  balanceMinor: bigint;
  heldMinor: bigint;
  version: bigint;
  /** Time of the latest entry of the account; undefined before the first. */
  touchedAt: number | undefined;
  /** Entries that move or hold its money in a currency that is not its own. */
  inOtherCurrency: number;
}

interface OpenPosting {
  readonly commandSeq: bigint;
  readonly posting: number;
  readonly sums: Map<string, bigint>;
  line: number;
  legs: number;
}

export class BooksCheck {
  readonly #tell: Tell;
  readonly #accounts = new Map<string, Running>();
  readonly #knownReasons = new Set<string>();
  /** Missing accounts, with the number of entries that name them. */
  readonly #missing = new Map<string, number>();
  /** By account: what its open holds say that they hold, and what the entries of holds come to. */
  readonly #openHolds = new Map<string, bigint>();
  readonly #heldByHolds = new Map<string, bigint>();
  #open: OpenPosting | undefined;

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  get accountCount(): number {
    return this.#accounts.size;
  }

  account(account: LedgerAccount): void {
    this.#checkKind(account);
    this.#accounts.set(account.id, {
      account,
      isInFlight: account.kind === "in-flight",
      balanceMinor: 0n,
      heldMinor: 0n,
      version: 0n,
      touchedAt: undefined,
      inOtherCurrency: 0,
    });
  }

  /** What the open holds of an account hold. */
  openHolds(accountId: string, minor: bigint): void {
    this.#openHolds.set(accountId, minor);
  }

  entry(entry: StoredEntry): void {
    this.#checkPlace(entry);
    this.#checkReason(entry);
    if (entry.amountMinor === 0n) this.#tellEntry(entry, "it moves nothing");
    const running = this.#accounts.get(entry.accountId);
    if (running === undefined) {
      this.#countMissing(entry.accountId, entry);
    } else {
      this.#checkAgainst(running, entry);
      this.#checkHold(running, entry);
    }
  }

  /** After the last entry: compares the accounts with their entries, and currencies with zero. */
  finish(): void {
    this.#closePosting();
    for (const [id, count] of this.#missing) {
      if (count > 1) this.#tellAccount(id, `not there, but ${count} entries are on it`);
    }
    const sums = new Map<string, bigint>();
    const held = new Map<string, bigint>();
    const inFlight = new Map<string, bigint>();
    for (const running of this.#accounts.values()) {
      this.#checkTotals(running);
      const { currency, balanceMinor, heldMinor } = running.account;
      add(sums, currency, balanceMinor);
      add(held, currency, heldMinor);
      if (running.isInFlight) add(inFlight, currency, balanceMinor);
    }
    this.#checkOpenHolds();
    for (const [currency, sum] of sums) {
      if (sum !== 0n) {
        const what = `the balances of all accounts sum to ${sum}, not to zero`;
        this.#tell({ table: "ledger_accounts", row: `all accounts in ${currency}`, what });
      }
    }
    for (const [currency, sum] of held) {
      const flying = inFlight.get(currency) ?? 0n;
      if (sum !== flying) {
        const what = `the accounts say that ${sum} is held, the in-flight account has ${flying}`;
        this.#tell({ table: "ledger_accounts", row: `all accounts in ${currency}`, what });
      }
    }
  }

  #checkKind(account: LedgerAccount): void {
    const { id, kind, currency, connectionId, guarded } = account;
    if (kind === "internal") {
      if (!guarded) this.#tellAccount(id, "an internal account is not guarded");
      if (connectionId !== null) this.#tellAccount(id, "an internal account names a connection");
      return;
    }
    if (guarded) this.#tellAccount(id, `a ${kind} account is guarded`);
    const system = kind satisfies SystemAccountKind;
    if (id !== systemAccountId(system, currency, connectionId ?? undefined)) {
      const owner = connectionId === null ? "" : ` of connection ${connectionId}`;
      this.#tellAccount(id, `it is not the id of the ${kind} account in ${currency}${owner}`);
    }
  }

  /** Lines and postings of a command count up from zero; a posting that ends must balance. */
  #checkPlace(entry: StoredEntry): void {
    const before = this.#open;
    const isSameCommand = before !== undefined && before.commandSeq === entry.commandSeq;
    const line = isSameCommand ? before.line + 1 : 0;
    if (entry.line !== line) this.#tellEntry(entry, `line ${line} of its command is missing`);
    if (isSameCommand && before.posting === entry.posting) {
      before.line = entry.line;
      before.legs++;
      add(before.sums, entry.currency, entry.amountMinor);
      return;
    }
    this.#closePosting();
    const posting = isSameCommand ? before.posting + 1 : 0;
    if (entry.posting !== posting) {
      this.#tellEntry(entry, `it is of posting ${entry.posting} where posting ${posting} begins`);
    }
    this.#open = {
      commandSeq: entry.commandSeq,
      posting: entry.posting,
      sums: new Map([[entry.currency, entry.amountMinor]]),
      line: entry.line,
      legs: 1,
    };
  }

  #closePosting(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const row = `command ${open.commandSeq}, posting ${open.posting}`;
    const table = "ledger_entries";
    if (open.legs < 2) this.#tell({ table, row, what: "it has a single entry" });
    for (const [currency, sum] of open.sums) {
      if (sum === 0n) continue;
      this.#tell({ table, row, what: `its entries in ${currency} sum to ${sum}, not to zero` });
    }
  }

  /** A reason has no spaces, because the digest of a command's effects separates its fields by spaces. */
  #checkReason(entry: StoredEntry): void {
    if (this.#knownReasons.has(entry.reason)) return;
    if (/^[a-z-]+\.[a-z-]+$/.test(entry.reason)) this.#knownReasons.add(entry.reason);
    else this.#tellEntry(entry, "its reason is not one that the books know");
  }

  #checkAgainst(running: Running, entry: StoredEntry): void {
    const { account } = running;
    this.#checkCurrency(running, entry);
    if (entry.version !== running.version + 1n) {
      const wanted = running.version + 1n;
      this.#tellEntry(
        entry,
        `it is version ${entry.version} of its account, where ${wanted} follows`,
      );
    }
    const balanceMinor = running.balanceMinor + entry.amountMinor;
    if (entry.balanceAfterMinor !== balanceMinor) {
      const said = entry.balanceAfterMinor;
      this.#tellEntry(entry, `it says a balance of ${said}, its account comes to ${balanceMinor}`);
    }
    if (account.guarded && entry.balanceAfterMinor < 0n) {
      this.#tellEntry(entry, "it leaves a guarded account below zero");
    }
    running.version = entry.version;
    running.balanceMinor = entry.balanceAfterMinor;
    running.touchedAt = entry.at;
  }

  /** Only the first entry is reported and the others are counted, so that one wrong account does not fill the report. */
  #checkCurrency(running: Running, entry: StoredEntry): void {
    const { currency } = running.account;
    if (entry.currency === currency || running.inOtherCurrency++ > 0) return;
    const what = `it is in ${entry.currency}, the account ${running.account.id} in ${currency}`;
    this.#tellEntry(entry, what);
  }

  #countMissing(id: string, entry: StoredEntry): void {
    const count = this.#missing.get(id) ?? 0;
    this.#missing.set(id, count + 1);
    if (count === 0) this.#tellEntry(entry, `there is no account ${id}`);
  }

  /** Entries of `in-flight` name the account that they are held for; no other entries do. */
  #checkHold({ isInFlight }: Running, entry: StoredEntry): void {
    const id = entry.heldForAccountId;
    if (id === null) {
      if (isInFlight) this.#tellEntry(entry, "money is in flight for no account");
      return;
    }
    if (!isInFlight) this.#tellEntry(entry, "money is held outside the in-flight account");
    const holder = this.#accounts.get(id);
    if (holder === undefined) {
      this.#countMissing(id, entry);
      return;
    }
    this.#checkCurrency(holder, entry);
    holder.heldMinor += entry.amountMinor;
    if (entry.reason === "hold.place" || entry.reason === "hold.release") {
      add(this.#heldByHolds, id, entry.amountMinor);
    }
    if (holder.heldMinor < 0n) this.#tellEntry(entry, "it releases more than was held");
    holder.touchedAt = entry.at;
  }

  #checkTotals(running: Running): void {
    const { account, balanceMinor, heldMinor, version, touchedAt, inOtherCurrency } = running;
    const { id } = account;
    if (inOtherCurrency > 1) {
      this.#tellAccount(id, `${inOtherCurrency} of its entries are in another currency`);
    }
    if (account.version !== version) {
      this.#tellAccount(id, `it says version ${account.version}, its last entry ${version}`);
    }
    if (account.balanceMinor !== balanceMinor) {
      const said = account.balanceMinor;
      this.#tellAccount(id, `it says a balance of ${said}, its entries come to ${balanceMinor}`);
    }
    if (account.heldMinor !== heldMinor) {
      const said = account.heldMinor;
      this.#tellAccount(id, `it says that ${said} is held, its entries come to ${heldMinor}`);
    }
    if (account.guarded && account.balanceMinor < 0n) {
      this.#tellAccount(id, "it is guarded and below zero");
    }
    if (Number.isNaN(account.updatedAt) || (touchedAt ?? account.updatedAt) !== account.updatedAt) {
      this.#tellAccount(id, "its updated_at is not the time of the last entry that touched it");
    }
  }

  #checkOpenHolds(): void {
    for (const id of new Set([...this.#openHolds.keys(), ...this.#heldByHolds.keys()])) {
      const said = this.#openHolds.get(id) ?? 0n;
      const held = this.#heldByHolds.get(id) ?? 0n;
      if (said === held) continue;
      this.#tellAccount(id, `its open holds come to ${said}, the entries of its holds to ${held}`);
    }
  }

  #tellEntry(entry: StoredEntry, what: string): void {
    const row = `command ${entry.commandSeq}, line ${entry.line}`;
    this.#tell({ table: "ledger_entries", row, what });
  }

  #tellAccount(id: string, what: string): void {
    this.#tell({ table: "ledger_accounts", row: `account ${id}`, what });
  }
}

function add(sums: Map<string, bigint>, key: string, minor: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + minor);
}
