import {
  type FieldError,
  invalidFields,
  messageOfCode,
  type RefusalCode,
  statusOf,
} from "../../engine/refusal.ts";
import { type SchemaNode, valuesKeyword } from "../../validation/schema.ts";
import { type Operation, takesKey } from "../request/operation.ts";
import { shouldRetry, stalled } from "../server/errors.ts";
import type { DocumentedAnswer, Ref } from "./openapi-document.ts";

const errorOf = (fieldError: SchemaNode): SchemaNode => ({
  type: "object",
  required: ["status", "code", "message"],
  properties: {
    status: { type: "integer", description: "The HTTP status again." },
    code: {
      type: "string",
      description: "What went wrong, for programs. More codes may come.",
      [valuesKeyword]: "RefusalCode",
    },
    message: { type: "string", description: "What went wrong, for people." },
    details: {
      type: "object",
      description: "More about it; what is there depends on the code.",
      properties: {
        field: { type: "string", description: "The first field that is not valid." },
        reason: {
          type: "string",
          description: "The check that failed; beside `field`, what is wrong with it.",
        },
        requestId: { type: "string", description: "In every 5xx: what to quote to the operator." },
        retryAfterSeconds: { type: "integer" },
        errors: {
          type: "array",
          description: "Every field that is not valid.",
          items: fieldError,
        },
      },
    },
  },
});

export const errorSchema = errorOf({ $ref: "#/components/schemas/FieldError" });

export const fieldErrorSchema: SchemaNode = {
  type: "object",
  required: ["field", "message"],
  properties: {
    field: { type: "string", description: "Path of the field, joined by dots." },
    message: { type: "string" },
    constraint: {
      type: "object",
      description: "The rule that the value breaks.",
      properties: {
        format: { type: "string" },
        pattern: { type: "string" },
        enum: { type: "array", items: { type: "string" } },
        minLength: { type: "integer" },
        maxLength: { type: "integer" },
        minimum: { type: "number" },
        maximum: { type: "number" },
        minItems: { type: "integer" },
        maxItems: { type: "integer" },
        type: { type: "string" },
      },
    },
    nearest: {
      type: "array",
      description: "Values of the list that look most like the one that was given.",
      items: { type: "string" },
    },
  },
};

/** The headers that name unknown fields of a JSON body. */
export const bodyHeaders: Readonly<Record<string, Ref>> = {
  "X-Ignored-Fields": { $ref: "#/components/headers/IgnoredFields" },
  "Preference-Applied": { $ref: "#/components/headers/PreferenceApplied" },
};

/** The error schema with its parts inline instead of references. */
export const wholeErrorSchema = errorOf(fieldErrorSchema);

/** Every refusal of a call: those of the operation and those of the request pipeline. */
export function refusalsOf<C>(operation: Operation<C>): readonly RefusalCode[] {
  const { access, body, form } = operation;
  // The query of any call may hold a parameter that the call does not know.
  const codes = new Set<RefusalCode>(["INVALID_INPUT", "INVALID_REQUEST_FORMAT"]);
  if (access !== "PUBLIC") codes.add("UNAUTHORIZED").add("FORBIDDEN");
  for (const code of operation.refusals) codes.add(code);
  if (body !== undefined) codes.add("PAYLOAD_TOO_LARGE");
  if (body !== undefined || form !== undefined) codes.add("UNSUPPORTED_MEDIA_TYPE");
  if (access !== "PUBLIC" && takesKey(operation)) codes.add("IDEMPOTENCY_KEY_REUSED");
  codes.add("RATE_LIMITED").add("INTERNAL_ERROR").add("SERVICE_UNAVAILABLE");
  return [...codes];
}

/** Error answers by status, as references to `components`, to which they are added. */
export function toErrorAnswers(
  codes: readonly RefusalCode[],
  components: Record<string, DocumentedAnswer>,
): Record<string, Ref> {
  const byStatus = new Map<number, RefusalCode[]>();
  for (const code of codes) {
    const status = statusOf(code);
    const same = byStatus.get(status);
    if (same === undefined) byStatus.set(status, [code]);
    else same.push(code);
  }
  const answers: Record<string, Ref> = {};
  for (const [status, same] of byStatus) {
    const name = [...same].sort().join("-");
    components[name] ??= toErrorAnswer(status, same);
    answers[String(status)] = { $ref: `#/components/responses/${name}` };
  }
  return answers;
}

/** The 408 of a body that does not arrive in time. Its status differs from the status of its code. */
export function toStalledAnswer(components: Record<string, DocumentedAnswer>): Record<string, Ref> {
  components.STALLED ??= {
    description: `\`${stalled.code}\`: ${stalled.message}`,
    headers: errorHeaders(stalled.status),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: { [stalled.code]: { value: stalled } },
      },
    },
  };
  return { [stalled.status]: { $ref: "#/components/responses/STALLED" } };
}

function toErrorAnswer(status: number, codes: readonly RefusalCode[]): DocumentedAnswer {
  const lines = codes.map((code) => `\`${code}\`: ${messageOfCode(code)}`);
  const headers = errorHeaders(status);
  if (status === 401) {
    headers["WWW-Authenticate"] = { $ref: "#/components/headers/Challenge" };
  }
  if (status === 429 || status === 503) {
    headers["Retry-After"] = { $ref: "#/components/headers/RetryAfter" };
  }
  return {
    description: lines.join("\n\n"),
    headers,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOfCode(code) }])),
      },
    },
  };
}

/** Operations share error answers, so the headers about a body are declared on the 400, which names its fields. */
function errorHeaders(status: number): Record<string, Ref> {
  return {
    "X-Request-Id": { $ref: "#/components/headers/RequestId" },
    ...(shouldRetry(status) === undefined
      ? {}
      : { "X-Should-Retry": { $ref: "#/components/headers/ShouldRetry" } }),
    ...(status === 400 ? bodyHeaders : {}),
  };
}

function exampleOfCode(code: RefusalCode): SchemaNode {
  const status = statusOf(code);
  const plain = { status, code, message: messageOfCode(code) };
  if (status >= 500) return { ...plain, details: { requestId: "5f2a9c0d1e6f-1a" } };
  const fields = FIELD_EXAMPLES[code];
  if (fields !== undefined) {
    const { message, details = {} } = invalidFields(fields, code);
    return { ...plain, message, details };
  }
  return code === "RATE_LIMITED" ? { ...plain, details: { retryAfterSeconds: 1 } } : plain;
}

/** Example field errors of the codes that usually have some. */
const FIELD_EXAMPLES: Partial<Record<RefusalCode, readonly FieldError[]>> = {
  INVALID_INPUT: [
    {
      field: "name",
      message: "must have at least 1 character",
      constraint: { minLength: 1 },
    },
  ],
  INVALID_AMOUNT: [{ field: "amount", message: "must be at least 1", constraint: { minimum: 1 } }],
  INVALID_BANK_ACCOUNT: [
    {
      field: "accountInfo.bankName",
      message: "must be a bankName that GET /discoveries lists for NG",
      nearest: ["Zenith Bank"],
    },
  ],
};
