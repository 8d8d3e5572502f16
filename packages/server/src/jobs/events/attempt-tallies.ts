/** Sums up the attempts at each endpoint: counts by the hour, and the failures since the last success. */
import {
  type HealthNews,
  type HourTally,
  LATENCY_PLACES,
  latencyPlace,
} from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import { keyText, type StreamKey } from "../../domain/events/stream.sql.ts";
import { toIso } from "../../std/clock.ts";

export interface EndedAttempt {
  readonly key: StreamKey;
  readonly setting: bigint;
  readonly isDelivered: boolean;
  readonly hasAnswer: boolean;
  /** Of the events of one request, one counts as its failure. */
  readonly isFirstOfRequest: boolean;
  /** Host time. */
  readonly endedAt: number;
  /** Platform time minus host time. */
  readonly clockOffsetMs: number;
  readonly totalMs: number;
}

const HOUR_MS = 3_600_000;

/** `attempts` are in the order in which they ended. */
export function tallyAttempts(attempts: readonly EndedAttempt[]) {
  const hours = new Map<string, HourTally>();
  const news = new Map<string, HealthNews>();
  for (const attempt of attempts) {
    addToHour(hours, attempt);
    addToNews(news, attempt);
  }
  return { hours: [...hours.values()], news: [...news.values()] };
}

function addToHour(hours: Map<string, HourTally>, attempt: EndedAttempt): void {
  const { key, endedAt, totalMs, isDelivered, hasAnswer } = attempt;
  const hour = endedAt - (endedAt % HOUR_MS);
  const place = `${keyText(key)} ${hour}`;
  let tally = hours.get(place);
  if (tally === undefined) {
    const latencies = new Array<number>(LATENCY_PLACES).fill(0);
    tally = { ...key, hour: toIso(hour), attempts: 0, delivered: 0, latencies };
    hours.set(place, tally);
  }
  tally.attempts += 1;
  if (isDelivered) tally.delivered += 1;
  const bucket = latencyPlace(totalMs);
  if (hasAnswer) tally.latencies[bucket] = (tally.latencies[bucket] ?? 0) + 1;
}

/** An attempt at an earlier setting of an endpoint says nothing about the one it has now. */
function addToNews(all: Map<string, HealthNews>, attempt: EndedAttempt): void {
  const { key, setting, endedAt, clockOffsetMs, isDelivered, isFirstOfRequest } = attempt;
  const place = keyText(key);
  let news = all.get(place);
  if (news !== undefined && BigInt(news.setting) > setting) return;
  if (news === undefined || BigInt(news.setting) < setting) {
    const nothing = { lastSuccess: null, lastFailure: null, failingSince: null, failures: 0 };
    news = { ...key, setting: String(setting), ...nothing };
    all.set(place, news);
  }
  const at = toIso(endedAt + clockOffsetMs);
  if (isDelivered) {
    news.lastSuccess = at;
    news.failingSince = null;
    news.failures = 0;
  } else {
    news.lastFailure = at;
    news.failingSince ??= at;
    if (isFirstOfRequest) news.failures += 1;
  }
}
