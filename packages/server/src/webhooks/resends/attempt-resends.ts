/**
 * Attempts of events that are sent again: claim → call → record. If the endpoint has a parked row of the event, the claim leases it as a
 * retry does, so that no retry attempts it at the same time. An event without a row was accepted before.
 *
 * A parked event that is not accepted waits for its next retry; one that was given up stays given up. If the process dies, the leases
 * expire and the attempts are repeated.
 */
import {
  endRetriesStep,
  type FailedRetry,
  postponeRetriesStep,
  releaseNextStep,
} from "../../domain/events/delivery.sql.ts";
import {
  type Outage,
  setDownStep,
  setUpStep,
  stopEndpointStep,
} from "../../domain/events/endpoint-state.sql.ts";
import {
  type ClaimedResend,
  claimEventsStep,
  decodeClaimedResends,
  noteGivenUpStep,
  type ResendLease,
} from "../../domain/events/resends/resend.sql.ts";
import {
  bookkeepingSettings,
  type DeliveryTarget,
  decodeTarget,
  lockStreamStep,
  targetStep,
} from "../../domain/events/stream.sql.ts";
import type { Step } from "../../postgres/pipeline.ts";
import { attemptEvents } from "../attempt-events.ts";
import { takeBatch } from "../batches.ts";
import type { DeliveryContext } from "../delivery-context.ts";
import type { PostAnswer, Verdict } from "../post-event.ts";

export interface Claimed {
  /** Undefined when the endpoint takes no events. */
  readonly target: DeliveryTarget | undefined;
  readonly events: readonly ClaimedResend[];
}

export async function claimResends(
  { books }: DeliveryContext,
  lease: ResendLease,
  which: { readonly seqs: readonly bigint[]; readonly withTaken: boolean },
): Promise<Claimed> {
  const [, , target, claimed] = await books.run([
    bookkeepingSettings,
    lockStreamStep(lease),
    targetStep(lease, lease.now),
    claimEventsStep(lease, which),
  ]);
  return { target: decodeTarget(target), events: decodeClaimedResends(claimed) };
}

export interface Outcome {
  readonly event: ClaimedResend;
  readonly answer: PostAnswer;
  readonly verdict: Verdict;
}

/** Sends these events, side by side or in batches; never rejects. */
export async function postResends(
  context: DeliveryContext,
  { lease, target }: { readonly lease: ResendLease; readonly target: DeliveryTarget },
  events: readonly ClaimedResend[],
): Promise<readonly Outcome[]> {
  const requests: (readonly ClaimedResend[])[] = [];
  for (let left = events; left.length > 0; left = left.slice(requests.at(-1)?.length)) {
    requests.push(takeBatch(left, target.batch?.maxEvents ?? 1).events);
  }
  const posts = requests.map((own) => postRequest(context, { lease, target }, own));
  return (await Promise.all(posts)).flat();
}

async function postRequest(
  context: DeliveryContext,
  { lease, target }: { readonly lease: ResendLease; readonly target: DeliveryTarget },
  events: readonly ClaimedResend[],
): Promise<readonly Outcome[]> {
  const { counts, room } = context;
  room.take(events.length);
  const { answer, verdicts } = await attemptEvents(context, {
    key: lease,
    target,
    events,
    use: "resend",
    failuresOf: ({ parked }) => (parked?.attempts ?? 0) + 1,
  });
  room.give(events.length);
  return events.flatMap((event, place) => {
    const verdict = verdicts[place];
    if (verdict?.state === "DELIVERED") counts.delivered++;
    return verdict === undefined ? [] : { event, answer, verdict };
  });
}

/** Records the outcomes of those events that are parked. */
export function outcomeSteps(lease: ResendLease, outcomes: readonly Outcome[]): readonly Step[] {
  const parked = outcomes.filter(({ event }) => event.parked !== undefined);
  const taken = parked.filter(({ verdict }) => verdict.state === "DELIVERED");
  const retried = parked.flatMap((outcome) => failedRetry(outcome) ?? []);
  const givenUp = parked.filter(
    ({ event, verdict }) => event.parked?.state === "FAILED" && verdict.state !== "DELIVERED",
  );
  const steps: Step[] = [];
  if (taken.length > 0) {
    steps.push(
      endRetriesStep(
        lease,
        taken.map(({ event }) => event),
      ),
    );
  }
  if (retried.length > 0) steps.push(postponeRetriesStep(lease, retried));
  if (givenUp.length > 0) {
    const noted = givenUp.map(({ event, answer }) => ({
      seq: event.seq,
      attemptsBefore: event.parked?.attempts ?? 0,
      outcome: answer.outcome,
    }));
    steps.push(noteGivenUpStep(lease, noted));
  }
  if (parked.length > 0) {
    const subjects = parked.map(({ event }) => event.subject);
    steps.push(releaseNextStep(lease, { subjects, now: lease.now }));
  }
  return steps;
}

/** For a parked event that is not given up yet: it stays on its retry schedule. */
function failedRetry({ event, answer, verdict }: Outcome): FailedRetry | undefined {
  if (event.parked?.state !== "WAITING" || verdict.state === "DELIVERED") return undefined;
  const { state, nextAt } = verdict;
  const attemptsBefore = event.parked.attempts;
  const { seq, id } = event;
  const { outcome, status } = answer;
  return { seq, id, attemptsBefore, state, nextAt, outcome, status };
}

/** The state of the endpoint that follows from the answers. */
export interface EndpointVerdict {
  readonly isGone: boolean;
  readonly outage: Outage | undefined;
  readonly isUp: boolean;
}

export function judgeEndpoint(
  { health }: DeliveryContext,
  lease: ResendLease,
  { target, outcomes }: { readonly target: DeliveryTarget; readonly outcomes: readonly Outcome[] },
): EndpointVerdict {
  let outage: Outage | undefined;
  for (const { event, answer } of outcomes) {
    outage = health.judge(lease, target, { sequence: event.seq, answer }) ?? outage;
  }
  const hasAnswered = outcomes.some(({ answer }) => !answer.isUnreachable);
  return {
    isGone: outcomes.some(({ verdict }) => verdict.isGone),
    outage: hasAnswered ? undefined : outage,
    isUp: target.down !== undefined && hasAnswered,
  };
}

export function endpointSteps(
  lease: ResendLease,
  { target, isGone, outage, isUp }: EndpointVerdict & { readonly target: DeliveryTarget },
): readonly Step[] {
  const steps: Step[] = [];
  if (isGone) steps.push(stopEndpointStep(lease, target, lease.now));
  if (outage !== undefined) steps.push(setDownStep(lease, outage, lease.now));
  else if (isUp) steps.push(setUpStep(lease));
  return steps;
}
