import type { Open } from "./types.ts";

export type ErrorCode = Open<
  | "INVALID_INPUT"
  | "INVALID_REQUEST_FORMAT"
  | "INVALID_AMOUNT"
  | "AMOUNT_OUT_OF_RANGE"
  | "INVALID_CURRENCY"
  | "INVALID_TIMESTAMP"
  | "INVALID_UMA_ADDRESS"
  | "INVALID_BANK_ACCOUNT"
  | "INSUFFICIENT_BALANCE"
  | "MISSING_MANDATORY_USER_INFO"
  | "EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS"
  | "PASSKEY_CREDENTIAL_ALREADY_EXISTS"
  | "LAST_CREDENTIAL"
  | "WEBHOOK_ENDPOINT_NOT_SET"
  | "WEBHOOK_DELIVERY_ERROR"
  | "UNAUTHORIZED"
  | "FORBIDDEN"
  | "USER_NOT_READY"
  | "NOT_FOUND"
  | "REFERENCE_NOT_FOUND"
  | "USER_NOT_FOUND"
  | "TOKEN_NOT_FOUND"
  | "TRANSACTION_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "CONFLICT"
  | "UMA_ADDRESS_EXISTS"
  | "CUSTOMER_DELETED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "IDEMPOTENCY_KEY_REUSED"
  | "RATE_LIMITED"
  | "INTERNAL_ERROR"
  | "NOT_IMPLEMENTED"
  | "SERVICE_UNAVAILABLE"
  | "UNEXPECTED_ANSWER"
>;

export interface ErrorParts {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly requestId?: string | undefined;
}

/**
 * The service said no. `UNEXPECTED_ANSWER` is the client's own code for an answer that is not in
 * the API's form, such as the error page of a proxy.
 */
export class FlorinError extends Error {
  override readonly name = "FlorinError";
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The server's name for this request, to look it up in its log. */
  readonly requestId: string | undefined;

  constructor(parts: ErrorParts) {
    super(parts.message);
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details;
    this.requestId = parts.requestId;
  }
}

/**
 * No whole answer arrived: no connection, a reset, or `timeoutMs` ran out. `cause` holds what
 * happened. The request may or may not have taken effect; sending it again with the same
 * idempotency key gives the one true answer.
 */
export class FlorinConnectionError extends Error {
  override readonly name = "FlorinConnectionError";
}
