/**
 * Payments, failures and quotes for `/metrics`, by environment and never by customer or platform. They are counted as this process
 * commits them: a row costs a comparison and an addition, and a scrape reads no row of them. Prometheus adds up the servers; after a
 * restart the counters begin at zero.
 *
 * Bounds: the combinations of labels, the additions that wait for the environment of their platform.
 */

import { quotes } from "../domain/payments/quotes/quote.ts";
import { transactions } from "../domain/payments/transactions/transaction.ts";
import { findPlatform } from "../domain/platform.sql.ts";
import type { WrittenCommit, WrittenRows } from "../engine/engine.ts";
import type { Metrics, Sample } from "../http/server/metrics.ts";
import type { Reads } from "../postgres/database.ts";
import type { Table, TableRow } from "../tables/tables.ts";

export interface ProductFigures {
  /** Counts the rows of a commit. */
  committed(commit: Pick<WrittenCommit, "platformId" | "rows">): void;
}

const MOST_COMBINATIONS = 1_000;
/** Further additions are dropped: so many wait only when the database has not answered for long. */
const MOST_WAITING = 10_000;

const PAYMENTS = "florin_payments_total";
const FAILURES = "florin_payment_failures_total";
const QUOTES = "florin_quotes_total";

type Labels = Readonly<Record<string, string>>;

/** The counter, with its labels, that one row of a commit increments. */
interface Addition {
  readonly figure: string;
  readonly labels: Labels;
}

export function createProductFigures(metrics: Metrics, reads: Reads): ProductFigures {
  const counts = new EnvironmentCounts(reads);
  const counter = (name: string, help: string, ...labels: readonly string[]) =>
    metrics.family({ name, help, kind: "counter", labels: ["environment", ...labels] }, () =>
      counts.of(name),
    );
  counter(PAYMENTS, "Payments that came to a status.", "type", "rail", "status");
  counter(FAILURES, "Payments that failed, by reason.", "code");
  counter(QUOTES, "Quotes that came to a status.", "status");
  return {
    committed({ platformId, rows }) {
      for (const addition of additionsOf(rows)) counts.add(platformId, addition);
    },
  };
}

function* additionsOf(written: WrittenRows): Generator<Addition> {
  for (const { row, before } of rowsOf(written, transactions)) {
    const { type, status, failure, details } = row;
    if (before?.status === status) continue;
    yield { figure: PAYMENTS, labels: { type, rail: railIn(details?.paymentRail), status } };
    if (status === "FAILED")
      yield { figure: FAILURES, labels: { code: failure?.code ?? "UNKNOWN" } };
  }
  for (const { row, before } of rowsOf(written, quotes)) {
    if (before?.status !== row.status) yield { figure: QUOTES, labels: { status: row.status } };
  }
}

function rowsOf<Row extends TableRow>(written: WrittenRows, table: Table<Row>) {
  const rows = written.get(table as unknown as Table<TableRow>)?.values() ?? [];
  return rows as Iterable<{ readonly row: Row; readonly before: Row | undefined }>;
}

/** The label for the rail that the caller asked for. */
function railIn(rail: unknown): string {
  return typeof rail === "string" && /^[A-Z0-9_]{1,40}$/.test(rail) ? rail : "unnamed";
}

/** Counts by labels and environment. Additions of a platform wait until its environment was read, once. */
class EnvironmentCounts {
  readonly #reads: Reads;
  readonly #environments = new Map<string, string>();
  readonly #counts = new Map<string, Addition & { value: number }>();
  #waiting: { readonly platformId: string; readonly addition: Addition }[] = [];
  #placing: Promise<void> | undefined;

  constructor(reads: Reads) {
    this.#reads = reads;
  }

  add(platformId: string, addition: Addition): void {
    const environment = this.#environments.get(platformId);
    if (environment !== undefined) {
      this.#count(environment, addition);
      return;
    }
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ platformId, addition });
    void this.#place();
  }

  async of(figure: string): Promise<readonly Sample[]> {
    if (this.#waiting.length > 0) await this.#place();
    return [...this.#counts.values()].filter((count) => count.figure === figure);
  }

  #place(): Promise<void> {
    this.#placing ??= this.#readEnvironments().finally(() => {
      this.#placing = undefined;
    });
    return this.#placing;
  }

  /** Never rejects: while the database does not answer, the additions keep waiting. */
  async #readEnvironments(): Promise<void> {
    const ids = new Set(this.#waiting.map(({ platformId }) => platformId));
    for (const id of ids) {
      const platform = await findPlatform(this.#reads, id).catch(() => undefined);
      if (platform !== undefined) this.#environments.set(id, platform.environment);
    }
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waited of waiting) {
      const environment = this.#environments.get(waited.platformId);
      if (environment === undefined) this.#waiting.push(waited);
      else this.#count(environment, waited.addition);
    }
  }

  #count(environment: string, { figure, labels }: Addition): void {
    const key = [figure, environment, ...Object.values(labels)].join(" ");
    const known = this.#counts.get(key);
    if (known !== undefined) known.value++;
    else if (this.#counts.size < MOST_COMBINATIONS)
      this.#counts.set(key, { figure, labels: { environment, ...labels }, value: 1 });
  }
}
