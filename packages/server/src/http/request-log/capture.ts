/**
 * Makes the entry of a call in the request log, after its answer was written. What may hold a secret is redacted before it is
 * kept anywhere: bodies and the query by their schemas, segments of the path unless they are ids, headers by name. Personal data
 * in bodies and in the query are masked as in answers to people without `pii.read`, for every reader.
 */
import type { IncomingMessage } from "node:http";
import type { CallKind, RequestLog } from "../../domain/reading/request-logs/request-log.port.ts";
import { anyIdPattern } from "../../std/ids.ts";
import { isOfIgnored, UNKNOWN_FIELD } from "../../validation/ignored-fields.ts";
import { isNode } from "../../validation/schema.ts";
import { masked, maskedText, mayHoldPersonalData } from "../console/masking.ts";
import { wholeErrorSchema } from "../reference/openapi-errors.ts";
import {
  type Caller,
  callerIdOf,
  isAgent,
  isPerson,
  type Operation,
} from "../request/operation.ts";
import { codeOf } from "../server/call-log.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import { marksSecrets, REDACTED, type Redact, redactorOf } from "./redact.ts";

/** The largest request and answer whose content is kept. */
export const MAX_BODY_BYTES = 16 * 1024;
/** Replaces a body that is too large, or that is a form. */
export const OMITTED = "[omitted]";
const MAX_HEADER_CHARS = 512;

export interface CapturedCall {
  readonly raw: IncomingMessage;
  readonly requestId: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly caller: Caller | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: SentBody | undefined;
  readonly answer: LoggedAnswer;
}

export interface LoggedAnswer {
  readonly status: number;
  /** Empty for a stream, whose length is not known when the call is logged. */
  readonly body: string | Buffer;
  readonly replayed?: boolean;
}

export interface SentBody {
  readonly value: unknown;
  readonly bytes: number;
}

export type Capture = (call: CapturedCall) => void;

/**
 * The capture of one operation. A call without a platform (by a stranger, of a public operation, or about a workspace) is not logged,
 * because no platform could read it.
 */
export function createCapture<C>(
  operation: Operation<C>,
  { requestLog, addressOf }: { readonly requestLog: RequestLog; readonly addressOf: CallerAddress },
): Capture {
  const { id: operationId, method } = operation;
  const toContent = contentMaker(operation);
  const toPath = pathMaker(operation.path);
  return (call) => {
    const { caller, answer, raw } = call;
    if (caller === undefined || operation.access === "PERSON") return;
    const sampledOneIn = requestLog.admit(kindOf(method, answer.status));
    if (sampledOneIn === 0) return;
    const { path, resourceId } = toPath(call.params);
    const key = raw.headers["idempotency-key"];
    const idempotencyKey = typeof key === "string" ? key.slice(0, MAX_HEADER_CHARS) : undefined;
    requestLog.add({
      platformId: caller.platformId,
      createdAt: call.startedAt,
      method: raw.method ?? method,
      path,
      operationId,
      status: answer.status,
      errorCode: answer.status < 400 ? null : (codeOf(answer.body) ?? null),
      durationMs: Math.max(0, Math.round(call.durationMs)),
      requestBytes: call.body?.bytes ?? declaredLength(raw),
      responseBytes: Buffer.byteLength(answer.body),
      actorId: callerIdOf(caller),
      isAgent: isAgent(caller),
      isPerson: isPerson(caller),
      address: addressOf(raw),
      requestId: call.requestId,
      resourceId,
      idempotencyKey,
      replayed: answer.replayed === true,
      sampledOneIn,
      content: toContent(call, idempotencyKey),
    });
  };
}

function kindOf(method: string, status: number): CallKind {
  if (status >= 400) return "REFUSAL";
  return method === "GET" ? "READ" : "CHANGE";
}

const MAX_INT32 = 2 ** 31 - 1;

function declaredLength({ headers }: IncomingMessage): number {
  const length = Number(headers["content-length"] ?? 0);
  return length >= 0 && length <= MAX_INT32 ? length : 0;
}

const WIRE_ID = new RegExp(`^${anyIdPattern}$`);

/** Makes the logged path. Ids are kept; any other parameter is redacted, because it may be an access code or a name. */
function pathMaker(template: string) {
  if (!template.includes("{")) return () => ({ path: template, resourceId: null });
  const segments = template.split("/");
  return (params: Readonly<Record<string, string>>) => {
    let resourceId: string | null = null;
    const path = segments
      .map((segment) => {
        if (!segment.startsWith("{")) return segment;
        const value = params[segment.slice(1, -1)] ?? "";
        if (!WIRE_ID.test(value)) return REDACTED;
        resourceId = value;
        return value;
      })
      .join("/");
    return { path, resourceId };
  };
}

/** Headers that are logged. Authorization, signatures and unknown headers are not. */
const KEPT_HEADERS = [
  "accept",
  "accept-encoding",
  "content-encoding",
  "content-type",
  "host",
  "user-agent",
  "x-forwarded-for",
] as const;

const MAX_KNOWN_HEADERS = 256;

/** The JSON of the headers. A caller sends the same ones with each call, so the last texts are kept. */
function headerTexts(): (raw: IncomingMessage) => string {
  const known = new Map<string, string>();
  return ({ headers }) => {
    let key = "";
    for (const name of KEPT_HEADERS) key += `${headers[name] ?? ""}\n`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const kept: Record<string, string> = {};
    for (const name of KEPT_HEADERS) {
      const value = headers[name];
      if (value !== undefined) kept[name] = String(value).slice(0, MAX_HEADER_CHARS);
    }
    const text = JSON.stringify(kept);
    if (known.size >= MAX_KNOWN_HEADERS) known.clear();
    // Long headers are not cached: with them, a few callers could fill the memory.
    if (key.length <= MAX_HEADER_CHARS) known.set(key, text);
    return text;
  };
}

type Content = Pick<CapturedCall, "raw" | "query" | "body" | "answer">;

/** Makes the JSON of a `CallContent`. */
function contentMaker<C>(operation: Operation<C>) {
  const { id, method, form } = operation;
  const redactQuery = redactorFor(operation.query);
  const redactBody = redactorFor(operation.shownBody ?? operation.body);
  const toAnswerText = answerTexts(operation);
  const toHeaders = headerTexts();
  const isRead = method === "GET";
  return ({ raw, query, body, answer }: Content, idempotencyKey: string | undefined): string => {
    let text = `{"headers":${toHeaders(raw)}`;
    if (idempotencyKey !== undefined) text += `,"idempotencyKey":${JSON.stringify(idempotencyKey)}`;
    if (query !== undefined) text += `,"query":${JSON.stringify(maskedQuery(redactQuery(query)))}`;
    if (form !== undefined) text += `,"requestBody":"${OMITTED}"`;
    if (body !== undefined)
      text += `,"requestBody":${bodyText(body, { redact: redactBody, operationId: id })}`;
    if (!isRead && answer.body !== "") text += `,"responseBody":${toAnswerText(answer)}`;
    return `${text}}`;
  };
}

interface OfBody {
  readonly redact: Redact;
  /** A member that is personal in the body of one operation alone is masked by the operation's name. */
  readonly operationId: string;
}

function bodyText({ value, bytes }: SentBody, { redact, operationId }: OfBody): string {
  return JSON.stringify(bytes > MAX_BODY_BYTES ? OMITTED : masked(redact(value), operationId));
}

/** What a person typed into a search may be a name or a number of an account. */
const WORDS_OF_PERSONS = ["q", "counterparty", "name"];

function maskedQuery(query: unknown): unknown {
  if (!isNode(query)) return masked(query);
  const hidden = WORDS_OF_PERSONS.filter((name) => name in query);
  return masked({ ...query, ...Object.fromEntries(hidden.map((name) => [name, REDACTED])) });
}

/** Made at the first call: many operations are never called. */
function redactorFor(schema: unknown): Redact {
  let redact: Redact | undefined;
  return (value) => {
    redact ??= redactorOf(schema);
    return redact(value);
  };
}

/** Hides the names of unknown fields in the faults of a refusal: like those of the body they may be anything. */
function withoutUnknownNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknownNames);
  if (!isNode(value)) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutUnknownNames(member)]),
  );
  for (const words of ["message", "reason"]) {
    if (isOfIgnored(copy[words])) Object.assign(copy, { field: REDACTED, [words]: UNKNOWN_FIELD });
  }
  return copy;
}

/**
 * The JSON of an answer. It is our own text, and has only what its schema declares (request-logs-canaries.test.ts), so one whose schema
 * marks nothing is kept as it is, unless it may hold personal data: parsing it would cost more than the rest of the entry.
 */
function answerTexts<C>({ answers }: Operation<C>): (answer: CapturedCall["answer"]) => string {
  const kept = new Map<number, boolean>();
  const isKept = (status: number): boolean => {
    let known = kept.get(status);
    if (known === undefined) {
      const schema = answers[status]?.schema;
      known = schema !== undefined && !marksSecrets(schema);
      kept.set(status, known);
    }
    return known;
  };
  return ({ status, body }) => {
    if (body.length > MAX_BODY_BYTES) return `"${OMITTED}"`;
    if (status < 400 && isKept(status)) {
      const text = String(body);
      return mayHoldPersonalData(text) ? maskedText(text) : text;
    }
    const value: unknown = JSON.parse(String(body));
    if (status >= 400)
      return JSON.stringify(masked(withoutUnknownNames(redactorOf(wholeErrorSchema)(value))));
    return JSON.stringify(masked(redactorOf(answers[status]?.schema)(value)));
  };
}
