/** The timeline of a transaction: one list of all that is recorded about it. */
import Type from "typebox";
import { toDeliveryId, toEndpointId } from "../../domain/events/delivery-id.ts";
import type { Delivery } from "../../domain/events/delivery-log/delivery-state.sql.ts";
import type { Transaction } from "../../domain/payments/transactions/transaction.ts";
import type { TimelineFacts } from "../../domain/reading/timeline.sql.ts";
import type { StoredEvent } from "../../engine/command-log.ts";
import type { StoredEntry } from "../../ledger/postings.ts";
import { toIso } from "../../std/clock.ts";
import { groupBy } from "../../std/group.ts";
import { toWireId } from "../../std/ids.ts";
import { DeliverySummarySchema } from "../events/webhook-delivery.ts";
import { DateTimeSchema, LedgerAmountSchema } from "../fields.ts";
import { storyMembers } from "./timeline-story.ts";
import { transactionExample } from "./transaction.ts";

const MAX_ROWS = 500;

const kinds = [
  "CREATED",
  "STATUS",
  "POSTING",
  "JOB",
  "EVENT",
  "DELIVERY",
  "APPROVAL",
  "REFUND",
] as const;

type Kind = (typeof kinds)[number];

const TimelineEntrySchema = Type.Object(
  {
    at: DateTimeSchema,
    kind: Type.Enum([...kinds], {
      description:
        "`CREATED`: the transaction. `STATUS`: it has this status from now on. `POSTING`: money was moved. `JOB`: a worker " +
        "recorded something, such as the answer of a rail. `EVENT`: the platform was told. `DELIVERY`: the last attempt to deliver " +
        "an event to an endpoint. `APPROVAL`: the platform was asked, or has decided. `REFUND`: money is on its way back, or is back.",
    }),
    commandSeq: Type.Optional(
      Type.Integer({ minimum: 1, description: "The command that did it." }),
    ),
    actor: Type.Optional(
      Type.String({ description: "On whose behalf: `token:`, `agent:`, `link:`, `worker:` …" }),
    ),
    command: Type.Optional(Type.String({ description: "The name of the command." })),
    status: Type.Optional(
      Type.String({ description: "Of the transaction, the delivery, the approval or the refund." }),
    ),
    reason: Type.Optional(Type.String()),
    posting: Type.Optional(Type.String({ description: "`<commandSeq>.<n>`" })),
    legs: Type.Optional(
      Type.Array(
        Type.Object({
          accountId: Type.String({ description: "`LedgerAccount:<uuid>`" }),
          amount: LedgerAmountSchema,
        }),
      ),
    ),
    eventId: Type.Optional(Type.String()),
    eventType: Type.Optional(Type.String()),
    sequence: Type.Optional(Type.Integer({ minimum: 1 })),
    attempts: Type.Optional(Type.Integer({ minimum: 0 })),
    deliveryId: Type.Optional(Type.String({ description: "`WebhookDelivery:<uuid>.<uuid>`" })),
    endpointId: Type.Optional(Type.String({ description: "`WebhookEndpoint:<uuid>`" })),
    nextAttemptAt: Type.Optional(DateTimeSchema),
    deliverySummary: Type.Optional(DeliverySummarySchema),
  },
  { $id: "TimelineEntry" },
);

export const TimelineSchema = Type.Object(
  {
    entries: Type.Array(TimelineEntrySchema, { maxItems: MAX_ROWS, description: "Oldest first." }),
    isComplete: Type.Boolean({ description: "Whether these are all." }),
    ...storyMembers,
  },
  { $id: "Timeline" },
);

interface Row {
  readonly at: number;
  readonly kind: Kind;
  readonly commandSeq?: bigint;
  readonly rest: object;
}

/** `story`: what `expand=parties` adds. */
export function timelineJson(
  transaction: Transaction,
  {
    platformId,
    story,
    ...facts
  }: TimelineFacts & {
    readonly platformId: string;
    readonly story?: object | undefined;
  },
): string {
  const rows = [
    created(transaction, facts),
    ...facts.commands.flatMap(({ seq }) => rowsOfCommand(seq, facts)),
    ...facts.deliveries.flatMap((delivery) => deliveryRows(delivery, platformId)),
    ...approvals(facts),
    ...refunds(transaction),
  ];
  // The sort is stable, so the rows of one command stay in their order.
  const sorted = rows.toSorted((one, other) => one.at - other.at);
  const entries = sorted.slice(0, MAX_ROWS).map(({ at, kind, commandSeq, rest }) => ({
    at: toIso(at),
    kind,
    ...(commandSeq === undefined ? {} : { commandSeq: Number(commandSeq) }),
    ...rest,
  }));
  const isComplete = facts.isComplete && sorted.length <= MAX_ROWS;
  return JSON.stringify({ entries, isComplete, ...story });
}

function row(kind: Kind, at: number, rest: object, commandSeq?: bigint): Row {
  return { kind, at, rest, ...(commandSeq === undefined ? {} : { commandSeq }) };
}

function created(transaction: Transaction, { commands }: TimelineFacts): Row {
  const [first] = commands;
  const isItsCommand = first !== undefined && first.at === transaction.createdAt;
  const by = isItsCommand ? { actor: first.actor, command: first.name } : {};
  return row("CREATED", transaction.createdAt, by, isItsCommand ? first.seq : undefined);
}

/** The rows of one command, in this order: what a worker recorded, the money that moved, the new status, the events. */
function rowsOfCommand(seq: bigint, facts: TimelineFacts): readonly Row[] {
  const command = facts.commands.find((one) => one.seq === seq);
  const isWorker = command?.actor.startsWith("worker") === true;
  const events = facts.events.filter(({ commandSeq }) => commandSeq === seq);
  return [
    ...(command !== undefined && isWorker
      ? [row("JOB", command.at, { command: command.name, actor: command.actor }, seq)]
      : []),
    ...postings(facts.entries.filter(({ commandSeq }) => commandSeq === seq)),
    ...events.flatMap((event) => [...statusChange(event, facts.events), toldEvent(event, facts)]),
  ];
}

function postings(entries: readonly StoredEntry[]): readonly Row[] {
  const byPosting = groupBy(entries, ({ posting }) => posting);
  return [...byPosting].flatMap(([posting, legs]) => {
    const [first] = legs;
    if (first === undefined) return [];
    const { at, reason, commandSeq } = first;
    const told = legs.map(({ accountId, amountMinor, currency }) => ({
      accountId: toWireId("LedgerAccount", accountId),
      amount: { amount: String(amountMinor), currency },
    }));
    return [
      row("POSTING", at, { posting: `${commandSeq}.${posting}`, reason, legs: told }, commandSeq),
    ];
  });
}

interface Told {
  readonly status?: string;
  readonly failureReason?: string;
}

/** The transaction as it is in an event. */
function told({ body }: StoredEvent): Told {
  return (JSON.parse(body) as { readonly data: Told }).data;
}

function statusChange(event: StoredEvent, all: readonly StoredEvent[]): readonly Row[] {
  const before = all[all.indexOf(event) - 1];
  const { status, failureReason } = told(event);
  if (status === undefined || (before !== undefined && told(before).status === status)) return [];
  const why = failureReason === undefined ? {} : { reason: failureReason };
  return [row("STATUS", event.at, { status, ...why }, event.commandSeq)];
}

function toldEvent(
  { id, type, seq, at, commandSeq }: StoredEvent,
  { deliveries }: Pick<TimelineFacts, "deliveries">,
): Row {
  const own = deliveries.filter(({ eventSeq }) => eventSeq === seq);
  const rest = {
    eventId: toWireId("Webhook", id),
    eventType: type,
    sequence: Number(seq),
    ...(own.length === 0 ? {} : { deliverySummary: summaryOf(own) }),
  };
  return row("EVENT", at, rest, commandSeq);
}

function summaryOf(deliveries: readonly Delivery[]) {
  const delivered = deliveries.filter(({ state }) => state === "DELIVERED").length;
  const failed = deliveries.filter(({ state }) => state === "FAILED").length;
  const endpoints = deliveries.length;
  return { endpoints, delivered, waiting: endpoints - delivered - failed, failed };
}

/** No row when no attempt is known: none was made yet, or the log does not have it. */
function deliveryRows(delivery: Delivery, platformId: string): readonly Row[] {
  const { lastAttemptAt, nextAttemptAt, parkedAt, lastStatus, lastError } = delivery;
  const at = lastAttemptAt ?? (delivery.attempts > 0 ? parkedAt : null);
  if (at === null) return [];
  const answered = lastStatus === null ? undefined : `answered ${lastStatus}`;
  const reason = delivery.state === "DELIVERED" ? undefined : (lastError ?? answered);
  return [
    row("DELIVERY", at, {
      eventId: toWireId("Webhook", delivery.eventId),
      eventType: delivery.eventType,
      sequence: Number(delivery.eventSeq),
      deliveryId: toDeliveryId(platformId, delivery),
      endpointId: toEndpointId(platformId, delivery.endpointId),
      status: delivery.state,
      attempts: delivery.attempts,
      ...(reason === undefined ? {} : { reason }),
      ...(nextAttemptAt === null ? {} : { nextAttemptAt: toIso(nextAttemptAt) }),
    }),
  ];
}

function approvals({ approval, events }: TimelineFacts): readonly Row[] {
  if (approval === undefined) return [];
  const asked = events.find(({ seq }) => seq === approval.eventSeq);
  const { decision, decidedAt, reason } = approval;
  return [
    ...(asked === undefined
      ? []
      : [row("APPROVAL", asked.at, { status: "PENDING" }, asked.commandSeq)]),
    ...(decision === null || decidedAt === null
      ? []
      : [row("APPROVAL", decidedAt, { status: decision, ...(reason === null ? {} : { reason }) })]),
  ];
}

function refunds({ refund }: Transaction): readonly Row[] {
  if (refund === null) return [];
  const { initiatedAt, settledAt, status, reason } = refund;
  return [
    row("REFUND", Date.parse(initiatedAt), { status: "PENDING", reason }),
    ...(settledAt === undefined ? [] : [row("REFUND", Date.parse(settledAt), { status, reason })]),
  ];
}

export const timelineExample = {
  entries: [
    {
      at: transactionExample.createdAt,
      kind: "CREATED",
      commandSeq: 17,
      actor: "token:019a4f00-0000-7000-8000-000000000009",
      command: "transfer-out",
    },
    { at: transactionExample.createdAt, kind: "STATUS", commandSeq: 17, status: "PENDING" },
    {
      at: transactionExample.createdAt,
      kind: "EVENT",
      commandSeq: 17,
      eventId: "Webhook:019a4f00-0000-7000-8000-000000000005",
      eventType: "OUTGOING_PAYMENT.PENDING",
      sequence: 42,
    },
  ],
  isComplete: true,
};
