/** The tables of exchanges with other institutions: the statements of their writer, and their reads. */
import { arrayParameter, parameter } from "../../../postgres/columns.ts";
import type { Lane, Reads } from "../../../postgres/database.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";
import { groupBy } from "../../../std/group.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  roughPage,
} from "../../../tables/list-query.ts";
import { defineRecords, fixed, type RowOf } from "../../../tables/tables.ts";
import type { ExchangeDirection, ExchangeKind } from "./exchange-log.port.ts";

const columns = {
  id: fixed("uuid"),
  at: fixed("time"),
  direction: fixed<ExchangeDirection>("text"),
  kind: fixed<ExchangeKind>("text"),
  vaspDomain: fixed("text"),
  umaVersion: fixed<string | null>("text"),
  outcome: fixed("text"),
  ms: fixed("int4"),
  transactionId: fixed<string | null>("uuid"),
  lookupId: fixed<string | null>("uuid"),
};

export interface UmaExchange extends RowOf<typeof columns> {}

export const umaExchanges = defineRecords<UmaExchange>("uma_exchanges", columns);

export const EXCHANGES_KEPT_MS = 30 * 24 * 60 * 60_000;

const source: ListSource<UmaExchange> = {
  selectList: umaExchanges.selectList("t"),
  from: "uma_exchanges t",
  decode: (cells) => umaExchanges.decode(cells),
};

/** The count of all is left out where it would read many rows. */
export function listUmaExchanges(reads: Reads, query: ListQuery): Promise<ListPage<UmaExchange>> {
  return roughPage(reads, source, query);
}

export interface CounterpartyCounts {
  readonly lookupsIn: bigint;
  readonly lookupsOut: bigint;
  readonly paymentsIn: bigint;
  readonly paymentsOut: bigint;
}

export const NO_COUNTS: CounterpartyCounts = {
  lookupsIn: 0n,
  lookupsOut: 0n,
  paymentsIn: 0n,
  paymentsOut: 0n,
};

/** What is added to the counts of one counterparty. */
export interface CountedExchanges extends CounterpartyCounts {
  readonly domain: string;
}

/** A domain that is no counterparty is not counted. In the order of domains, so that two servers do not wait for each other. */
const addCounts: Statement = {
  name: "uma_counterparty_counts/add",
  text:
    "insert into uma_counterparty_counts as k (platform_id, domain, lookups_in, lookups_out, payments_in, payments_out) " +
    "select $1::uuid, n.domain, n.a, n.b, n.c, n.d from unnest($2::text[], $3::int8[], $4::int8[], $5::int8[], $6::int8[]) " +
    "n (domain, a, b, c, d) where exists (select 1 from uma_counterparties t where t.platform_id = $1::uuid and t.domain = n.domain " +
    "and t.deleted_at is null) order by n.domain on conflict (platform_id, domain) do update set " +
    "lookups_in = k.lookups_in + excluded.lookups_in, lookups_out = k.lookups_out + excluded.lookups_out, " +
    "payments_in = k.payments_in + excluded.payments_in, payments_out = k.payments_out + excluded.payments_out",
};

export function addCountsStep(platformId: string, counted: readonly CountedExchanges[]): Step {
  const numbers = (of: (one: CountedExchanges) => bigint) =>
    arrayParameter("int8", counted.map(of));
  return {
    statement: addCounts,
    parameters: [
      parameter("uuid", platformId),
      arrayParameter(
        "text",
        counted.map(({ domain }) => domain),
      ),
      numbers(({ lookupsIn }) => lookupsIn),
      numbers(({ lookupsOut }) => lookupsOut),
      numbers(({ paymentsIn }) => paymentsIn),
      numbers(({ paymentsOut }) => paymentsOut),
    ],
  };
}

const countsOf = {
  name: "uma_counterparty_counts/of-domains",
  text:
    "select k.domain, k.lookups_in, k.lookups_out, k.payments_in, k.payments_out from uma_counterparty_counts k " +
    "where k.platform_id = $1::uuid and k.domain = any ($2::text[])",
};

export async function findCounts(
  reads: Reads,
  platformId: string,
  domains: readonly string[],
): Promise<ReadonlyMap<string, CounterpartyCounts>> {
  if (domains.length === 0) return new Map();
  const rows = await reads.cells(countsOf, [platformId, domains]);
  return new Map(
    rows.map(([domain, ...cells]) => {
      const [lookupsIn = 0n, lookupsOut = 0n, paymentsIn = 0n, paymentsOut = 0n] = cells.map(
        (cell) => BigInt(cell ?? 0),
      );
      return [domain ?? "", { lookupsIn, lookupsOut, paymentsIn, paymentsOut }];
    }),
  );
}

const orphans: Statement = {
  name: "uma_counterparty_counts/orphans",
  text:
    "select k.platform_id, k.domain from uma_counterparty_counts k left join uma_counterparties t " +
    "on t.platform_id = k.platform_id and t.domain = k.domain and t.deleted_at is null where t.id is null limit 1000",
};

/** A counterparty that was made anew meanwhile begins at 0 as well. */
const drop: Statement = {
  name: "uma_counterparty_counts/drop",
  text: "delete from uma_counterparty_counts where platform_id = $1::uuid and domain = any ($2::text[])",
};

/** Deletes counts of counterparties that were forgotten, at most a thousand a sweep. Answers how many. */
export async function sweepCounterpartyCounts(lane: Lane): Promise<number> {
  const [found] = await lane.run([{ statement: orphans, parameters: [] }]);
  const dropped = await lane.run(
    [...groupBy(found?.rows ?? [], ([platformId]) => platformId ?? "")].map(
      ([platformId, own]) => ({
        statement: drop,
        parameters: [
          parameter("uuid", platformId),
          arrayParameter(
            "text",
            own.map(([, domain]) => domain ?? ""),
          ),
        ],
      }),
    ),
  );
  return dropped.reduce((sum, { count }) => sum + count, 0);
}
