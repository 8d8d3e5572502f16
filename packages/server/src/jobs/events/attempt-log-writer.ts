/**
 * Writes the log of delivery attempts, and the health of endpoints that follows from them. No delivery waits for it.
 *
 * Each failure is logged. Of the successes of a platform all are logged up to a rate and one in twenty beyond it; the others still count
 * for their endpoint. A row is built only when it is written, so an attempt costs its delivery one object in an array.
 */
import { hostname } from "node:os";
import {
  addAttemptsDayStep,
  type LoggedAttempt,
  webhookAttempts,
} from "../../domain/events/delivery-log/attempt.sql.ts";
import {
  addHealthStep,
  addHoursStep,
  decodeLongFailing,
  type FailingEndpoint,
} from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import { followQueue, type QueueEnd, type QueueFollower } from "../../followers/follow-queue.ts";
import { commitWithoutWaiting, type FollowTools } from "../../followers/follower.ts";
import type { Step } from "../../postgres/pipeline.ts";
import { dayOf } from "../../std/clock.ts";
import { groupBy } from "../../std/group.ts";
import { randomIds } from "../../std/ids.ts";
import type { AttemptLog } from "../../webhooks/attempt-log.ts";
import { type PostAnswer, SEQUENCE_HEADER } from "../../webhooks/post-event.ts";
import { createRateThinning, type RateThinning } from "../prices/rate-thinning.ts";
import { type EndedAttempt, tallyAttempts } from "./attempt-tallies.ts";
import { bodyText, headersText } from "./attempt-texts.ts";

export interface AttemptLogWriter extends AttemptLog, QueueEnd {}

interface WriterOptions extends FollowTools {
  /** Called when all attempts at an endpoint, other than the default one, have failed for five days; again at each failure. */
  readonly onLongFailing: (endpoint: FailingEndpoint) => void;
}

interface HeldAttempt extends EndedAttempt {
  readonly eventId: string;
  readonly number: number;
  /** Its own number, for an event that went in a batch. */
  readonly sequence: bigint | undefined;
  /** Undefined for a success that is counted without a row in the log. */
  readonly answer: PostAnswer | undefined;
}

/** Estimated memory of an attempt without its body and headers. */
const ATTEMPT_BYTES = 512;
const MAX_PLATFORMS = 10_000;

export function createAttemptLogWriter(options: WriterOptions): AttemptLogWriter {
  const isThinned = successThinning();
  const toRows = rowMaker();
  let daysThere: readonly string[] = [];
  const follower: QueueFollower<HeldAttempt> = {
    name: "delivery log",
    bytesOf,
    async apply(lane, attempts) {
      const days = [
        ...new Set(attempts.flatMap(({ answer }) => (answer ? dayOf(answer.beganAt) : []))),
      ];
      const newDays = days.filter((day) => !daysThere.includes(day));
      // Forgotten until the write succeeds: a partition that was dropped elsewhere, or lost in a restore, is created at the next try.
      const known = daysThere;
      daysThere = [];
      // Partitions are created in a commit of their own: attaching one locks out other writers until the commit ends.
      if (newDays.length > 0) await lane.run(...newDays.map(addAttemptsDayStep));
      const { hours, news } = tallyAttempts(attempts);
      const told = [...toRows(attempts), addHoursStep(hours), addHealthStep(news)];
      const health = await lane.run(commitWithoutWaiting, ...told);
      daysThere = days.length === 0 ? known : days;
      for (const endpoint of decodeLongFailing(health)) options.onLongFailing(endpoint);
    },
  };
  const queue = followQueue(follower, options);

  return {
    add({ key, target, eventId, number, isDelivered, answer, ofBatch }) {
      if (!queue.hasRoom()) return;
      const { beganAt, endedAt, status } = answer;
      queue.add({
        key,
        setting: target.setting,
        clockOffsetMs: target.clockOffsetMs,
        eventId,
        number,
        isDelivered,
        hasAnswer: status !== undefined,
        isFirstOfRequest: ofBatch?.isFirst ?? true,
        sequence: ofBatch?.sequence,
        endedAt,
        // The host's clock may go back.
        totalMs: Math.max(0, endedAt - beganAt),
        answer: isDelivered && isThinned(key.platformId, endedAt) ? undefined : answer,
      });
    },
    flush: queue.flush,
    dropped: queue.dropped,
    close: queue.close,
  };
}

/** Whether a success is only counted: beyond a rate for each platform, one logged success represents several. */
function successThinning(): (platformId: string, at: number) => boolean {
  const platforms = new Map<string, { readonly rate: RateThinning; skipped: number }>();
  return (platformId, at) => {
    let platform = platforms.get(platformId);
    if (platform === undefined) {
      if (platforms.size >= MAX_PLATFORMS) platforms.clear();
      platform = { rate: createRateThinning(), skipped: 0 };
      platforms.set(platformId, platform);
    }
    platform.skipped = (platform.skipped + 1) % platform.rate(at);
    return platform.skipped > 0;
  };
}

/** Texts count with two bytes a character. */
function bytesOf({ answer }: HeldAttempt): number {
  if (answer === undefined) return ATTEMPT_BYTES;
  const { body, requestHeaders, responseHeaders = {} } = answer;
  let chars = body.length;
  for (const value of Object.values(requestHeaders)) chars += value.length;
  for (const value of Object.values(responseHeaders)) chars += value.length;
  return 2 * ATTEMPT_BYTES + 2 * chars;
}

function durationOf(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.max(0, ms);
}

/** A batch names the numbers of all its events; the row of an event keeps its own alone. */
function ownHeaders(headers: PostAnswer["requestHeaders"], sequence: bigint | undefined) {
  return sequence === undefined ? headers : { ...headers, [SEQUENCE_HEADER]: sequence.toString() };
}

function rowMaker() {
  const ids = randomIds();
  const server = hostname();

  function rowOf(attempt: HeldAttempt, answer: PostAnswer): LoggedAttempt {
    const { key, eventId, clockOffsetMs, number, sequence, isDelivered, totalMs } = attempt;
    const { beganAt, times, requestHeaders, responseHeaders, status, failure, body } = answer;
    return {
      endpointId: key.endpointId,
      eventId,
      id: ids.next(beganAt),
      at: beganAt,
      clockOffsetMs: BigInt(clockOffsetMs),
      number,
      isDelivered,
      status: status ?? null,
      error: failure ?? null,
      connectMs: durationOf(times.connectMs),
      firstByteMs: durationOf(times.firstByteMs),
      totalMs,
      requestHeaders: headersText(ownHeaders(requestHeaders, sequence)),
      responseHeaders: responseHeaders === undefined ? null : headersText(responseHeaders),
      responseBody: status === undefined ? null : bodyText(body),
      server,
    };
  }

  return (attempts: readonly HeldAttempt[]): readonly Step[] =>
    [...groupBy(attempts, ({ key }) => key.platformId)].map(([platformId, own]) => {
      const rows = own.flatMap((attempt) => (attempt.answer ? rowOf(attempt, attempt.answer) : []));
      return webhookAttempts.insertStep(platformId, rows);
    });
}
