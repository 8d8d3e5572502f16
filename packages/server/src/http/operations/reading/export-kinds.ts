/**
 * The kinds of exports: their filters, which are those of the list operation, their columns in CSV, and their pages. A page reads a bounded
 * number of rows, whatever the filter, in the platform's share of reads.
 *
 * Commands, events and entries are append-only: the rows up to a sequence are always the same. A transaction that changed after the
 * sequence is exported in the state of its last event up to the sequence. Customers have no history, so they are shown as they are when
 * they are read, and those that changed since are counted. Deliveries may change after the moment, so they are shown likewise.
 */
import Type, { type Static, type TObject, type TProperties } from "typebox";
import { listPostings } from "../../../domain/accounts/internal/entries.sql.ts";
import { customerRows, searchCustomers } from "../../../domain/customers/customer.sql.ts";
import {
  LAST_ENDPOINT,
  listDeliveries,
} from "../../../domain/events/delivery-log/delivery-list.sql.ts";
import { listEvents } from "../../../domain/events/event-list.sql.ts";
import {
  lastToldOf,
  searchTransactions,
  transactionRows,
} from "../../../domain/payments/transactions/transaction.sql.ts";
import {
  type Transaction,
  type TransactionStatus,
  toTransactionId,
} from "../../../domain/payments/transactions/transaction.ts";
import {
  type ExportKind,
  hasPeopleForm,
  type SeenState,
} from "../../../domain/reading/exports/export.ts";
import type { ExportForm, ExportRows } from "../../../domain/reading/exports/export-rows.port.ts";
import { listRequestLogs } from "../../../domain/reading/request-logs/request-log.sql.ts";
import { idKinds } from "../../../domain/reading/search/find-id.sql.ts";
import type { Reads } from "../../../postgres/database.ts";
import { present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import type { Json, JsonObject } from "../../../std/json.ts";
import { customerJson } from "../../../wire/customers/customer.ts";
import { plainEventJson } from "../../../wire/events/event.ts";
import { deliveryJson } from "../../../wire/events/webhook-delivery.ts";
import { transactionJson } from "../../../wire/payments/transaction.ts";
import { csvLine } from "../../../wire/reading/csv.ts";
import { wirePosting } from "../../../wire/reading/ledger.ts";
import { wireRequestLog } from "../../../wire/reading/request-log.ts";
import { createdConditions } from "../../request/filters.ts";
import type { Services } from "../../request/services.ts";
import type { Seeker } from "../../search/seeker.ts";
import { balanceConditions, customerConditions, customerFilters } from "../customers/customers.ts";
import {
  deliveryFilters,
  deliveryPositionIn,
  deliveryPositionText,
  deliveryQueryOf,
} from "../events/deliveries.ts";
import { eventFilters, eventQueryOf } from "../events/events.ts";
import { unindexedConditions } from "../payments/transaction-search.ts";
import { conditionsOf, listedTransactionFilters } from "../payments/transactions.ts";
import { peopleHeading, peopleLines } from "./export-people.ts";
import { parsePostingId, postingFilters, postingQueryOf } from "./ledger.ts";
import { requestLogFilter, requestLogFilters } from "./request-logs.ts";

export type KindServices = Pick<Services, "reads" | "requestLogs">;

/** A page of an export: the rows after a position, in the form of the list operation. */
interface KindPage {
  readonly rows: readonly string[];
  readonly changed?: number;
  /** Undefined when there is no further row. */
  readonly next: string | undefined;
}

interface PageQuery {
  readonly seen: SeenState;
  readonly position: string | null;
}

export interface ExportSource {
  readonly filters: TObject;
  /** Members of a line, with dots between the names of nested ones. */
  readonly columns: readonly string[];
  /** Converts a row to its CSV lines, where that is not one line. */
  readonly linesOf?: (row: JsonObject) => readonly JsonObject[];
  /** Refuses a filter that the list operation refuses beyond its schema. */
  prepare(
    filter: JsonObject,
    platformId: string,
    services: KindServices,
  ): Promise<(query: PageQuery) => Promise<KindPage>>;
}

const ROWS_AT_ONCE = 500;

const ledger = defineSource({
  filters: postingFilters,
  columns: [
    "posting",
    "commandSeq",
    "line",
    "at",
    "reason",
    "accountId",
    "version",
    "amount.amount",
    "amount.currency",
    "balanceAfter.amount",
    "transactionId",
  ],
  linesOf: ({ legs }) => legs as unknown as readonly JsonObject[],
  prepare: async (filter, platformId, { reads }) => {
    const filters = postingQueryOf(filter);
    return async ({ seen, position: begin }) => {
      const after =
        begin === null ? { commandSeq: seen.commandSeq + 1n, posting: 0 } : parsePostingId(begin);
      const query = { platformId, ...filters, after, limit: ROWS_AT_ONCE };
      const { rows, hasMore, end } = await listPostings(reads, query);
      const last = rows.at(-1);
      const position = end ?? (last && `${last.commandSeq}.${last.posting}`);
      return { rows: rows.map(wirePosting.json), next: hasMore ? position : undefined };
    };
  },
});

const transactions = defineSource({
  filters: listedTransactionFilters,
  columns: [
    "id",
    "type",
    "status",
    "customerId",
    "platformCustomerId",
    "source.sourceType",
    "source.accountId",
    "source.umaAddress",
    "destination.destinationType",
    "destination.accountId",
    "destination.umaAddress",
    "sentAmount.amount",
    "sentAmount.currency.code",
    "receivedAmount.amount",
    "receivedAmount.currency.code",
    "exchangeRate",
    "fees",
    "paymentRail",
    "reference",
    "remittanceInformation",
    "reconciliationInstructions.reference",
    "quoteId",
    "agentId",
    "description",
    "counterpartTransactionId",
    "failureReason",
    "refund.status",
    "refund.reference",
    "metadata",
    "settledAt",
    "createdAt",
    "updatedAt",
  ],
  prepare: async ({ status, ...filter }, platformId, { reads }) => {
    const filters = await conditionsOf(exporter(reads, platformId), filter);
    const fits = unindexedConditions(filter);
    return async ({ seen, position }) => {
      const query = {
        platformId,
        conditions: [...filters, ...createdConditions(undefined, toIso(seen.asOf))],
        after: position ?? undefined,
        limit: ROWS_AT_ONCE,
        order: "asc",
      } as const;
      const page =
        fits.length === 0
          ? { ...(await transactionRows(reads, query)), end: undefined }
          : await searchTransactions(reads, { ...query, fits });
      const shown = await transactionsAt(page.rows, { seen, platformId, reads });
      // The status may have changed since, so it is compared here and not by the database.
      const wanted = shown.filter((each) => status === undefined || each.status === status);
      return {
        rows: wanted.map(({ json }) => json),
        next: page.hasMore ? (page.end ?? page.rows.at(-1)?.id) : undefined,
      };
    };
  },
});

/** Exports are made by callers who may see personal data. */
const exporter = (reads: Reads, platformId: string): Seeker => ({
  reads,
  platformId,
  withPersonal: true,
  allowed: idKinds,
});

interface ShownTransaction {
  readonly status: TransactionStatus;
  readonly json: string;
}

/** The transactions at this sequence; one that began after it is left out. */
async function transactionsAt(
  rows: readonly Transaction[],
  {
    seen,
    platformId,
    reads,
  }: { readonly seen: SeenState; readonly platformId: string } & Pick<Services, "reads">,
): Promise<readonly ShownTransaction[]> {
  const hasMoved = ({ updatedAt }: Transaction) => updatedAt >= seen.asOf;
  const ids = rows.filter(hasMoved).map(({ id }) => toTransactionId(id));
  const { eventSeq } = seen;
  const told =
    ids.length === 0 ? new Map() : await lastToldOf(reads, platformId, { ids, eventSeq });
  return rows.flatMap((row) => {
    const body: string | undefined = told.get(toTransactionId(row.id));
    if (body !== undefined) {
      const { data } = JSON.parse(body) as { readonly data: Pick<ShownTransaction, "status"> };
      return [{ status: data.status, json: JSON.stringify(data) }];
    }
    if (row.createdAt >= seen.asOf) return [];
    return [{ status: row.status, json: transactionJson(row, platformId) }];
  });
}

const customers = defineSource({
  filters: customerFilters,
  columns: [
    "id",
    "platformCustomerId",
    "customerType",
    "umaAddress",
    "region",
    "currencies",
    "email",
    "phoneNumber",
    "kycStatus",
    "kybStatus",
    "fullName",
    "birthDate",
    "nationality",
    "businessInfo.legalName",
    "businessInfo.taxId",
    "businessInfo.registrationNumber",
    "address.line1",
    "address.line2",
    "address.city",
    "address.state",
    "address.postalCode",
    "address.country",
    "metadata",
    "isDeleted",
    "createdAt",
    "updatedAt",
  ],
  prepare: async (filter, platformId, { reads }) => {
    const filters = await customerConditions(exporter(reads, platformId), filter);
    const fits = balanceConditions(filter);
    return async ({ seen, position }) => {
      const query = {
        platformId,
        conditions: [...filters, ...createdConditions(undefined, toIso(seen.asOf))],
        after: position ?? undefined,
        limit: ROWS_AT_ONCE,
        order: "asc",
      } as const;
      const { rows, hasMore, end } =
        fits.length === 0
          ? { ...(await customerRows(reads, query)), end: undefined }
          : await searchCustomers(reads, { ...query, fits });
      return {
        rows: rows.map(customerJson),
        changed: rows.filter(({ customer }) => customer.updatedAt > seen.asOf).length,
        next: hasMore ? (end ?? rows.at(-1)?.customer.id) : undefined,
      };
    };
  },
});

const events = defineSource({
  filters: eventFilters,
  columns: ["sequence", "id", "type", "timestamp", "resourceId", "data"],
  prepare: async ({ after, before, ...filter }, platformId, { reads }) => {
    const filters = eventQueryOf(filter);
    return async ({ seen, position }) => {
      const beyond = seen.eventSeq + 1n;
      const { rows, hasMore, end } = await listEvents(reads, {
        platformId,
        ...filters,
        after: position === null ? BigInt(after ?? 0) : BigInt(position),
        before: before === undefined || BigInt(before) > beyond ? beyond : BigInt(before),
        order: "asc",
        limit: ROWS_AT_ONCE,
      });
      return {
        rows: rows.map(plainEventJson),
        next: hasMore ? (end ?? rows.at(-1)?.seq.toString()) : undefined,
      };
    };
  },
});

/** The deliveries of the events up to the moment, each as it is when it is read. */
const deliveries = defineSource({
  filters: deliveryFilters,
  columns: [
    "id",
    "eventId",
    "eventSequence",
    "eventType",
    "resourceId",
    "endpointId",
    "state",
    "attempts",
    "attemptsComplete",
    "lastStatus",
    "lastError",
    "lastLatencyMs",
    "firstAttemptAt",
    "lastAttemptAt",
    "nextAttemptAt",
  ],
  prepare: async (filter, platformId, { reads }) => {
    const filters = await deliveryQueryOf(exporter(reads, platformId), filter);
    return async ({ seen, position }) => {
      const after =
        position === null
          ? { eventSeq: seen.eventSeq + 1n, endpointId: LAST_ENDPOINT }
          : deliveryPositionIn(position);
      const { rows, next } = await listDeliveries(reads, {
        ...filters,
        after,
        limit: ROWS_AT_ONCE,
      });
      return {
        rows: rows.map((row) => deliveryJson(platformId, row)),
        next: next && deliveryPositionText(next),
      };
    };
  },
});

/** Exports are not encrypted, and an idempotency key may hold anything, so calls cannot be exported by their key. */
const { idempotencyKey: _, ...callFilters } = requestLogFilters;

const calls = defineSource({
  filters: callFilters,
  columns: [
    "id",
    "createdAt",
    "method",
    "path",
    "operationId",
    "status",
    "errorCode",
    "durationMs",
    "requestBytes",
    "responseBytes",
    "tokenId",
    "agentId",
    "address",
    "requestId",
    "resourceId",
    "replayed",
    "sampledOneIn",
  ],
  prepare: async (filter, platformId, { reads, requestLogs }) => {
    const { walked, shown } = requestLogFilter(filter, platformId, requestLogs);
    return async ({ seen, position }) => {
      const { rows, hasMore, end } = await listRequestLogs(reads, {
        platformId,
        filter: { walked: [...walked, ...createdConditions(undefined, toIso(seen.asOf))], shown },
        after: position ?? undefined,
        limit: ROWS_AT_ONCE,
      });
      return {
        rows: rows.map(wireRequestLog.json),
        next: hasMore ? (end ?? rows.at(-1)?.id) : undefined,
      };
    };
  },
});

export const exportSources: Readonly<Record<ExportKind, ExportSource>> = {
  LEDGER: ledger,
  TRANSACTIONS: transactions,
  CUSTOMERS: customers,
  EVENTS: events,
  DELIVERIES: deliveries,
  REQUESTS: calls,
};

interface SourceSpec<Filters extends TProperties>
  extends Omit<ExportSource, "filters" | "prepare"> {
  readonly filters: Filters;
  prepare(
    filter: Static<TObject<Filters>>,
    platformId: string,
    services: KindServices,
  ): Promise<(query: PageQuery) => Promise<KindPage>>;
}

/** A filter that arrives in `prepare` has passed the schema. An unknown filter is refused, as a list refuses it. */
function defineSource<Filters extends TProperties>({
  filters,
  prepare,
  ...source
}: SourceSpec<Filters>): ExportSource {
  return {
    ...source,
    filters: Type.Object(filters, { additionalProperties: false }),
    prepare: (filter, platformId, services) =>
      prepare(filter as Static<TObject<Filters>>, platformId, services),
  };
}

export function createExportRows(services: KindServices): ExportRows {
  return {
    heading(form) {
      const people = peopleFormOf(form);
      if (people !== undefined) return peopleHeading(people);
      return form.format === "CSV" ? csvLine(exportSources[form.kind].columns) : "";
    },
    async next({ platformId, filter, seen, position, ...form }) {
      const source = exportSources[form.kind];
      const read = await source.prepare(filter, platformId, services);
      const { rows, changed = 0, next } = await read({ seen, position });
      const people = peopleFormOf(form);
      const text =
        people !== undefined
          ? await peopleLines(services.reads, platformId, { ...people, rows })
          : form.format === "CSV"
            ? rows.map((row) => csvOf(source, row)).join("")
            : rows.map((row) => `${row}\n`).join("");
      return { text, count: rows.length, changed, next };
    },
  };
}

/** Undefined for a file for programs. */
function peopleFormOf({ kind, audience, timeZone }: ExportForm) {
  return audience === "PEOPLE" && hasPeopleForm(kind)
    ? { kind, zone: present(timeZone, "the zone of a file for people") }
    : undefined;
}

function csvOf({ columns, linesOf }: ExportSource, row: string): string {
  const value = JSON.parse(row) as JsonObject;
  const lines = linesOf === undefined ? [value] : linesOf(value);
  return lines.map((line) => csvLine(columns.map((column) => cellOf(line, column)))).join("");
}

/** The text of a member: JSON for an object or an array, empty for an absent member. */
function cellOf(line: JsonObject, column: string): string {
  let value: Json | undefined = line;
  for (const name of column.split(".")) {
    value = (value as JsonObject | undefined)?.[name];
  }
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
