/**
 * Jobs of payments that connections carry: send an order, inquire about it, record the report. A commit marks an order as possibly sent
 * before it is sent. From then on the job inquires first, and sends the order again only under the same id, to the same connector, when
 * that connector has never received it.
 *
 * Bounds: the exchanges of a connection and of this process that are under way, and the payments that wait for one. If the process dies,
 * another run asks about the payment.
 */

import { platforms } from "../../domain/platform.ts";
import { toldCounts } from "../../domain/rails/books/reconciliation.sql.ts";
import { recordRailBalances } from "../../domain/rails/books/record-rail-balances.ts";
import { findConnection } from "../../domain/rails/connections/rail-connection.sql.ts";
import { isSentByJobs, railConnections } from "../../domain/rails/connections/rail-connection.ts";
import { recordRailDescription } from "../../domain/rails/connections/record-rail-description.ts";
import { ageRailItem } from "../../domain/rails/entries/age-rail-item.ts";
import { recordRailFeed } from "../../domain/rails/entries/record-rail-feed.ts";
import { expireRailMark } from "../../domain/rails/marks/decide-rail-mark.ts";
import { type Begun, beginRailExchange } from "../../domain/rails/orders/begin-rail-exchange.ts";
import type {
  ConnectorAnswer,
  ConnectorOrder,
  Connectors,
} from "../../domain/rails/orders/connector.port.ts";
import { CONCURRENCY_DEFAULT } from "../../domain/rails/orders/exchange-room.port.ts";
import { lapseRailPayment } from "../../domain/rails/orders/lapse-rail-payment.ts";
import { findCarried, waitingPayments } from "../../domain/rails/orders/rail-payment.sql.ts";
import { isOpen, type RailPayment, railPayments } from "../../domain/rails/orders/rail-payment.ts";
import { recordRecallAnswer } from "../../domain/rails/orders/recall-rail-payment.ts";
import {
  type Recorded,
  recordRailExchange,
  UNKNOWN_AFTER_MS,
} from "../../domain/rails/orders/record-rail-exchange.ts";
import { releaseRailQueue } from "../../domain/rails/orders/release-rail-queue.ts";
import { fallBackRailPayment } from "../../domain/rails/orders/reroute-rail-payment.ts";
import { releaseRailPull } from "../../domain/rails/returns/hold-collection.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import type { ExchangeSlots } from "./exchange-slots.ts";

export interface RailPaymentJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly connectors: Connectors;
}

const LONGEST_RETRY_MS = 10_000;
const DEGRADED_WAIT_MS = 60_000;

/** The pause before the next inquiry, by the time since the order was sent. After the last row: half an hour, without end. */
const LADDER: readonly (readonly [sinceMs: number, waitMs: number])[] = [
  [5_000, 5_000],
  [20_000, 15_000],
  [80_000, 60_000],
  [380_000, 300_000],
  [1_280_000, 900_000],
];
const LAST_WAIT_MS = 1_800_000;
/** The delay before another try when a time has not come, because the clocks of hosts differ. */
const TOO_EARLY_MS = 100;

export function railPaymentRunners(
  options: RailPaymentJobs & { readonly slots: ExchangeSlots },
): Pick<
  JobRunners,
  | "carry-rail-payment"
  | "cancel-rail-payment"
  | "fall-back-rail-payment"
  | "lapse-rail-payment"
  | "send-rail-queue"
  | "watch-rail-connection"
  | "read-rail-feed"
  | "age-rail-item"
  | "expire-rail-mark"
  | "release-rail-pull"
> {
  const tools: CarryTools = { ...options, taken: new WeakSet() };
  return {
    "carry-rail-payment": (job) => carry(job, tools),
    "cancel-rail-payment": (job) => cancel(job, tools),
    "fall-back-rail-payment": (job) => fallBack(job, tools),
    "lapse-rail-payment": (job) => lapse(job, tools),
    "send-rail-queue": (job) => sendQueue(job, tools),
    "watch-rail-connection": (job) => watch(job, tools),
    "read-rail-feed": (job) => readFeed(job, tools),
    "age-rail-item": (job) => age(job, tools),
    "expire-rail-mark": (job) => expire(job, tools),
    "release-rail-pull": (job) => release(job, tools),
  };
}

type CarryJob = JobOf<"carry-rail-payment">;

const DONE: JobResult = { kind: "done" };

interface CarryTools extends RailPaymentJobs {
  readonly slots: ExchangeSlots;
  /** The orders that this process took from memory: each is sent once without an inquiry. */
  readonly taken: WeakSet<RailPayment>;
}

async function carry(job: CarryJob, tools: CarryTools): Promise<JobResult> {
  const { platformId, payload } = job;
  const fresh = justAccepted(job, tools);
  const found =
    fresh ?? present(await findCarried(tools.reads, platformId, payload.paymentId), "a payment");
  const { payment, connection } = found;
  if (!isOpen(payment) || !isSentByJobs(connection)) return DONE;
  const isSent = payment.state !== "QUEUED";
  if (isSent && connection.status === "DEGRADED") return again(DEGRADED_WAIT_MS);
  const concurrency = connection.settings.concurrency ?? CONCURRENCY_DEFAULT;
  const order = { platformId, ...found };
  const ran = await tools.slots.run(
    { id: connection.id, concurrency },
    {
      async prepare() {
        if (fresh !== undefined) return { prepared: "send" as const };
        const step = isSent ? "inquire" : await begin(job, tools, order);
        return step === "stop" || step === "moved" ? { skip: step } : { prepared: step };
      },
      exchange: (step: "send" | "inquire") => ask(job, tools, { step, order }),
    },
  );
  if (!ran.hasRun) return again(ran.againInMs);
  const answer = ran.result;
  if (answer === "stop") return DONE;
  if (answer === "moved") return again(0);
  return record(job, { tools, order, answer });
}

/**
 * The order from the rows in memory, when the commit that scheduled this job marked it as possibly sent and this is the job's first run, so
 * that nothing was sent yet. A row may belong to a commit under way: an order that is marked, or a connection that is moved or paused in
 * it, takes the usual path.
 */
function justAccepted(
  { id, attempts, platformId, payload }: CarryJob,
  { engine, taken }: Pick<CarryTools, "engine" | "taken">,
): ConnectorOrder | undefined {
  if (attempts > 1) return undefined;
  const payment = engine.cached(platformId, railPayments.ref(payload.paymentId));
  if (payment?.state !== "SENDING" || payment.jobId !== id) return undefined;
  const connection = engine.cached(platformId, railConnections.ref(payment.connectionId));
  const platform = engine.cached(platformId, platforms.ref(platformId));
  if (connection?.status !== "ACTIVE" || platform === undefined) return undefined;
  if (connection.settings.baseUrl !== payment.sentTo || taken.has(payment)) return undefined;
  taken.add(payment);
  return { platformId, environment: platform.environment, connection, payment };
}

async function begin(
  job: CarryJob,
  { engine }: RailPaymentJobs,
  { payment, connection }: ConnectorOrder,
  isLost = false,
): Promise<Begun> {
  const begun = await submitForJob(engine, job, {
    command: beginRailExchange,
    input: {
      paymentId: payment.id,
      connectionId: connection.id,
      jobId: job.id,
      baseUrl: connection.settings.baseUrl,
      isLost,
    },
    tell: (step) => step,
  });
  return begun as Begun;
}

async function ask(
  job: CarryJob,
  tools: RailPaymentJobs,
  { step, order }: { readonly step: "send" | "inquire"; readonly order: ConnectorOrder },
): Promise<ConnectorAnswer> {
  const { connectors } = tools;
  if (step === "send") return connectors.submit(order);
  const answer = await connectors.inquire(order);
  const { state, sentTo } = order.payment;
  const isLost = answer.report?.status === "not-received";
  const mayBeSent = state === "QUEUED" || state === "SENDING" || state === "UNKNOWN";
  if (!isLost || !mayBeSent) return answer;
  const isSameConnector = sentTo === null || sentTo === order.connection.settings.baseUrl;
  // Another connector cannot know what the first one did with the order.
  if (!isSameConnector) return { ...answer, report: { ...answer.report, status: "conflict" } };
  return (await begin(job, tools, order, true)) === "send" ? connectors.submit(order) : answer;
}

async function record(
  job: CarryJob,
  {
    tools,
    order,
    answer,
  }: {
    readonly tools: RailPaymentJobs;
    readonly order: ConnectorOrder;
    readonly answer: ConnectorAnswer;
  },
): Promise<JobResult> {
  const { payment, connection } = order;
  const { outcome, report, askAgainInMs } = answer;
  const recorded = (await submitForJob(tools.engine, job, {
    command: recordRailExchange,
    input: { paymentId: payment.id, connectionId: connection.id, outcome, report },
    tell: (told) => told,
  })) as Recorded;
  if (recorded === "over") return DONE;
  const waitMs = askAgainInMs ?? nextLook(job, payment);
  return again(recorded === "wait" ? Math.max(waitMs, DEGRADED_WAIT_MS) : waitMs);
}

/** The pause before the next inquiry. It ends when a silent payment is due to be reported, so that the report is on time. */
function nextLook({ platformTime }: CarryJob, { sentAt, state }: RailPayment): number {
  const sinceMs = sentAt === null ? 0 : platformTime - sentAt;
  const waitMs = LADDER.find(([until]) => sinceMs < until)?.[1] ?? LAST_WAIT_MS;
  const isSilent = state === "QUEUED" || state === "SENDING";
  const untilTold = UNKNOWN_AFTER_MS - sinceMs;
  return isSilent && untilTold > 0 ? Math.min(waitMs, untilTold) : waitMs;
}

function again(inMs: number): JobResult {
  return { kind: "again", inMs };
}

/** Asks the connector to cancel a payment, again and again until it has answered. */
async function cancel(
  job: JobOf<"cancel-rail-payment">,
  { engine, reads, connectors }: RailPaymentJobs,
): Promise<JobResult> {
  const { platformId, payload, id: jobId } = job;
  const found = present(await findCarried(reads, platformId, payload.paymentId), "a payment");
  const { payment, connection } = found;
  if (connection.status === "DEGRADED") return again(DEGRADED_WAIT_MS);
  const isAsked = isOpen(payment) && isSentByJobs(connection);
  const answer = isAsked ? await connectors.cancel({ platformId, ...found }) : undefined;
  const isOver = await submitForJob(engine, job, {
    command: recordRecallAnswer,
    input: {
      paymentId: payment.id,
      connectionId: connection.id,
      jobId,
      outcome: answer?.outcome,
      report: answer?.report,
      isRefused: answer?.isRefused === true,
    },
    tell: (over) => (over ? "over" : ""),
  });
  return isOver === "over" ? DONE : again(DEGRADED_WAIT_MS);
}

async function fallBack(
  job: JobOf<"fall-back-rail-payment">,
  { engine }: RailPaymentJobs,
): Promise<JobResult> {
  await submitForJob(engine, job, {
    command: fallBackRailPayment,
    input: { ...job.payload, jobId: job.id },
  });
  return DONE;
}

async function lapse(
  job: JobOf<"lapse-rail-payment">,
  { engine }: RailPaymentJobs,
): Promise<JobResult> {
  const isOver = await submitForJob(engine, job, {
    command: lapseRailPayment,
    input: { ...job.payload, jobId: job.id },
    tell: (over) => (over ? "over" : ""),
  });
  return isOver === "over" ? DONE : again(TOO_EARLY_MS);
}

/** Reads a page of a connector's entries, and the next one when there is more. */
async function readFeed(
  job: JobOf<"read-rail-feed">,
  { engine, reads, connectors }: RailPaymentJobs,
): Promise<JobResult> {
  const { platformId, payload, id: jobId } = job;
  const { connectionId } = payload;
  const found = present(await findConnection(reads, platformId, connectionId), "a connection");
  const { connection, environment } = found;
  const isRead = connection.feedJobId === jobId;
  if (isRead && connection.status === "DEGRADED") return again(DEGRADED_WAIT_MS);
  const after = connection.feedCursor;
  const told = isRead
    ? await connectors.entries({ platformId, environment, connection }, after)
    : ({ outcome: { kind: "good" }, page: undefined } as const);
  const inMs = await submitForJob(engine, job, {
    command: recordRailFeed,
    input: { connectionId, jobId, after, ...told },
    tell: (next) => (next === undefined ? "" : String(next)),
  });
  if (inMs === "") return DONE;
  const { page } = told;
  const isAtEnd = page !== undefined && !("fault" in page) && !page.hasMore;
  if (isAtEnd) await readBalances(job, { engine, reads, connectors });
  return again(Number(inMs));
}

/**
 * Reads the balances of a connector whose feed was just read to its end, and the feed once more: when that has nothing new, the balances
 * cover exactly the entries read so far. Otherwise the next reading of the feed tries again.
 */
async function readBalances(
  job: JobOf<"read-rail-feed">,
  { engine, reads, connectors }: RailPaymentJobs,
): Promise<void> {
  const { platformId, payload, id: jobId } = job;
  const { connectionId } = payload;
  const counts = await toldCounts(reads, platformId, connectionId);
  const found = present(await findConnection(reads, platformId, connectionId), "a connection");
  const { connection, environment } = found;
  if (connection.feedJobId !== jobId || connection.status === "DEGRADED") return;
  const address = { platformId, environment, connection };
  const balances = await connectors.balances(address);
  if (balances === undefined) return;
  const { page } = await connectors.entries(address, connection.feedCursor);
  if (page === undefined || "fault" in page || page.hasMore) return;
  if (page.entries.length > 0 || page.refused.length > 0) return;
  await submitForJob(engine, job, {
    command: recordRailBalances,
    input: { connectionId, jobId, balances, toldCounts: counts },
  });
}

async function age(job: JobOf<"age-rail-item">, { engine }: RailPaymentJobs): Promise<JobResult> {
  await submitForJob(engine, job, {
    command: ageRailItem,
    input: { itemId: job.payload.itemId, jobId: job.id },
  });
  return DONE;
}

async function expire(
  job: JobOf<"expire-rail-mark">,
  { engine }: RailPaymentJobs,
): Promise<JobResult> {
  const isOver = await submitForJob(engine, job, {
    command: expireRailMark,
    input: { markId: job.payload.markId, jobId: job.id },
    tell: (over) => (over ? "over" : ""),
  });
  return isOver === "over" ? DONE : again(LONGEST_RETRY_MS);
}

async function release(
  job: JobOf<"release-rail-pull">,
  { engine }: RailPaymentJobs,
): Promise<JobResult> {
  const isOver = await submitForJob(engine, job, {
    command: releaseRailPull,
    input: { paymentId: job.payload.paymentId, jobId: job.id },
    tell: (over) => (over ? "over" : ""),
  });
  return isOver === "over" ? DONE : again(LONGEST_RETRY_MS);
}

/** Releases the queue page by page: a released payment is not found again. */
async function sendQueue(
  job: JobOf<"send-rail-queue">,
  { engine, reads }: RailPaymentJobs,
): Promise<JobResult> {
  const { platformId, payload, id: jobId } = job;
  const { connectionId } = payload;
  for (let mayBeMore = true; mayBeMore; ) {
    const paymentIds = await waitingPayments(reads, platformId, connectionId);
    const more = await submitForJob(engine, job, {
      command: releaseRailQueue,
      input: { connectionId, jobId, paymentIds },
      tell: (isMore) => (isMore ? "more" : ""),
    });
    mayBeMore = more === "more";
  }
  return DONE;
}

/** Reads the description of a connector; of a degraded connection this is the probe. */
async function watch(
  job: JobOf<"watch-rail-connection">,
  { engine, reads, connectors }: RailPaymentJobs,
): Promise<JobResult> {
  const { platformId, payload, id: jobId } = job;
  const { connectionId } = payload;
  const found = await findConnection(reads, platformId, connectionId);
  const { connection, environment } = present(found, "the connection of a job");
  const isRead = connection.watchJobId === jobId;
  const described = isRead
    ? await connectors.describe({ platformId, environment, connection })
    : ({ ok: false, reason: "" } as const);
  const inMs = await submitForJob(engine, job, {
    command: recordRailDescription,
    input: { connectionId, jobId, described },
    tell: (next) => (next === undefined ? "" : String(next)),
  });
  return inMs === "" ? DONE : again(Number(inMs));
}
