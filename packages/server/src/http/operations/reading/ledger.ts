import Type, { type Static } from "typebox";
import {
  findPosting,
  listEntries,
  listPostings as loadPostings,
} from "../../../domain/accounts/internal/entries.sql.ts";
import { type KindSum, sumsAt } from "../../../domain/reading/ledger/balances.sql.ts";
import {
  findLedgerAccount,
  listLedgerAccounts as loadLedgerAccounts,
} from "../../../domain/reading/ledger/ledger-accounts.sql.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { assert, present } from "../../../std/assert.ts";
import { toIso } from "../../../std/clock.ts";
import { dateTimeParameter } from "../../../wire/fields.ts";
import { customerIdParameter, idField, pathId } from "../../../wire/id-fields.ts";
import { queryId, requireId } from "../../../wire/ids.ts";
import { csvLine } from "../../../wire/reading/csv.ts";
import {
  KindBalanceSchema,
  kindBalancesExample,
  LedgerEntrySchema,
  ledgerEntryExample,
  ledgerEntryJson,
  toKindBalance,
  wireLedgerAccount,
  wirePosting,
} from "../../../wire/reading/ledger.ts";
import { asMoment, currencyParameter, momentsOf } from "../../request/filters.ts";
import { answerPage } from "../../request/list.ts";
import { shown, uncountedPageOf } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { pageParameters } from "../../request/paging.ts";
import { platformTime } from "../../request/platform-time.ts";
import type { Services } from "../../request/services.ts";

const listLedgerAccounts = defineOperation({
  id: "listLedgerAccounts",
  ...route("GET /ledger/accounts", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "List ledger accounts",
  query: Type.Object({
    kind: Type.Optional(
      Type.String({
        pattern: "^[a-z][a-z-]{0,39}$",
        description: "`internal`, or a kind of system account.",
        examples: ["in-flight"],
      }),
    ),
    currency: currencyParameter,
    internalAccountId: Type.Optional(idField("InternalAccount")),
    customerId: customerIdParameter("The accounts of a customer."),
    connectionId: Type.Optional(idField("RailConnection")),
    ...pageParameters,
  }),
  answers: {
    200: uncountedPageOf(
      wireLedgerAccount,
      "By id. A system account comes into being with its first entry.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listLedgerAccounts",
      principal,
      query,
      load: (page) =>
        loadLedgerAccounts(services.reads, {
          ...page,
          kind: query.kind,
          currency: query.currency,
          internalAccountId: queryId("InternalAccount", query.internalAccountId),
          customerId: queryId("Customer", query.customerId),
          connectionId: queryId("RailConnection", query.connectionId),
        }),
      positionOf: ({ id }) => id,
      toJson: wireLedgerAccount.json,
    }),
});

const reasonParameter = Type.Optional(
  Type.String({
    pattern: "^[a-z][a-z.-]{0,39}$",
    description: "Why money was moved.",
    examples: ["payout.settle"],
  }),
);

const listLedgerEntries = defineOperation({
  id: "listLedgerEntries",
  ...route("GET /ledger/accounts/{ledgerAccountId}/entries", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "List ledger entries",
  description: "The entries of one ledger account.",
  params: Type.Object({ ledgerAccountId: pathId("LedgerAccount") }),
  query: Type.Object({
    since: dateTimeParameter("Entries of this time or later."),
    until: dateTimeParameter("Entries of this time or earlier."),
    reason: reasonParameter,
    sortOrder: Type.Optional(Type.Enum(["asc", "desc"], { default: "desc" })),
    ...pageParameters,
  }),
  answers: {
    200: uncountedPageOf(
      { schema: LedgerEntrySchema, example: ledgerEntryExample },
      "By `version`, the latest first unless `sortOrder` says otherwise. A page that is filtered by a reason is searched in 20,000 " +
        "entries: it may hold fewer rows than `limit`, or none, while `hasMore` is true.",
    ),
  },
  refusals: ["INVALID_INPUT", "LEDGER_ACCOUNT_NOT_FOUND"],
  async handle({ principal, params, query }, services: Services) {
    const { reads } = services;
    const id = requireId("LedgerAccount", params.ledgerAccountId, "LEDGER_ACCOUNT_NOT_FOUND");
    const account = await findLedgerAccount(reads, principal.platformId, id);
    if (account === undefined) throw new Refusal("LEDGER_ACCOUNT_NOT_FOUND");
    return answerPage(services, {
      operationId: `listLedgerEntries ${id}`,
      principal,
      query,
      load: (page) =>
        listEntries(reads, {
          ...page,
          ...momentsOf(query),
          accountId: id,
          reason: query.reason,
          order: query.sortOrder ?? "desc",
        }),
      positionOf: ({ version }) => String(version),
      toJson: ledgerEntryJson,
    });
  },
});

export const postingFilters = {
  accountId: Type.Optional(
    idField("LedgerAccount", { description: "With a leg on this account." }),
  ),
  reason: reasonParameter,
  transactionId: Type.Optional(
    idField("Transaction", { description: "Of commands that told of this transaction." }),
  ),
  since: dateTimeParameter("Of this time or later."),
  until: dateTimeParameter("Of this time or earlier."),
};

const Filters = Type.Object(postingFilters);

const listPostings = defineOperation({
  id: "listPostings",
  ...route("GET /ledger/postings", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "List postings",
  query: Type.Object({ ...postingFilters, ...pageParameters }),
  answers: {
    200: uncountedPageOf(
      wirePosting,
      "The latest first, with all their legs. A page that is filtered by a frequent reason is searched in 20,000 entries: it may " +
        "hold fewer rows than `limit`, or none, while `hasMore` is true.",
    ),
  },
  refusals: ["INVALID_INPUT"],
  handle: async ({ principal, query }, services: Services) =>
    answerPage(services, {
      operationId: "listPostings",
      principal,
      query,
      load: ({ platformId, after, limit }) =>
        loadPostings(services.reads, {
          platformId,
          limit,
          ...postingQueryOf(query),
          after: after === undefined ? undefined : present(parsePostingId(after), "a posting"),
        }),
      positionOf: ({ commandSeq, posting }) => `${commandSeq}.${posting}`,
      toJson: wirePosting.json,
    }),
});

export function postingQueryOf({
  accountId,
  reason,
  transactionId,
  ...moments
}: Static<typeof Filters>) {
  return {
    accountId: queryId("LedgerAccount", accountId),
    reason,
    transactionId,
    ...momentsOf(moments),
  };
}

const getPosting = defineOperation({
  id: "getPosting",
  ...route("GET /ledger/postings/{posting}", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "Get a posting",
  params: Type.Object({
    posting: Type.String({ description: "`<commandSeq>.<n>`", examples: ["17.0"] }),
  }),
  answers: {
    200: shown(wirePosting, "The posting."),
  },
  refusals: ["POSTING_NOT_FOUND"],
  async handle({ principal: { platformId }, params }, { reads }: Services) {
    const place = parsePostingId(params.posting);
    const posting = place && (await findPosting(reads, platformId, place));
    if (posting === undefined) throw new Refusal("POSTING_NOT_FOUND");
    return { status: 200, body: wirePosting.json(posting) };
  },
});

const POSTING = /^([1-9][0-9]{0,17})\.(0|[1-9][0-9]{0,8})$/;

export function parsePostingId(text: string) {
  const [, commandSeq, posting] = POSTING.exec(text) ?? [];
  if (commandSeq === undefined) return undefined;
  return { commandSeq: BigInt(commandSeq), posting: Number(posting) };
}

const getLedgerBalances = defineOperation({
  id: "getLedgerBalances",
  ...route("GET /ledger/balances", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "Get ledger balances",
  description: "What the accounts of each kind hold.",
  query: Type.Object({ at: dateTimeParameter("At the end of this moment; now without it.") }),
  answers: {
    200: {
      description:
        "By currency and kind, added up from the entries. In each currency they sum to zero.",
      schema: Type.Object({
        commandSeq: Type.Integer({ minimum: 0, description: "The last command that is in them." }),
        balances: Type.Array(KindBalanceSchema),
      }),
      example: { commandSeq: 17, balances: kindBalancesExample },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, { reads }: Services) {
    const at = query.at === undefined ? undefined : asMoment(query.at);
    const { commandSeq, sums } = await sumsAt(reads, platformId, at);
    const balances = sums.map(toKindBalance);
    return { status: 200, body: JSON.stringify({ commandSeq: Number(commandSeq), balances }) };
  },
});

const DAY_MS = 86_400_000;

const getTrialBalance = defineOperation({
  id: "getTrialBalance",
  ...route("GET /ledger/trial-balance", "VIEW", "ledger.read"),
  tag: "Ledger",
  summary: "Get a trial balance",
  description:
    "At the end of the day in UTC, or at this moment for today. With `format=CSV` the answer is `text/csv`, a line for each " +
    "kind and currency: `date,kind,currency,debit,credit`. Money that an account has is its credit, what it owes is its debit.",
  query: Type.Object({
    date: Type.Optional(
      Type.String({ format: "date", description: "Today without it.", examples: ["2026-11-21"] }),
    ),
    format: Type.Optional(Type.Enum(["JSON", "CSV"], { default: "JSON" })),
  }),
  answers: {
    200: {
      description: "By currency and kind. In each currency they sum to zero.",
      schema: Type.Object({
        date: Type.String({ format: "date" }),
        commandSeq: Type.Integer({ minimum: 0, description: "The last command that is in it." }),
        lines: Type.Array(KindBalanceSchema),
      }),
      csv: "date,kind,currency,debit,credit\r\n2026-11-21,in-flight,USD,0,1500\r\n",
      example: { date: "2026-11-21", commandSeq: 17, lines: kindBalancesExample },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal: { platformId }, query }, services: Services) {
    const today = toIso(await platformTime(services, platformId)).slice(0, 10);
    const { date = today, format } = query;
    if (date > today) throw invalidField("date", `must not be after today, ${today}`);
    const until = new Date(Date.parse(`${date}T00:00:00.000Z`) + DAY_MS - 1).toISOString();
    const { commandSeq, sums } = await sumsAt(services.reads, platformId, until);
    assertBalanced(sums);
    if (format === "CSV") {
      const lines = [HEAD, ...sums.map((sum) => csvLine(cellsOf(date, sum)))];
      return {
        status: 200,
        contentType: "text/csv; charset=utf-8",
        body: Buffer.from(lines.join("")),
      };
    }
    const lines = sums.map(toKindBalance);
    const answer = { date, commandSeq: Number(commandSeq), lines };
    return { status: 200, body: JSON.stringify(answer) };
  },
});

const HEAD = csvLine(["date", "kind", "currency", "debit", "credit"]);

function cellsOf(date: string, { kind, currency, minor }: KindSum): readonly string[] {
  const [debit, credit] = minor < 0n ? [String(-minor), "0"] : ["0", String(minor)];
  return [date, kind, currency, debit, credit];
}

/** Fails instead of answering figures when the books do not balance. */
function assertBalanced(sums: readonly KindSum[]): void {
  const totals = new Map<string, bigint>();
  for (const { currency, minor } of sums) {
    totals.set(currency, (totals.get(currency) ?? 0n) + minor);
  }
  for (const total of totals.values()) assert(total === 0n, "I-2: a trial balance sums to zero");
}

export const ledgerOperations = [
  listLedgerAccounts,
  listLedgerEntries,
  listPostings,
  getPosting,
  getLedgerBalances,
  getTrialBalance,
];
