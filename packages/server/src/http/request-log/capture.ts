/**
 * Makes the entry of a call in the request log, after its answer was written. What may hold a secret is redacted before it is
 * kept anywhere: bodies and the query by their schemas, segments of the path unless they are ids, headers by name.
 */
import type { IncomingMessage } from "node:http";
import type {
  CallContent,
  CallKind,
  RequestLog,
} from "../../domain/request-logs/request-log.port.ts";
import { uuidPattern } from "../../std/ids.ts";
import { wholeErrorSchema } from "../reference/openapi-errors.ts";
import { type Caller, isAgent, type Operation } from "../request/operation.ts";
import { codeOf } from "../server/call-log.ts";
import type { CallerAddress } from "../server/caller-address.ts";
import { REDACTED, type Redact, redactorOf } from "./redact.ts";

/** The largest request and answer whose content is kept. */
export const MAX_BODY_BYTES = 16 * 1024;
/** In place of a body that is larger, or of a form. */
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
 * The capture of one operation. A call without a platform, by a stranger or of a public operation, is not logged: no platform
 * could read it.
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
    if (caller === undefined) return;
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
      actorId: isAgent(caller) ? caller.agentId : caller.tokenId,
      isAgent: isAgent(caller),
      address: addressOf(raw),
      requestId: call.requestId,
      resourceId,
      idempotencyKey,
      replayed: answer.replayed === true,
      sampledOneIn,
      content: JSON.stringify(toContent(call, idempotencyKey)),
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

const WIRE_ID = new RegExp(`^[A-Za-z]{1,32}:${uuidPattern}$`);

/** The path with its ids; any other parameter may be a code that gives access, or a name. */
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

/** Headers that are kept. Authorization, signatures and headers that we do not know are not. */
const KEPT_HEADERS = [
  "accept",
  "accept-encoding",
  "content-encoding",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
  "user-agent",
  "x-forwarded-for",
] as const;

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of KEPT_HEADERS) {
    const value = headers[name];
    if (value !== undefined) kept[name] = String(value).slice(0, MAX_HEADER_CHARS);
  }
  return kept;
}

type Content = Pick<CapturedCall, "raw" | "query" | "body" | "answer">;

function contentMaker<C>(operation: Operation<C>) {
  const { method, form } = operation;
  const redactQuery = redactorFor(operation.query);
  const redactBody = redactorFor(operation.shownBody ?? operation.body);
  const redactAnswer = answerRedactor(operation);
  const isRead = method === "GET";
  return (
    { raw, query, body, answer }: Content,
    idempotencyKey: string | undefined,
  ): CallContent => ({
    headers: headersOf(raw),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(query === undefined ? {} : { query: redactQuery(query) }),
    ...(form === undefined ? {} : { requestBody: OMITTED }),
    ...(body === undefined ? {} : { requestBody: bodyContent(body, redactBody) }),
    ...(isRead || answer.body === "" ? {} : { responseBody: redactAnswer(answer) }),
  });
}

function bodyContent({ value, bytes }: SentBody, redact: Redact): unknown {
  return bytes > MAX_BODY_BYTES ? OMITTED : redact(value);
}

/** Made at the first call: many operations are never called. */
function redactorFor(schema: unknown): Redact {
  let redact: Redact | undefined;
  return (value) => {
    redact ??= redactorOf(schema);
    return redact(value);
  };
}

function answerRedactor<C>({ answers }: Operation<C>) {
  const redactError = redactorFor(wholeErrorSchema);
  return ({ status, body }: CapturedCall["answer"]): unknown => {
    if (body.length > MAX_BODY_BYTES) return OMITTED;
    const value: unknown = JSON.parse(String(body));
    return status >= 400 ? redactError(value) : redactorOf(answers[status]?.schema)(value);
  };
}
