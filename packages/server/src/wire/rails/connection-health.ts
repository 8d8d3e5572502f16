/** The health of a rail connection, and the capabilities that its connector describes. */
import Type from "typebox";
import type { ConnectionHealth } from "../../domain/rails/connections/rail-connection.sql.ts";
import {
  type ConnectorFeatures,
  connectorFeatures,
  MOST_REFUSED_KEPT,
  MOST_UNKNOWN_KEPT,
  type RailConnection,
} from "../../domain/rails/connections/rail-connection.ts";
import { toIso } from "../../std/clock.ts";
import { DateTimeSchema, LedgerAmountSchema, ledgerAmount } from "../fields.ts";

const FEATURE_WORDS: Readonly<Record<keyof ConnectorFeatures, string>> = {
  cancel: "It can be asked to cancel an order.",
  feed: "It tells its entries page by page.",
  balance: "It tells its balances.",
  instructions: "It tells payment instructions.",
  settlesReturns: "Its report of a return is all that it tells of one; no entry follows.",
  invoices: "It makes and pays invoices on the layers of `settlement`.",
};

export const FeaturesSchema = Type.Object(
  Object.fromEntries(
    connectorFeatures.map((name) => [name, Type.Boolean({ description: FEATURE_WORDS[name] })]),
  ),
  {
    $id: "RailConnectorFeatures",
    description: "What the connector said last. Absent where it has not said so.",
  },
);

export const featuresExample: ConnectorFeatures = {
  cancel: true,
  feed: true,
  balance: true,
  instructions: false,
  settlesReturns: false,
  invoices: false,
};

const SuspenseSchema = Type.Object(
  {
    count: Type.Integer({ description: "Items that a person must resolve, as `openItems`." }),
    minor: Type.Optional(
      Type.Integer({
        description:
          "The balance of suspense in the smallest unit, with what orders give back until they have settled. Of connections with one currency; negative when more went out than came in.",
      }),
    ),
    balances: Type.Array(LedgerAmountSchema, {
      description: "The same by currency; a currency without an item ever is not there.",
    }),
  },
  { $id: "RailSuspense" },
);

const UnknownPaymentsSchema = Type.Object(
  {
    count: Type.Integer({
      description: "Callbacks about payments that are not this connection's.",
    }),
    latest: Type.Array(
      Type.Object({
        paymentId: Type.String({ description: "As the callback named it." }),
        status: Type.String(),
        reference: Type.Optional(Type.String({ description: "The `providerReference`." })),
        at: DateTimeSchema,
      }),
      { maxItems: MOST_UNKNOWN_KEPT, description: "The last of them, the latest first." },
    ),
  },
  { $id: "RailUnknownPayments" },
);

const RefusedEntriesSchema = Type.Object(
  {
    count: Type.Integer({ description: "Entries of the feed that could not be taken." }),
    latest: Type.Array(
      Type.Object({
        entryId: Type.Optional(Type.String({ description: "As the connector told it." })),
        message: Type.String(),
        at: DateTimeSchema,
      }),
      { maxItems: MOST_REFUSED_KEPT, description: "The last of them, the latest first." },
    ),
  },
  {
    $id: "RailRefusedEntries",
    description:
      "Absent while there was none. Nothing is booked of them; the connector tells each again, soundly, by a callback.",
  },
);

export const HealthSchema = Type.Object(
  {
    lastReportAt: Type.Optional(DateTimeSchema),
    lastImportAt: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "When entries or a balance of the account outside were last taken in, to ten seconds: typed in, by a callback, or by a page of the feed, also one without entries.",
      }),
    ),
    lastError: Type.Optional(
      Type.Object({ code: Type.String(), message: Type.String(), at: DateTimeSchema }),
    ),
    oldestUnknownAt: Type.Optional(DateTimeSchema),
    held: Type.Integer({ description: "Payments above the ceiling that wait for another token." }),
    queued: Type.Integer({ description: "Payments that were not sent; counted up to 10,000." }),
    sending: Type.Integer(),
    unknown: Type.Integer({ description: "Sent, and without a report for a minute or longer." }),
    awaited: Type.Integer({ description: "Sent or accepted, and not settled yet." }),
    conflicts: Type.Integer({ description: "Payments that a person must decide about." }),
    openItems: Type.Integer({ description: "Items in suspense that a person must resolve." }),
    waitingMarks: Type.Integer({ description: "Acts that another token must confirm." }),
    suspense: SuspenseSchema,
    unknownPayments: UnknownPaymentsSchema,
    refusedEntries: Type.Optional(RefusedEntriesSchema),
  },
  { $id: "RailConnectionHealth" },
);

export function healthJson(connection: RailConnection, health: ConnectionHealth) {
  const { lastReportAt, lastImportAt, lastError, unknownPayments, refusedEntries } = connection;
  const { oldestUnknownAt, held, queued, sending, unknown, awaited, conflicts } = health;
  return {
    ...(lastReportAt === null ? {} : { lastReportAt: toIso(lastReportAt) }),
    ...(lastImportAt === null ? {} : { lastImportAt: toIso(lastImportAt) }),
    ...(lastError === null ? {} : { lastError }),
    ...(oldestUnknownAt === null ? {} : { oldestUnknownAt: toIso(oldestUnknownAt) }),
    held,
    queued,
    sending,
    unknown,
    awaited,
    conflicts,
    openItems: health.openItems,
    waitingMarks: health.waitingMarks,
    suspense: suspenseJson(connection, health),
    unknownPayments,
    ...(refusedEntries.count === 0 ? {} : { refusedEntries }),
  };
}

function suspenseJson({ currencies }: RailConnection, { openItems, suspense }: ConnectionHealth) {
  const [only, ...others] = currencies;
  const minor = suspense.find(({ currency }) => currency === only)?.minor ?? 0n;
  return {
    count: openItems,
    ...(others.length === 0 ? { minor: Number(minor) } : {}),
    balances: suspense.map(({ currency, minor }) => ledgerAmount(minor, currency)),
  };
}

export const healthExample = {
  lastImportAt: "2026-11-21T10:00:00.000Z",
  held: 0,
  queued: 0,
  sending: 0,
  unknown: 0,
  awaited: 2,
  conflicts: 0,
  openItems: 1,
  waitingMarks: 0,
  suspense: { count: 1, minor: 12500, balances: [{ amount: "12500", currency: "USD" }] },
  unknownPayments: { count: 0, latest: [] },
};
