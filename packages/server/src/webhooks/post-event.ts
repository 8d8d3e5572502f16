/**
 * One attempt: signs the event's bytes as they are stored and posts them. Every outcome, a failure too, is returned as an answer; only
 * the first bytes of the receiver's own text are read.
 *
 * Bounds: the deadline of the whole exchange, the bytes read, the opened keys kept in memory.
 */
import { createHash, KeyObject } from "node:crypto";
import {
  afterAttempt,
  isRetried,
  isTaken,
  retryDelayMs,
} from "../domain/events/delivery-schedule.ts";
import {
  NEXT_SIGNATURE_HEADER,
  SIGNATURE_HEADER,
  signBody,
  toSigningKey,
} from "../domain/events/signature.ts";
import { standardHeaders } from "../domain/events/standard-webhooks.ts";
import {
  DEFAULT_ENDPOINT,
  type DeliveryTarget,
  keyText,
  type QueuedEvent,
  type StreamKey,
} from "../domain/events/stream.sql.ts";
import { endpointKeyIdentity } from "../domain/events/webhook-endpoint.ts";
import { webhookKeyIdentity } from "../domain/platform.ts";
import type { ExchangeTimes, OutboundClient } from "../outside/outbound-http/outbound-client.ts";
import {
  type FailedReason,
  OutboundFailed,
  OutboundRefused,
} from "../outside/outbound-http/outbound-errors.ts";
import { failureInWords } from "../outside/outbound-http/outbound-words.ts";
import type { Sealer } from "../secrets/sealing.ts";
import { assert, present } from "../std/assert.ts";
import type { Clock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import { toWireId } from "../std/ids.ts";
import type { Log } from "../std/log.ts";
import { runTraced } from "../std/tracing/trace.ts";

export const ATTEMPT_DEADLINE_MS = 15_000;

/** The bound for the process. Each question has a connection of its own, because its deadline leaves no time to wait for others. */
export const QUESTIONS_AT_ONCE = 2_048;
/** The bound for one platform. */
export const FIRST_ATTEMPTS_AT_ONCE = 64;

export const SEQUENCE_HEADER = "X-Event-Sequence";
const COUNT_HEADER = "X-Event-Count";

const MAX_ANSWER_BYTES = 16_384;
const KEYS_KEPT = 1_024;
const MAX_OUTCOME_LENGTH = 200;

/** A reset connection is not one of them: the receiver may have reset it because of this event. */
const UNREACHABLE: readonly FailedReason[] = ["timeout", "dns", "connect", "tls"];

export interface PosterOptions {
  readonly outbound: Pick<OutboundClient, "post">;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether webhooks of this environment may target this machine. */
  readonly allowsLoopback: (environment: DeliveryTarget["environment"]) => boolean;
  /** The trace of the call that caused an event, while it is known. */
  readonly traceOf?: (platformId: string, sequence: bigint) => string | undefined;
}

export interface WebhookCall {
  readonly key: StreamKey;
  readonly target: DeliveryTarget;
  /** The id of the event. */
  readonly id: string;
  /** Undefined for an event that is none of the platform's own. */
  readonly sequence: bigint | undefined;
  readonly body: string;
  /** The sequences of all events, when the body holds a batch; `id` and `sequence` are those of the first. */
  readonly batch?: readonly bigint[];
  /** Calls of different uses share no connections: retries that hang do not keep first attempts waiting. */
  readonly use: "first" | "again" | "resend" | "test" | "ask";
  /** The deadline of the whole exchange; `ATTEMPT_DEADLINE_MS` when absent. */
  readonly deadlineMs?: number;
  /** Called with the status before the body was read. */
  readonly onStatus?: (status: number) => void;
}

type Headers = Readonly<Record<string, string>>;

export interface PostAnswer {
  /** Host time. */
  readonly beganAt: number;
  readonly endedAt: number;
  readonly times: Readonly<ExchangeTimes>;
  readonly requestHeaders: Headers;
  /** Undefined when there was no head of an answer. */
  readonly responseHeaders: Headers | undefined;
  /** Undefined when there was no head of an answer. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** The result in a few words, for the log and the row of the delivery. */
  readonly outcome: string;
  /** The failure as a sentence for the platform; undefined when there was an answer. */
  readonly failure?: string;
  readonly body: string;
  /** Whether `body` is the whole body of the answer. */
  readonly bodyComplete: boolean;
  /** Several events went in one request, or one to an endpoint that takes several. */
  readonly isBatch: boolean;
  /** Nothing was heard until the deadline. */
  readonly isSilent: boolean;
  /** No connection could be made, or no answer came: maybe the endpoint is down, and not this event refused. */
  readonly isUnreachable: boolean;
}

export interface EventPoster {
  /** Never rejects. */
  post(call: WebhookCall): Promise<PostAnswer>;
}

/** The connection limit of uses with more concurrent calls than the client's usual number; undefined for that number. */
const CONNECTIONS: Readonly<Record<WebhookCall["use"], number | undefined>> = {
  first: FIRST_ATTEMPTS_AT_ONCE,
  again: undefined,
  resend: undefined,
  test: undefined,
  ask: QUESTIONS_AT_ONCE,
};

export function createEventPoster(options: PosterOptions): EventPoster {
  const { outbound, clock, log, allowsLoopback } = options;
  const secretOf = signingSecrets(options.sealer);
  // The events of a batch come from several calls, so it belongs to no trace.
  const traceOf = ({ key, sequence, batch }: WebhookCall) =>
    sequence === undefined || batch !== undefined
      ? undefined
      : options.traceOf?.(key.platformId, sequence);
  return {
    async post(call) {
      const { target, onStatus, deadlineMs = ATTEMPT_DEADLINE_MS } = call;
      const beganAt = clock.now();
      const times: ExchangeTimes = { connectMs: undefined, firstByteMs: undefined };
      let requestHeaders: Headers = fixedHeaders();
      try {
        const body = Buffer.from(call.body, "utf8");
        requestHeaders = headersFor(call, secretOf, { body, at: beganAt });
        const request = {
          url: target.endpoint,
          headers: requestHeaders,
          body,
          deadlineMs,
          maxAnswerBytes: MAX_ANSWER_BYTES,
          allowLoopback: allowsLoopback(target.environment),
          allowed: undefined,
          owner: `${keyText(call.key)} ${call.use}`,
          times,
          connections: CONNECTIONS[call.use],
          onStatus,
        };
        const { status, headers, ...answer } = await runTraced(traceOf(call), () =>
          outbound.post(request),
        );
        return {
          beganAt,
          endedAt: clock.now(),
          times,
          requestHeaders,
          responseHeaders: headers,
          status,
          retryAfter: headers["retry-after"],
          outcome: `answered ${status}`,
          body: answer.body,
          bodyComplete: answer.bodyComplete,
          isBatch: call.batch !== undefined,
          isSilent: false,
          isUnreachable: false,
        };
      } catch (error) {
        const sent = { beganAt, endedAt: clock.now(), times, requestHeaders };
        return { ...sent, ...failedAnswer(error, { call, deadlineMs, log }) };
      }
    },
  };
}

/** The result of an attempt without the head of an answer. */
function failedAnswer(
  error: unknown,
  {
    call: { key, target, batch },
    deadlineMs,
    log,
  }: { readonly call: WebhookCall; readonly deadlineMs: number; readonly log: Log },
) {
  const isExpected = error instanceof OutboundFailed || error instanceof OutboundRefused;
  const outcome = messageOf(error).slice(0, MAX_OUTCOME_LENGTH);
  if (!isExpected) log.error({ err: outcome, platform: key.platformId }, "an event was not sent");
  return {
    responseHeaders: undefined,
    status: undefined,
    retryAfter: undefined,
    outcome,
    failure: failureInWords(error, target.endpoint, deadlineMs),
    body: "",
    bodyComplete: false,
    isBatch: batch !== undefined,
    isSilent: error instanceof OutboundFailed && error.reason === "timeout",
    isUnreachable:
      error instanceof OutboundRefused ||
      (error instanceof OutboundFailed && UNREACHABLE.includes(error.reason)),
  };
}

function fixedHeaders(): Record<string, string> {
  return { "Content-Type": "application/json", "User-Agent": "Florin-Webhooks/1" };
}

/** `at` is the host's time. */
interface Signed {
  readonly body: Buffer;
  readonly at: number;
}

/** Members are set one by one: copies of objects with absent members take slow paths of V8, for each event. */
function headersFor(
  { key, target, id, sequence, batch, use }: WebhookCall,
  secretOf: SecretOf,
  { body, at }: Signed,
): Headers {
  const headers = fixedHeaders();
  const keys = signingKeys(target, at + target.clockOffsetMs);
  const secrets = keys.map((one) => secretOf(key, one));
  if (target.signature === "P256") {
    const [current, next] = secrets.filter(isPrivateKey);
    headers[SIGNATURE_HEADER] = signBody(present(current, "a signing key"), body);
    if (next !== undefined) headers[NEXT_SIGNATURE_HEADER] = signBody(next, body);
  } else {
    const messageId = batch === undefined ? toWireId("Webhook", id) : batchId(body);
    const message = { id: messageId, at, body };
    Object.assign(headers, standardHeaders(secrets.filter(isShared), message));
  }
  const keyId = keys[0]?.keyId;
  if (keyId !== undefined) headers["X-Service-Key-Id"] = keyId;
  if (batch !== undefined) {
    headers[SEQUENCE_HEADER] = batch.join(",");
    headers[COUNT_HEADER] = batch.length.toString();
  } else if (sequence !== undefined) {
    headers[SEQUENCE_HEADER] = sequence.toString();
  }
  if (use === "resend") headers["X-Redelivery"] = "true";
  return headers;
}

/** The same events in the same order have the same id; other ones never do. */
function batchId(body: Buffer): string {
  return `WebhookBatch:${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
}

type SealedKey = Pick<DeliveryTarget, "secretSealed" | "signature" | "keyId">;

/** The key that is valid at this time of the platform, and the one that takes over later. */
function signingKeys(target: DeliveryTarget, at: number): readonly SealedKey[] {
  const { next, signature } = target;
  if (next === undefined) return [target];
  const successor = { ...next, signature };
  return next.from <= at ? [successor] : [target, successor];
}

/** A private key, or the secret of Standard Webhooks. */
type SigningSecret = KeyObject | Buffer;
type SecretOf = (of: StreamKey, key: SealedKey) => SigningSecret;

const isPrivateKey = (secret: SigningSecret): secret is KeyObject => secret instanceof KeyObject;
const isShared = (secret: SigningSecret): secret is Buffer => !isPrivateKey(secret);

/** Opens each sealed secret once; the one opened longest ago is forgotten first. */
function signingSecrets(sealer: Sealer): SecretOf {
  const secrets = new Map<string, SigningSecret>();
  return ({ platformId, endpointId }, { secretSealed, signature, keyId }) => {
    const known = secrets.get(secretSealed);
    if (known !== undefined) return known;
    const identity =
      endpointId === DEFAULT_ENDPOINT
        ? webhookKeyIdentity(platformId)
        : endpointKeyIdentity(platformId, present(keyId, "the id of an endpoint's key"));
    const bytes = sealer.open(secretSealed, identity);
    const secret = signature === "P256" ? toSigningKey(bytes) : bytes;
    const [oldest] = secrets.keys();
    if (oldest !== undefined && secrets.size >= KEYS_KEPT) secrets.delete(oldest);
    secrets.set(secretSealed, secret);
    return secret;
  };
}

/** The keys that platforms sign with, opened once each like those of endpoints. */
export function platformSigningKeys(sealer: Sealer) {
  const secretOf = signingSecrets(sealer);
  return (platformId: string, secretSealed: string): KeyObject => {
    const key = secretOf(
      { platformId, endpointId: DEFAULT_ENDPOINT },
      { secretSealed, signature: "P256", keyId: undefined },
    );
    assert(key instanceof KeyObject, "a platform signs with a P-256 key");
    return key;
  };
}

/** What an attempt means for its event. `isGone`: the endpoint answered 410. */
export type Verdict =
  | { readonly state: "DELIVERED"; readonly isGone: false; readonly nextAt: null }
  | { readonly state: "WAITING"; readonly isGone: boolean; readonly nextAt: number }
  | { readonly state: "FAILED"; readonly isGone: boolean; readonly nextAt: null };

const DELIVERED: Verdict = { state: "DELIVERED", isGone: false, nextAt: null };

/** `failures` includes this attempt, if it fails; `chance` is a random number from 0 to 1. */
export function judgeAnswer(
  event: QueuedEvent,
  answer: PostAnswer,
  {
    failures,
    clockOffsetMs,
    chance,
  }: { readonly failures: number; readonly clockOffsetMs: number; readonly chance: number },
): Verdict {
  if (isTaken(answer)) return DELIVERED;
  const next = afterAttempt({
    eventType: event.type,
    eventAt: event.at - clockOffsetMs,
    attemptedAt: answer.endedAt,
    failures,
    chance,
    outcome: answer,
  });
  switch (next.state) {
    case "DELIVERED":
      return DELIVERED;
    case "RETRY":
      return { state: "WAITING", isGone: false, nextAt: next.dueAt };
    case "FAILED":
      return { state: "FAILED", isGone: false, nextAt: null };
    case "ENDPOINT_GONE": {
      if (!isRetried(event.type)) {
        return { state: "FAILED", isGone: true, nextAt: null };
      }
      const nextAt = answer.endedAt + retryDelayMs(failures, chance);
      return { state: "WAITING", isGone: true, nextAt };
    }
  }
}
