/**
 * Load clients for calls of several payments: transfers of legs, and batches of both modes. The judge reads the database: every group and every
 * batch of all or nothing is whole, and every item of an independent batch has run once.
 */
import type pg from "pg";
import { present } from "../../src/std/assert.ts";
import { type History, type Load, type Reachable, startLoad } from "./history.ts";
import { changedReplays } from "./judge.ts";
import type { Customer } from "./rig.ts";

const NOBODY = "InternalAccount:019a4f00-0000-7000-8000-0000000000ee";
const LEGS = 3;
const ITEMS = 12;
/** Of the items of an independent batch. */
const REFUSED = 1;

interface Work {
  readonly path: string;
  readonly payment: (reference: string) => unknown;
}

function legsOf({ accountId }: Customer, payee: Customer): Work {
  const [from, to] = [{ accountId }, { accountId: payee.accountId }];
  const there = { source: from, destination: to, amount: 2 };
  const back = { source: to, destination: from, amount: 1 };
  return { path: "/transfers", payment: () => ({ legs: [there, back, there] }) };
}

function batchOf(
  mode: "INDEPENDENT" | "ALL_OR_NOTHING",
  { accountId, destinationId }: Customer,
  payee: Customer,
): Work {
  const item = (at: number, kind: "BOOK" | "TRANSFER_OUT", to: string) => ({
    reference: `item-${at}`,
    kind,
    source: { accountId },
    destination: { accountId: to },
    amount: 1,
  });
  const items = Array.from({ length: ITEMS }, (_, at) => {
    if (at === 5 && mode === "INDEPENDENT") return item(at, "BOOK", NOBODY);
    return at % 4 === 3
      ? item(at, "TRANSFER_OUT", destinationId)
      : item(at, "BOOK", payee.accountId);
  });
  return { path: "/payment-batches", payment: (name) => ({ name, mode, items }) };
}

export interface BulkLoad {
  /** Resolves after this many more answers of each kind. */
  more(count: number): Promise<unknown>;
  stop(): Promise<BulkHistory>;
}

export interface BulkHistory {
  readonly answered: number;
  /** What is not whole, not once, or not as it was answered, beside what was stored `before`. Read when no job is due. */
  problems(client: pg.Client, before: ReadonlySet<string>): Promise<readonly string[]>;
  /** Keys whose answer differs when the call is repeated. */
  changed(server: Reachable): Promise<readonly string[]>;
}

export function startBulkLoad(
  servers: readonly Reachable[],
  { customer, payee }: { readonly customer: Customer; readonly payee: Customer },
): BulkLoad {
  const works = [
    legsOf(customer, payee),
    batchOf("INDEPENDENT", customer, payee),
    batchOf("ALL_OR_NOTHING", customer, payee),
  ];
  const loads = works.map((work): Load => startLoad({ servers, clients: 2, ...work }));
  return {
    more: (count) => Promise.all(loads.map((load) => load.more(count))),
    async stop() {
      const histories = await Promise.all(loads.map((load) => load.stop()));
      const [first, ...batches] = histories;
      const legs = present(first, "the history of the first kind");
      return {
        answered: histories.reduce((sum, { operations }) => sum + operations.length, 0),
        problems: async (client, before) => [
          ...histories.flatMap(refusedCalls),
          ...(await brokenGroups(client, legs, before)),
          ...(await brokenBatches(client, batches, before)),
        ],
        async changed(server) {
          const replays = works.map((work, at) =>
            changedReplays(present(histories[at], work.path), { server, ...work, sample: 10 }),
          );
          return (await Promise.all(replays)).flat();
        },
      };
    },
  };
}

/** The ids of the groups and batches that are stored. */
export async function storedBulk(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    "select distinct details->>'groupId' as id from transactions where details->>'groupId' is not null " +
      "union select 'PaymentBatch:' || id from payment_batches",
  );
  return new Set(rows.map(({ id }) => id));
}

function refusedCalls({ operations }: History): readonly string[] {
  const refused = operations.filter(({ status }) => status !== 201 && status !== 202);
  return refused.map(({ key, status, text }) => `${key}: ${status} ${text}`);
}

function compared(what: string, answered: readonly string[], stored: readonly string[]) {
  const [said, kept] = [new Set(answered), new Set(stored)];
  return [
    ...answered.filter((id) => !kept.has(id)).map((id) => `${what} ${id} is lost`),
    ...stored.filter((id) => !said.has(id)).map((id) => `${what} ${id} was not answered`),
  ];
}

/** Every answered group is stored, no other one is, and each has all of its legs on both sides. */
async function brokenGroups(
  client: pg.Client,
  { operations }: History,
  before: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found = await client.query<{ id: string; out: string; in: string }>(
    "select details->>'groupId' as id, count(*) filter (where type = 'OUTGOING') as out, " +
      "count(*) filter (where type = 'INCOMING') as in from transactions " +
      "where details->>'groupId' is not null and status = 'COMPLETED' group by 1",
  );
  const rows = found.rows.filter(({ id }) => !before.has(id));
  const answered = operations.map(({ text }) => String(JSON.parse(text).groupId));
  const broken = rows.filter((row) => Number(row.out) !== LEGS || Number(row.in) !== LEGS);
  return [
    ...compared(
      "group",
      answered,
      rows.map(({ id }) => id),
    ),
    ...broken.map(({ id, out }) => `group ${id} has ${out} legs`),
  ];
}

/** One row a batch: its counts, those of its items, and those of the transactions that name it. Each table is read once. */
const BATCHES =
  "with items as (select platform_id, batch_id, count(*) filter (where status = 'CREATED') as created, " +
  "count(*) filter (where status = 'REFUSED') as refusals, count(*) filter (where status = 'WAITING') as waiting " +
  "from payment_batch_items group by 1, 2), " +
  "paid as (select platform_id, details->>'batchId' as batch, count(*) as payments, " +
  "count(distinct details->>'batchReference') as \"references\" from transactions where type = 'OUTGOING' group by 1, 2) " +
  "select 'PaymentBatch:' || b.id as id, b.mode, b.status, b.accepted, b.refused, coalesce(i.created, 0) as created, " +
  "coalesce(i.refusals, 0) as refusals, coalesce(i.waiting, 0) as waiting, coalesce(p.payments, 0) as payments, " +
  'coalesce(p."references", 0) as "references" from payment_batches b ' +
  "left join items i on i.platform_id = b.platform_id and i.batch_id = b.id " +
  "left join paid p on p.platform_id = b.platform_id and p.batch = 'PaymentBatch:' || b.id";

async function brokenBatches(
  client: pg.Client,
  histories: readonly History[],
  before: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found = await client.query(BATCHES);
  const rows = found.rows.filter(({ id }) => !before.has(id));
  const answered = histories.flatMap(({ operations }) =>
    operations.map(({ text }) => String(JSON.parse(text).id)),
  );
  const broken = rows.filter(({ id: _, mode, ...counts }) => {
    const refused = mode === "INDEPENDENT" ? REFUSED : 0;
    const paid = ITEMS - refused;
    const wanted = {
      ...{ status: "COMPLETED", accepted: paid, refused, created: paid, refusals: refused },
      ...{ waiting: 0, payments: paid, references: paid },
    };
    return Object.entries(wanted).some(([name, value]) => String(counts[name]) !== String(value));
  });
  return [
    ...compared(
      "batch",
      answered,
      rows.map(({ id }) => String(id)),
    ),
    ...broken.map((row) => `batch ${JSON.stringify(row)}`),
  ];
}
