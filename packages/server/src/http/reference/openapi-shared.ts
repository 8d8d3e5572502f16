import type { SchemaNode } from "../../validation/schema.ts";
import type { DocumentedParameter } from "./openapi-document.ts";

export const apiDescription =
  "Customers, accounts, quotes and transfers of a platform. Amounts are whole numbers of a currency's smallest unit. " +
  "Identifiers have the form `Kind:uuid`. A token's environment, sandbox or production, decides where a call acts. " +
  "Statuses, types and fields can be added to answers and events: pass over what you do not know. " +
  "Before its operation is found, any request can also be answered with 408, 417 or 431, in the form of `Error`.";

export const securitySchemes = {
  basicAuth: {
    type: "http",
    scheme: "basic",
    description: "A token's `clientId` as the user name and its `clientSecret` as the password.",
  },
  bearerAuth: {
    type: "http",
    scheme: "bearer",
    description: "The access token that an agent got for its device code.",
  },
};

export const consoleDescription =
  "What the console of this deployment calls beside the operations of the public API, which are below `/p/{platformId}` with the " +
  "same paths, bodies and answers. It changes with the console and is not promised to other programs. Calls come from the " +
  "console's own pages, with the cookie of a session; those that change something carry its `csrf` in `Florin-Csrf`.";

export const consoleSecurity = {
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-florin",
    description: "The session of a person; at `http://localhost` the cookie is `florin-local`.",
  },
};

export const sharedParameters: Readonly<Record<string, DocumentedParameter>> = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "Makes it safe to send the request again: the same key and body give the first answer once more. Kept 30 days.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    example: "order-1042",
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "Your own name for this request; the answer carries it too.",
    schema: { type: "string", minLength: 1, maxLength: 128, pattern: "^[A-Za-z0-9._-]+$" },
    example: "checkout-77",
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    description:
      "`handling=strict` refuses a body with fields that the operation does not know (400 `INVALID_INPUT`). Without it " +
      "they are ignored, and the answer names them in `X-Ignored-Fields`.",
    schema: { type: "string" },
    example: "handling=strict",
  },
  WebhookSignature: {
    name: "X-Service-Signature",
    in: "header",
    required: true,
    description:
      "An ECDSA P-256 SHA-256 signature (DER, base64) over the exact bytes of the body, to be checked with the key of " +
      "`GET /webhooks/public-key`.",
    schema: { type: "string" },
    example: '{"v":"1","s":"MEUCIQD1gJ9…"}',
  },
  EventSequence: {
    name: "X-Event-Sequence",
    in: "header",
    required: false,
    description:
      "The event's number among all of the platform, without gaps; a `TEST` that was asked for has none.",
    schema: { type: "string", pattern: "^[1-9][0-9]*$" },
    example: "1042",
  },
  Redelivery: {
    name: "X-Redelivery",
    in: "header",
    required: false,
    description: "The platform has asked for the event again.",
    schema: { type: "string", enum: ["true"] },
  },
  WebhookKeyId: {
    name: "X-Service-Key-Id",
    in: "header",
    required: false,
    description:
      "Names the key of `X-Service-Signature`, from the first rotation of the platform's key on.",
    schema: { type: "string" },
    example: "5f0c4b8f6f9a4f5e",
  },
  NextWebhookSignature: {
    name: "X-Service-Signature-Next",
    in: "header",
    required: false,
    description: "By the `next` key of `GET /webhooks/public-key`, while a rotation is under way.",
    schema: { type: "string" },
    example: '{"v":"1","s":"MEUCIQD1gJ9…"}',
  },
};

export const sharedHeaders: Readonly<Record<string, SchemaNode>> = {
  RequestId: {
    description: "Names this request: yours if you sent one, else ours.",
    schema: { type: "string" },
  },
  Replayed: {
    description: "`true` when this is the stored answer to an earlier request with the same key.",
    schema: { type: "string", enum: ["true"] },
  },
  IgnoredFields: {
    description:
      "The fields of the body that the operation does not know and did not read: at most 20 paths, joined by commas. " +
      "Characters that are not of a plain name are percent-encoded.",
    schema: { type: "string" },
    example: "customer_id, source.acountId",
  },
  PreferenceApplied: {
    description: "`handling=strict` when the request asked for it.",
    schema: { type: "string", enum: ["handling=strict"] },
  },
  ShouldRetry: {
    description:
      "`true` when the same request may succeed later, `false` when it will not: change what the message names first.",
    schema: { type: "string", enum: ["true", "false"] },
  },
  RetryAfter: {
    description: "Seconds after which it is worth trying again.",
    schema: { type: "integer" },
  },
  Challenge: {
    description: "The kind of credentials that is asked for.",
    schema: { type: "string" },
  },
};
