/**
 * The request pipeline of one operation: authentication, authorisation, path and query, body, idempotency key, the
 * operation, its answer. Everything before the operation is synchronous unless credentials or the body must be awaited,
 * or a faulty request needs a read to name its faults. Every error becomes an answer here. No state of a request
 * outlives its answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isAuditedOfTokens } from "../../domain/people/role.ts";
import type { RequestLog } from "../../domain/reading/request-logs/request-log.port.ts";
import type { Idempotency } from "../../engine/command.ts";
import type { Clock } from "../../std/clock.ts";
import { type RunningSpan, startSpan } from "../../std/tracing/spans.ts";
import { runTraced, traceparentOf } from "../../std/tracing/trace.ts";
import type { IgnoredField } from "../../validation/ignored-fields.ts";
import type { ParsedBody } from "../../validation/json-body.ts";
import {
  type CompileSchema,
  type Faults,
  joinFaults,
  refuse,
} from "../../validation/validation.ts";
import { actOf } from "../auth/act.ts";
import type { Entrance } from "../auth/entrance.ts";
import { dryRunFaults, isDryRun, tryingOut } from "../dry-run/dry-run.ts";
import { type Capture, createCapture, type SentBody } from "../request-log/capture.ts";
import type { CallLog } from "../server/call-log.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import {
  type ErrorAnswer,
  toAnswerOfThrown,
  withRequestId,
  withRetryAfter,
} from "../server/errors.ts";
import type { FailureLog } from "../server/failure-log.ts";
import type { GuestLimiter } from "../server/guest-limiter.ts";
import type { Metrics, RequestMetrics } from "../server/metrics.ts";
import type { Sender } from "../server/send.ts";
import { type BodyLimits, readBody, shouldCloseConnection } from "../upload/body.ts";
import { createIncomingForm, type FormLimits, type FormNote } from "../upload/form.ts";
import type { FormSlots } from "../upload/form-slots.ts";
import { boundaryOf } from "../upload/multipart.ts";
import { keyFaults, pathScope, toIdempotency } from "./idempotency.ts";
import { createInput, type OperationInput } from "./input.ts";
import {
  type Caller,
  isAgent,
  isPerson,
  isReady,
  isStreamed,
  type Operation,
  type OperationAnswer,
  type OperationRequest,
  type StreamedAnswer,
  takesKey,
  versionPath,
} from "./operation.ts";
import { judgeIgnored } from "./preference.ts";

export interface RouteTools<C> {
  readonly context: C;
  readonly addressOf: CallerAddress;
  readonly guests: GuestLimiter;
  readonly sender: Sender;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly failureLog: FailureLog;
  readonly callLog: CallLog;
  readonly requestLog: RequestLog;
  readonly bodyLimits: BodyLimits;
  readonly formLimits: FormLimits;
  readonly formSlots: FormSlots;
  readonly compile: CompileSchema;
}

export interface Route<C> {
  compile(): void;
  start(arrival: IncomingRequest, entrance: Entrance<C>): void;
}

export interface IncomingRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  /** The platform that the path names, in the console. */
  readonly platform?: string | undefined;
}

/** The parts of an operation that all its requests share. */
interface Parts<C> {
  readonly operation: Operation<C>;
  readonly tools: RouteTools<C>;
  readonly input: OperationInput<C>;
  readonly figures: RequestMetrics;
  readonly capture: Capture;
  readonly scopeOf: (params: Readonly<Record<string, string>>) => string;
  readonly isPublic: boolean;
  readonly takesKey: boolean;
  /** Whether the acts of tokens get an audit entry. */
  readonly auditsTokens: boolean;
}

interface Exchange<C> extends IncomingRequest {
  readonly parts: Parts<C>;
  readonly entrance: Entrance<C>;
  readonly startedAt: number;
  /** The trace context of the request. */
  readonly traceparent: string | undefined;
  readonly span: RunningSpan | undefined;
  principal: Caller | undefined;
  checkedParams: Readonly<Record<string, string>>;
  query: unknown;
  /** The command of the request is decided and undone. */
  isDryRun: boolean;
  /** The parsed body, with its length. */
  sentBody: SentBody | undefined;
  /** Faults found before the body; they are reported together with those of the body. */
  faults: Faults | undefined;
  /** Headers of the answer that come from the request alone; names and values in turn. */
  notes: readonly string[];
}

export function createRoute<C>(operation: Operation<C>, tools: RouteTools<C>): Route<C> {
  const isPublic = operation.access === "PUBLIC";
  const parts: Parts<C> = {
    operation,
    tools,
    input: createInput(operation, tools.compile),
    figures: tools.metrics.requests(operation.id),
    capture: createCapture(operation, tools),
    scopeOf: pathScope(operation.method, operation.path),
    isPublic,
    takesKey: takesKey(operation),
    auditsTokens: auditsTokens(operation),
  };
  const spanOf = {
    name: operation.id,
    kind: "server",
    attributes: {
      "http.request.method": operation.method,
      "http.route": versionPath + operation.path,
    },
  } as const;
  return {
    compile: parts.input.compile,
    start({ raw, response, params, requestId, platform }, entrance) {
      const arrived = traceparentOf(raw.headers.traceparent);
      const span = startSpan({ ...spanOf, parent: arrived });
      authenticate({
        raw,
        response,
        params,
        requestId,
        platform,
        parts,
        entrance,
        startedAt: tools.clock.now(),
        traceparent: span?.traceparent ?? arrived,
        span,
        principal: undefined,
        checkedParams: NO_PARAMS,
        query: undefined,
        isDryRun: false,
        sentBody: undefined,
        faults: undefined,
        notes: NO_NOTES,
      });
    },
  };
}

function auditsTokens<C>({ method, capability, auditsTokens }: Operation<C>): boolean {
  if (auditsTokens === true) return true;
  return method !== "GET" && capability !== undefined && isAuditedOfTokens(capability);
}

const NO_NOTES: readonly string[] = Object.freeze([]);
const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

function authenticate<C>(exchange: Exchange<C>): void {
  const { parts } = exchange;
  if (parts.isPublic) {
    const refused = parts.tools.guests.admit(exchange.raw);
    if (refused === undefined) admit(exchange, undefined);
    else refuseUnauthenticated(exchange, refused);
    return;
  }
  const { entrance } = exchange;
  const known = entrance.cached(exchange, parts.operation);
  if (known !== undefined) {
    admit(exchange, known);
    return;
  }
  entrance.verify(exchange, parts.operation).then(
    (caller) => admit(exchange, caller),
    (thrown: unknown) => fail(exchange, thrown),
  );
}

/**
 * Authenticates again after the body arrived. Credentials that were revoked meanwhile are refused as if they had never
 * been valid.
 */
async function reauthenticate<C>(exchange: Exchange<C>): Promise<void> {
  const { entrance, parts } = exchange;
  const { operation } = parts;
  const caller =
    entrance.cached(exchange, operation) ?? (await entrance.verify(exchange, operation));
  entrance.refuseUnlessAllowed(operation, caller);
  exchange.principal = caller;
}

function admit<C>(exchange: Exchange<C>, principal: Caller | undefined): void {
  const { raw, parts, entrance } = exchange;
  const { operation, tools, input } = parts;
  try {
    if (principal === undefined) entrance.refuseForeign(raw);
    else {
      entrance.refuseUnlessAllowed(operation, principal);
      entrance.refuseOverRate(principal);
    }
    exchange.principal = principal;
    const { params, query, faults } = input.address(exchange.params, raw.url ?? "");
    exchange.checkedParams = params;
    exchange.query = query;
    const key = parts.takesKey ? raw.headers["idempotency-key"] : undefined;
    exchange.isDryRun = isDryRun(operation, query);
    exchange.faults = joinFaults(faults, dryRunFaults(exchange.isDryRun, key) ?? keyFaults(key));
    if (operation.form !== undefined && principal !== undefined) {
      // The operation of a form starts before the form is read, so its path must be valid first.
      if (faults !== undefined) refuse(faults);
      runWithForm(exchange, principal, operation.form);
      return;
    }
    const readsBytes = operation.readsBytes === true;
    if (!input.takesBody && !readsBytes) {
      run(exchange, undefined);
      return;
    }
    input.refuseOtherKind(raw.headers);
    const { maxBodyBytes: bytes } = operation;
    const reading = {
      limits: bytes === undefined ? tools.bodyLimits : { ...tools.bodyLimits, bytes },
      platform: principal?.platformId ?? UNAUTHENTICATED_KEY,
    };
    readBody(raw, reading, (thrown, bytes) => {
      if (thrown !== undefined) fail(exchange, thrown);
      else if (readsBytes) runWithBytes(exchange, bytes);
      else if (parts.isPublic || arrivedInTime(exchange)) runWithBody(exchange, bytes);
      else {
        return reauthenticate(exchange).then(
          () => runWithBody(exchange, bytes),
          (refused: unknown) => fail(exchange, refused),
        );
      }
      return undefined;
    });
  } catch (thrown) {
    fail(exchange, thrown);
  }
}

/** The key under which bodies of unauthenticated callers share memory. */
const UNAUTHENTICATED_KEY = "";

/** When a body takes longer than this, its credentials are checked again. */
const REAUTHENTICATE_AFTER_MS = 100;

function arrivedInTime<C>({ parts, startedAt }: Exchange<C>): boolean {
  return parts.tools.clock.now() - startedAt < REAUTHENTICATE_AFTER_MS;
}

function runWithBody<C>(exchange: Exchange<C>, bytes: Buffer): void {
  try {
    const parsed = exchange.parts.input.parse(bytes);
    if (parsed !== undefined) exchange.sentBody = { value: parsed.value, bytes: bytes.length };
    run(exchange, parsed);
  } catch (thrown) {
    fail(exchange, thrown);
  }
}

function runWithBytes<C>(exchange: Exchange<C>, bytes: Buffer): void {
  try {
    if (exchange.faults !== undefined) refuse(exchange.faults);
    void call(exchange, { body: bytes, judged: undefined, idempotency: undefined });
  } catch (thrown) {
    fail(exchange, thrown);
  }
}

/**
 * Runs an operation that reads the form as a stream. The form slot is released after the answer and after the work that
 * holds it: chunks of a refused file may still be on their way to the database and use memory until then.
 */
function runWithForm<C>(exchange: Exchange<C>, principal: Caller, note: FormNote): void {
  const { raw, parts } = exchange;
  const { tools, input } = parts;
  const boundary = boundaryOf(raw.headers);
  const toIdempotencyOf = idempotencyOf(exchange);
  const slot = tools.formSlots.take(principal.platformId);
  const form = createIncomingForm({
    request: raw,
    boundary,
    note,
    clock: tools.clock,
    limits: tools.formLimits,
    found: exchange.faults?.errors ?? [],
    checkFields: input.checkFields,
    confirm: () => reauthenticate(exchange),
    holdSlot: slot.hold,
    toIdempotency: (content) => toIdempotencyOf?.(content),
  });
  void call(exchange, { body: form, judged: undefined, idempotency: undefined }).finally(
    slot.release,
  );
}

function run<C>(exchange: Exchange<C>, parsed: ParsedBody | undefined): void {
  // Computed before validation, which adds defaults: the digest covers the body that was sent.
  const idempotency = idempotencyOf(exchange)?.(parsed?.sent, exchange.parts.input.fieldNames);
  const { principal, parts } = exchange;
  const { input } = parts;
  const ignored = input.ignoredIn(parsed);
  const found = joinFaults(exchange.faults, noteIgnored(exchange, ignored));
  const surroundings = { principal, context: parts.tools.context };
  const { judged, faults } = input.check({ body: parsed, found, surroundings });
  const body = input.bodyWithout(ignored, parsed);
  if (faults === undefined) void call(exchange, { body, judged, idempotency });
  else faults.then(refuse).catch((thrown: unknown) => fail(exchange, thrown));
}

/** Notes the fields of the body that the operation does not read, on a success and on a refusal alike, or returns them as faults. */
function noteIgnored<C>(exchange: Exchange<C>, found: readonly IgnoredField[]): Faults | undefined {
  const { raw, parts, principal } = exchange;
  if (!parts.input.takesBody) return undefined;
  const { notes, faults } = judgeIgnored(found, raw.headers.prefer, principal?.unknownFields);
  exchange.notes = notes;
  return faults;
}

function call<C>(
  exchange: Exchange<C>,
  { body, judged, idempotency }: Pick<OperationRequest, "body" | "judged" | "idempotency">,
): Promise<void> {
  const { raw, parts, principal, requestId, entrance } = exchange;
  const { operation, tools, input, isPublic } = parts;
  const request: OperationRequest = {
    principal: exchange.isDryRun ? tryingOut(principal) : withAct(exchange),
    params: exchange.checkedParams,
    query: exchange.query,
    body,
    judged,
    idempotency,
    headers: input.headers(raw.headers),
    remoteAddress: isPublic ? tools.addressOf(raw) : "",
    requestId,
  };
  const { before } = entrance;
  const handle = () =>
    before === undefined || principal === undefined
      ? operation.handle(request, tools.context)
      : before(operation, principal).then(() => operation.handle(request, tools.context));
  return runTraced(exchange.traceparent, handle).then(
    (answer) => finish(exchange, answer),
    (thrown: unknown) => fail(exchange, thrown),
  );
}

/** The caller, with the circumstances of an act that has an audit entry. */
function withAct<C>({ principal, raw, requestId, checkedParams, parts, sentBody }: Exchange<C>) {
  if (principal === undefined || isAgent(principal)) return principal;
  const ofPerson = isPerson(principal);
  if (!ofPerson && !parts.auditsTokens) return principal;
  const { addressOf } = parts.tools;
  const body = sentBody?.value;
  const act = actOf({ raw, requestId, addressOf, params: checkedParams, body });
  if (!ofPerson) return { ...principal, act };
  const { sessionId, actorName } = principal.act;
  return { ...principal, act: { ...act, sessionId, actorName } };
}

/**
 * Builds the idempotency key of a request from its content; undefined without a key. A malformed key is reported as a
 * fault.
 */
function idempotencyOf<C>({
  raw,
  parts,
  principal,
  checkedParams,
}: Exchange<C>): ((body: unknown, known?: readonly string[]) => Idempotency) | undefined {
  if (!parts.takesKey) return undefined;
  const key = raw.headers["idempotency-key"];
  if (typeof key !== "string") return undefined;
  const pathScope = parts.scopeOf(checkedParams);
  return (body, known) => toIdempotency({ caller: principal, pathScope, key, body, known });
}

function finish<C>(exchange: Exchange<C>, plain: OperationAnswer): void {
  const { response, requestId, parts, entrance } = exchange;
  const { sender } = parts.tools;
  try {
    const answer = headed(exchange, plain);
    if (isStreamed(answer)) {
      stream(exchange, answer);
    } else if (isReady(answer)) {
      sender.answer(response, requestId, answer);
    } else if (answer.status === 429) {
      sender.refusal(response, requestId, withRetryAfter(answer));
    } else if (answer.status >= 500) {
      sender.answer(response, requestId, withRequestId(answer, requestId));
    } else {
      const isChallenge = answer.status === 401;
      const challenged = isChallenge
        ? { ...answer, challenge: entrance.challengeOf(parts.operation) }
        : answer;
      sender.answer(response, requestId, challenged);
    }
    count(exchange, answer);
  } catch (thrown) {
    fail(exchange, thrown);
  }
}

/** The answer as this caller may see it, with the headers of its entrance, of the request and of its own. */
function headed<C>({ notes, entrance, principal }: Exchange<C>, plain: OperationAnswer) {
  const { shownTo, headers } = entrance;
  const shown = shownTo === undefined ? plain : shownTo(plain, principal);
  const own = "notes" in shown ? shown.notes : NO_NOTES;
  const count = notes.length + headers.length + own.length;
  return count === 0 ? shown : { ...shown, notes: [...headers, ...notes, ...own] };
}

/** Records an answered request in the metrics and the logs. */
function count<C>(
  exchange: Exchange<C>,
  answer: Pick<OperationAnswer, "status" | "body"> & { readonly replayed?: boolean },
): void {
  const { raw, requestId, parts, principal, startedAt, traceparent, span } = exchange;
  const { status } = answer;
  const body = typeof answer.body === "function" ? undefined : answer.body;
  const { clock, callLog } = parts.tools;
  const durationMs = clock.now() - startedAt;
  parts.figures.record(status, durationMs);
  const operationId = parts.operation.id;
  const caller = principal;
  callLog.record({ requestId, operationId, status, durationMs, body, caller, traceparent });
  span?.end({ "http.response.status_code": status }, status >= 500 ? String(status) : undefined);
  parts.capture({
    raw,
    requestId,
    startedAt,
    durationMs,
    caller: principal,
    params: exchange.checkedParams,
    query: exchange.query,
    body: exchange.sentBody,
    answer: { status, body: body ?? "", replayed: answer.replayed === true },
  });
}

/** The metrics record the time to the head, because the duration of a stream says nothing about the server. */
function stream<C>(exchange: Exchange<C>, answer: StreamedAnswer): void {
  const { response, requestId, parts } = exchange;
  const confirm = () => reauthenticate(exchange);
  parts.tools.sender
    .stream(response, requestId, { answer, confirm })
    .catch((thrown: unknown) => fail(exchange, thrown));
}

function fail<C>(exchange: Exchange<C>, thrown: unknown): void {
  const { raw, response, requestId, parts, notes, entrance } = exchange;
  const { sender, failureLog } = parts.tools;
  const operationId = parts.operation.id;
  const answer = toAnswerOfThrown(thrown, { requestId, operationId, failureLog });
  const isUnread = answer.status === 413 || parts.operation.form !== undefined;
  const leavesBodyUnread = isUnread && !raw.complete && shouldCloseConnection(raw.headers);
  const isOverLimit =
    !parts.isPublic && exchange.principal === undefined && chargeUnauthenticated(exchange);
  const closeConnection = answer.closeConnection === true || leavesBodyUnread || isOverLimit;
  const challenge = entrance.challengeOf(parts.operation);
  const headers = [...entrance.headers, ...notes];
  sender.refusal(response, requestId, { ...answer, challenge, closeConnection, notes: headers });
  count(exchange, answer);
}

function refuseUnauthenticated<C>(exchange: Exchange<C>, answer: ErrorAnswer): void {
  const { response, requestId, parts } = exchange;
  parts.tools.sender.refusal(response, requestId, answer);
  count(exchange, answer);
}

/** Charges a request that failed authentication. True when its connection must be closed. */
function chargeUnauthenticated<C>({ raw, parts }: Exchange<C>): boolean {
  return parts.tools.guests.charge(raw);
}
