/**
 * One operation on its way from the wire to the wire: who asks, may they, path and query, body, key, the operation, its
 * answer. Everything up to the operation is synchronous unless credentials or the body have to be waited for, or a refusal
 * for what it names. Whatever is thrown on the way becomes an answer here; nothing of a request outlives its answer.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { ruleRefusal } from "../../domain/agents/agent.ts";
import type { AgentPermission } from "../../domain/agents/agent-policy.ts";
import type { Idempotency } from "../../engine/command.ts";
import { Refusal } from "../../engine/refusal.ts";
import type { Clock } from "../../std/clock.ts";
import type { ParsedBody } from "../../validation/json-body.ts";
import {
  type CompileSchema,
  type Faults,
  joinFaults,
  refuse,
} from "../../validation/validation.ts";
import type { AgentGate } from "../auth/agent-auth.ts";
import type { Gate } from "../auth/auth.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import {
  type ErrorAnswer,
  rateLimited,
  toAnswerOfThrown,
  withRequestId,
  withRetryAfter,
} from "../server/errors.ts";
import type { FailureLog } from "../server/failure-log.ts";
import type { Metrics, RequestFigures } from "../server/metrics.ts";
import type { RateLimiter } from "../server/rate-limit.ts";
import type { Sender } from "../server/send.ts";
import type { Strangers } from "../server/strangers.ts";
import { type BodyLimits, isWorthClosing, readBody } from "../upload/body.ts";
import { createIncomingForm, type FormLimits, type FormNote } from "../upload/form.ts";
import type { FormSlots } from "../upload/form-slots.ts";
import { boundaryOf } from "../upload/part-head.ts";
import { keyFaults, pathScope, toIdempotency } from "./idempotency.ts";
import { createInput, type OperationInput } from "./input.ts";
import {
  type AgentPrincipal,
  type Caller,
  isAgent,
  isReady,
  isStreamed,
  type Operation,
  type OperationAnswer,
  type OperationRequest,
  type StreamedAnswer,
  takesKey,
} from "./operation.ts";

export interface RouteTools<C> {
  readonly context: C;
  readonly gate: Gate;
  readonly addressOf: CallerAddress;
  readonly agentGate: AgentGate;
  readonly tokenLimiter: RateLimiter;
  readonly strangers: Strangers;
  readonly sender: Sender;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly failureLog: FailureLog;
  readonly bodyLimits: BodyLimits;
  readonly formLimits: FormLimits;
  readonly formSlots: FormSlots;
}

export interface Route {
  prepare(compile: CompileSchema): void;
  start(arrival: Arrival): void;
}

/** A request as the router hands it over. */
export interface Arrival {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: unknown;
  readonly requestId: string;
}

/** What does not change from one request of an operation to the next. */
interface Parts<C> {
  readonly operation: Operation<C>;
  readonly tools: RouteTools<C>;
  readonly input: OperationInput<C>;
  readonly figures: RequestFigures;
  readonly scopeOf: (params: Readonly<Record<string, string>>) => string;
  readonly isPublic: boolean;
  readonly takesKey: boolean;
}

interface Exchange<C> extends Arrival {
  readonly parts: Parts<C>;
  readonly startedAt: number;
  principal: Caller | undefined;
  checkedParams: Readonly<Record<string, string>>;
  query: unknown;
  /** What is wrong before the body is looked at; refused together with what is wrong there. */
  faults: Faults | undefined;
}

export function createRoute<C>(operation: Operation<C>, tools: RouteTools<C>): Route {
  const isPublic = operation.access === "PUBLIC";
  const parts: Parts<C> = {
    operation,
    tools,
    input: createInput(operation),
    figures: tools.metrics.requests(operation.id),
    scopeOf: pathScope(operation.method, operation.path),
    isPublic,
    takesKey: takesKey(operation),
  };
  return {
    prepare: parts.input.prepare,
    start: ({ raw, response, params, requestId }) =>
      identify({
        raw,
        response,
        params,
        requestId,
        parts,
        startedAt: tools.clock.now(),
        principal: undefined,
        checkedParams: NO_PARAMS,
        query: undefined,
        faults: undefined,
      }),
  };
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

function identify<C>(exchange: Exchange<C>): void {
  const { parts } = exchange;
  if (parts.isPublic) {
    const refused = parts.tools.strangers.admit(exchange.raw);
    if (refused === undefined) admit(exchange, undefined);
    else refuseStranger(exchange, refused);
    return;
  }
  const known = knownCaller(exchange);
  if (known !== undefined) {
    admit(exchange, known);
    return;
  }
  verifiedCaller(exchange).then(
    (caller) => admit(exchange, caller),
    (thrown: unknown) => fail(exchange, thrown),
  );
}

/** An agent is read each time. */
function knownCaller<C>({ raw, parts: { operation, tools } }: Exchange<C>): Caller | undefined {
  return operation.access === "AGENT" ? undefined : tools.gate.known(raw.headers.authorization);
}

function verifiedCaller<C>({ raw, parts: { operation, tools } }: Exchange<C>): Promise<Caller> {
  const gate = operation.access === "AGENT" ? tools.agentGate : tools.gate;
  return gate.verify(raw.headers.authorization, tools.addressOf(raw));
}

/** Whose credentials were withdrawn while the body was on its way is refused as if they had never been good. */
async function identifyAgain<C>(exchange: Exchange<C>): Promise<void> {
  const { operation } = exchange.parts;
  const caller = knownCaller(exchange) ?? (await verifiedCaller(exchange));
  refuseUnlessAllowed(operation, caller);
  exchange.principal = caller;
}

function admit<C>(exchange: Exchange<C>, principal: Caller | undefined): void {
  const { raw, parts } = exchange;
  const { operation, tools, input } = parts;
  try {
    if (principal !== undefined) {
      refuseUnlessAllowed(operation, principal);
      refuseWhenTooFast(principal, tools.tokenLimiter);
    }
    exchange.principal = principal;
    const { params, query, faults } = input.address(exchange.params, raw.url ?? "");
    exchange.checkedParams = params;
    exchange.query = query;
    const key = parts.takesKey ? raw.headers["idempotency-key"] : undefined;
    exchange.faults = joinFaults(faults, keyFaults(key));
    if (operation.form !== undefined && principal !== undefined) {
      // The operation of a form begins before the form is read, so its path is sound by then.
      if (faults !== undefined) refuse(faults);
      runWithForm(exchange, principal, operation.form);
      return;
    }
    if (!input.takesBody) {
      run(exchange, undefined);
      return;
    }
    input.refuseOtherKind(raw.headers);
    const reading = { limits: tools.bodyLimits, platform: principal?.platformId ?? UNKNOWN_SENDER };
    readBody(raw, reading, (thrown, bytes) => {
      if (thrown !== undefined) fail(exchange, thrown);
      else if (parts.isPublic || cameAtOnce(exchange)) runWithBody(exchange, bytes);
      else {
        return identifyAgain(exchange).then(
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

/** The account that bodies of unknown senders are charged to. */
const UNKNOWN_SENDER = "";

/** A body may take its time; credentials that were good before it need not be any more. */
const AT_ONCE_MS = 100;

function cameAtOnce<C>({ parts, startedAt }: Exchange<C>): boolean {
  return parts.tools.clock.now() - startedAt < AT_ONCE_MS;
}

function runWithBody<C>(exchange: Exchange<C>, bytes: Buffer): void {
  try {
    run(exchange, exchange.parts.input.parse(bytes));
  } catch (thrown) {
    fail(exchange, thrown);
  }
}

/**
 * The operation reads the form as it arrives. Its slot is released when it has answered and what it left behind is done:
 * chunks of a refused file may still be on their way to the database, and hold memory until they are there.
 */
function runWithForm<C>(exchange: Exchange<C>, principal: Caller, note: FormNote): void {
  const { raw, parts } = exchange;
  const { tools, input } = parts;
  const boundary = boundaryOf(raw.headers);
  const keyed = keyOf(exchange);
  const slot = tools.formSlots.take(principal.platformId);
  const form = createIncomingForm({
    request: raw,
    boundary,
    note,
    clock: tools.clock,
    limits: tools.formLimits,
    found: exchange.faults?.errors ?? [],
    checkFields: input.checkFields,
    confirm: () => identifyAgain(exchange),
    holdSlot: slot.hold,
    toIdempotency: (content) => keyed?.(content),
  });
  void call(exchange, { body: form, judged: undefined, idempotency: undefined }).finally(
    slot.release,
  );
}

function run<C>(exchange: Exchange<C>, parsed: ParsedBody | undefined): void {
  // Before the check, which fills in defaults: the digest is of what the caller sent.
  const idempotency = keyOf(exchange)?.(parsed?.sent);
  const { principal, parts, faults: found } = exchange;
  const surroundings = { principal, context: parts.tools.context };
  const { judged, faults } = parts.input.check({ body: parsed, found, surroundings });
  if (faults === undefined) void call(exchange, { body: parsed?.value, judged, idempotency });
  else faults.then(refuse).catch((thrown: unknown) => fail(exchange, thrown));
}

function call<C>(
  exchange: Exchange<C>,
  { body, judged, idempotency }: Pick<OperationRequest, "body" | "judged" | "idempotency">,
): Promise<void> {
  const { raw, parts, principal, requestId } = exchange;
  const { operation, tools, input, isPublic } = parts;
  const request: OperationRequest = {
    principal,
    params: exchange.checkedParams,
    query: exchange.query,
    body,
    judged,
    idempotency,
    headers: input.headers(raw.headers),
    remoteAddress: isPublic ? tools.addressOf(raw) : "",
    requestId,
  };
  return operation.handle(request, tools.context).then(
    (answer) => finish(exchange, answer),
    (thrown: unknown) => fail(exchange, thrown),
  );
}

/** What makes the request's key, if it carries one, out of what else was sent; a bad key is among the faults. */
function keyOf<C>({
  raw,
  parts,
  principal,
  checkedParams,
}: Exchange<C>): ((body: unknown) => Idempotency) | undefined {
  if (!parts.takesKey) return undefined;
  const key = raw.headers["idempotency-key"];
  if (typeof key !== "string") return undefined;
  return (body) =>
    toIdempotency({ caller: principal, pathScope: parts.scopeOf(checkedParams), key, body });
}

function finish<C>(exchange: Exchange<C>, answer: OperationAnswer): void {
  const { response, requestId, parts, startedAt } = exchange;
  const { sender, clock } = parts.tools;
  try {
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
      const challenged = isChallenge ? { ...answer, challenge: challengeOf(parts) } : answer;
      sender.answer(response, requestId, challenged);
    }
    parts.figures.record(answer.status, clock.now() - startedAt);
  } catch (thrown) {
    fail(exchange, thrown);
  }
}

/** The figures count the time to its head; how long a stream is open says nothing about the server. */
function stream<C>(exchange: Exchange<C>, answer: StreamedAnswer): void {
  const { response, requestId, parts } = exchange;
  const confirm = () => identifyAgain(exchange);
  parts.tools.sender
    .stream(response, requestId, { answer, confirm })
    .catch((thrown: unknown) => fail(exchange, thrown));
}

function fail<C>(exchange: Exchange<C>, thrown: unknown): void {
  const { raw, response, requestId, parts, startedAt } = exchange;
  const { sender, clock, failureLog } = parts.tools;
  const operationId = parts.operation.id;
  const answer = toAnswerOfThrown(thrown, { requestId, operationId, failureLog });
  const isUnread = answer.status === 413 || parts.operation.form !== undefined;
  const isLeftUnread = isUnread && !raw.complete && isWorthClosing(raw.headers);
  const isOverdrawn =
    !parts.isPublic && exchange.principal === undefined && chargeStranger(exchange);
  const closeConnection = answer.closeConnection === true || isLeftUnread || isOverdrawn;
  const challenge = challengeOf(parts);
  sender.refusal(response, requestId, { ...answer, challenge, closeConnection });
  parts.figures.record(answer.status, clock.now() - startedAt);
}

function refuseStranger<C>({ response, requestId, parts }: Exchange<C>, answer: ErrorAnswer): void {
  parts.tools.sender.refusal(response, requestId, answer);
  parts.figures.record(answer.status, 0);
}

/** Counts a request whose caller did not prove who it is; whether its connection is to be closed. */
function chargeStranger<C>({ raw, parts }: Exchange<C>): boolean {
  return parts.tools.strangers.charge(raw);
}

function challengeOf<C>({ operation }: Parts<C>): "Basic" | "Bearer" {
  return operation.access === "AGENT" ? "Bearer" : "Basic";
}

/** In this order: the permission, the environment. */
function refuseUnlessAllowed<C>(
  { access, agentPermission, sandboxOnly }: Operation<C>,
  principal: Caller,
): void {
  if (isAgent(principal)) refuseUnlessPermitted(agentPermission, principal);
  else if (access !== "PUBLIC" && access !== "AGENT" && !principal.permissions.has(access)) {
    const message = `The token does not have the permission ${access}.`;
    throw new Refusal("FORBIDDEN", { permission: access }, message);
  }
  if (sandboxOnly === true && principal.environment !== "SANDBOX") {
    throw new Refusal("FORBIDDEN", undefined, "Only a sandbox token may call this.");
  }
}

function refuseWhenTooFast(principal: Caller, limiter: RateLimiter): void {
  const seconds = limiter.take(isAgent(principal) ? principal.agentId : principal.tokenId);
  if (seconds > 0) throw rateLimited(seconds);
}

function refuseUnlessPermitted(
  permission: AgentPermission | undefined,
  { policy }: AgentPrincipal,
): void {
  if (permission === undefined || policy.permissions.includes(permission)) return;
  throw ruleRefusal("PERMISSION", { permission });
}
