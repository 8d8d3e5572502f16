/**
 * Compares the history of the clients with the stored payments. Reads the database directly and changes nothing; only the
 * replays use the server.
 */
import type pg from "pg";
import { OVERDUE_PAYMENTS, reconciliations } from "../../src/audit/reconciliation.sql.ts";
import { verifyPlatforms } from "../../src/audit/verify-platform.ts";
import { type DatabaseAddress, openDatabase } from "../../src/postgres/database.ts";
import { systemClock } from "../../src/std/clock.ts";
import { silentLog } from "../../src/std/log.ts";
import { eventually } from "./eventually.ts";
import { type History, type Operation, type Reachable, send } from "./history.ts";

export interface Verdict {
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknownTries: number;
  /** Answered with 201 and not stored under the answered id. */
  readonly lost: readonly string[];
  /** References with more than one payment. */
  readonly doubled: readonly string[];
  /** Answered with anything except 201 or INSUFFICIENT_BALANCE. */
  readonly unexpected: readonly string[];
  /** Pairs in which one was answered before the other was sent, and is later in the log. */
  readonly inversions: number;
  /** Missing sequence numbers, or a head that differs from the last one. */
  readonly gaps: readonly string[];
  readonly booksProblems: readonly string[];
  readonly jobsLeft: number;
  readonly openPayments: number;
}

/** A verdict without problems. */
export const CLEAN = {
  lost: [],
  doubled: [],
  unexpected: [],
  inversions: 0,
  gaps: [],
  booksProblems: [],
  jobsLeft: 0,
  openPayments: 0,
} as const;

const SETTLE_LIMIT_MS = 25_000;

export interface JudgeOptions {
  readonly history: History;
  readonly address: DatabaseAddress;
  /** Wait for due jobs; false for a run whose servers have ended. */
  readonly waitsForJobs?: boolean;
}

export async function judge({
  history,
  address,
  waitsForJobs = true,
}: JudgeOptions): Promise<Verdict> {
  const database = openDatabase({ address, log: silentLog });
  try {
    return await database.withClient(async (client) => {
      if (waitsForJobs) await untilNoJobs(client);
      return verdictOn(client, history);
    });
  } finally {
    await database.close();
  }
}

/** Jobs that are due soon, without long-term cleanup jobs. */
const JOBS_AT_HAND = "select count(*) n from jobs where run_at < now() + interval '1 hour'";

async function untilNoJobs(client: pg.Client): Promise<void> {
  await eventually(
    "every job was done",
    async () => ((await count(client, JOBS_AT_HAND)) === 0 ? true : undefined),
    SETTLE_LIMIT_MS,
  );
}

function verify(client: pg.Client) {
  return verifyPlatforms({
    client,
    reconciliations,
    overdue: { text: OVERDUE_PAYMENTS, now: systemClock.now() },
  });
}

/** What does not add up in the database. */
export async function verified(address: DatabaseAddress) {
  const database = openDatabase({ address, log: silentLog });
  try {
    return (await database.withClient(verify)).problems;
  } finally {
    await database.close();
  }
}

async function verdictOn(client: pg.Client, history: History): Promise<Verdict> {
  const { operations, unknownTries } = history;
  const stored = await paymentsByReference(client);
  const acknowledged = operations.filter(({ status }) => status === 201);
  const refused = operations.filter(isShortOfMoney);
  const report = await verify(client);
  return {
    acknowledged: acknowledged.length,
    refused: refused.length,
    unknownTries,
    lost: acknowledged
      .filter(({ key, text }) => !stored.get(key)?.includes(idIn(text)))
      .map(({ key }) => key),
    doubled: [...stored].filter(([, ids]) => ids.length > 1).map(([reference]) => reference),
    unexpected: operations
      .filter((operation) => operation.status !== 201 && !isShortOfMoney(operation))
      .map(({ key, status, text }) => `${key}: ${status} ${text}`),
    inversions: await countInversions(client, operations),
    gaps: await gapsIn(client),
    booksProblems: report.problems.map((problem) => JSON.stringify(problem)),
    jobsLeft: await count(client, JOBS_AT_HAND),
    openPayments: await count(
      client,
      "select count(*) n from transactions where status not in ('COMPLETED', 'FAILED', 'REJECTED', 'EXPIRED')",
    ),
  };
}

function isShortOfMoney({ status, text }: Operation): boolean {
  return status === 400 && text.includes('"INSUFFICIENT_BALANCE"');
}

/** The uuid of `Transaction:<uuid>` in an answer. */
function idIn(text: string): string {
  const { id } = JSON.parse(text) as { readonly id: string };
  return id.slice(id.indexOf(":") + 1);
}

/** Transfers out by what the beneficiary reads, book transfers by their description: the payer's transaction of each. */
async function paymentsByReference(client: pg.Client): Promise<Map<string, string[]>> {
  const found = await client.query<{ reference: string; ids: string }>(
    "select coalesce(details->>'remittanceInformation', description) reference, string_agg(id::text, ' ') ids " +
      "from transactions where type = 'OUTGOING' " +
      "and coalesce(details->>'remittanceInformation', description) is not null group by 1",
  );
  return new Map(found.rows.map(({ reference, ids }) => [reference, ids.split(" ")]));
}

/** Compares the order in the log with the real-time order that clients observed (strict serialisability). */
async function countInversions(
  client: pg.Client,
  operations: readonly Operation[],
): Promise<number> {
  const found = await client.query<{ key: string; seq: string }>(
    "select idempotency_key as key, seq from command_log where idempotency_key is not null",
  );
  const seqOf = new Map(found.rows.map(({ key, seq }) => [key, Number(seq)]));
  const logged = operations.flatMap((operation) => {
    const seq = seqOf.get(operation.key);
    return seq === undefined ? [] : [{ ...operation, seq }];
  });
  const byAnswer = [...logged].sort((left, right) => left.answeredAt - right.answeredAt);
  const byStart = [...logged].sort((left, right) => left.startedAt - right.startedAt);
  let answered = 0;
  let latest = 0;
  let inversions = 0;
  for (const operation of byStart) {
    for (; (byAnswer[answered]?.answeredAt ?? Infinity) < operation.startedAt; answered++) {
      latest = Math.max(latest, byAnswer[answered]?.seq ?? 0);
    }
    if (operation.seq < latest) inversions++;
  }
  return inversions;
}

async function gapsIn(client: pg.Client): Promise<readonly string[]> {
  const found = await client.query<{ platform_id: string; what: string }>(
    "select h.platform_id, x.what from platform_heads h, lateral (" +
      "select 'commands' what, h.seq expected, count(*) n, coalesce(max(c.seq), 0) last from command_log c " +
      "where c.platform_id = h.platform_id union all " +
      "select 'events', h.event_seq, count(*), coalesce(max(e.seq), 0) from events e where e.platform_id = h.platform_id" +
      ") x where x.n <> x.expected or x.last <> x.expected",
  );
  return found.rows.map((row) => `${row.platform_id}: ${row.what}`);
}

async function count(client: pg.Client, query: string): Promise<number> {
  return Number((await client.query<{ n: string }>(query)).rows[0]?.n);
}

export function inNumbers(verdict: Verdict): Readonly<Record<string, number>> {
  const { acknowledged, refused, unknownTries, inversions } = verdict;
  const lost = verdict.lost.length;
  const doubled = verdict.doubled.length;
  return { acknowledged, refused, unknownTries, lost, doubled, inversions };
}

export interface ReplayOptions {
  readonly server: Reachable;
  readonly payment: (reference: string) => unknown;
  readonly path?: string;
  /** Number of operations, evenly spread over the run. */
  readonly sample: number;
}

/** Replays answered payments under their keys; returns those whose answer differs in a byte. */
export async function changedReplays(
  { operations }: History,
  { server, payment, path = "/transfer-out", sample }: ReplayOptions,
): Promise<readonly string[]> {
  const step = Math.max(1, Math.floor(operations.length / sample));
  const chosen = operations.filter((_, index) => index % step === 0);
  const changed: string[] = [];
  for (let at = 0; at < chosen.length; at += 16) {
    await Promise.all(
      chosen.slice(at, at + 16).map(async ({ key, status, text }) => {
        const again = await send(server, {
          method: "POST",
          path,
          body: payment(key),
          key,
        });
        if (again.status !== status || again.text !== text) changed.push(key);
      }),
    );
  }
  return changed;
}
