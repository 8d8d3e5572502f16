import type { JsonObject } from "../std/json.ts";

/** All refusal codes, with their HTTP status and their default message. */
const TABLE = {
  INVALID_INPUT: [400, "A field or parameter is missing or not valid."],
  INVALID_REQUEST_FORMAT: [400, "The request could not be read."],
  INVALID_AMOUNT: [400, "The amount must be a whole number of the smallest unit, within range."],
  AMOUNT_OUT_OF_RANGE: [
    400,
    "The amount is below the minimum or above the maximum of its currency.",
  ],
  INVALID_CURRENCY: [400, "The currency is unknown or not supported here."],
  INVALID_TIMESTAMP: [400, "The time is not a valid ISO 8601 date-time."],
  INVALID_NONCE: [400, "The signed message was accepted before; sign a new one."],
  INVALID_UMA_ADDRESS: [400, "The UMA address is not well formed."],
  INVALID_BANK_ACCOUNT: [400, "The account details were refused."],
  INVITATION_ALREADY_CLAIMED: [400, "The invitation was claimed already."],
  INVITATION_CANCELLED: [400, "The invitation was cancelled."],
  INVITATION_EXPIRED: [400, "The invitation has expired."],
  INVITATIONS_NOT_CONFIGURED: [400, "Invitations are not set up for this platform."],
  VERIFICATION_LINKS_NOT_CONFIGURED: [400, "Verification links are not set up for this platform."],
  INSUFFICIENT_BALANCE: [
    400,
    "The account's available balance is lower than the amount that is needed.",
  ],
  MISSING_MANDATORY_USER_INFO: [400, "The customer lacks data that this currency requires."],
  INVALID_RECEIVER: [400, "The receiver cannot be paid like this."],
  SELF_PAYMENT: [400, "The payment would go back to the account it comes from."],
  LOOKUP_REQUEST_FAILED: [400, "The receiver's institution did not accept the lookup."],
  PARSE_LNURLP_RESPONSE_ERROR: [
    400,
    "The answer of the receiver's institution to the lookup could not be read.",
  ],
  MISSING_REQUIRED_UMA_PARAMETERS: [
    400,
    "The answer of the receiver's institution lacks parts that UMA requires.",
  ],
  SENDER_NOT_ACCEPTED: [400, "The receiver's institution does not accept this sender."],
  QUOTE_REQUEST_FAILED: [400, "The receiver's institution did not accept the request to pay."],
  PARSE_PAYREQ_RESPONSE_ERROR: [
    400,
    "The answer of the receiver's institution to the request to pay could not be read.",
  ],
  INVALID_PAYREQ_RESPONSE: [
    400,
    "The answer of the receiver's institution contradicts itself or the request to pay.",
  ],
  INVALID_PUBKEY_FORMAT: [400, "The keys of the other institution could not be read."],
  CERT_CHAIN_INVALID: [400, "The certificates of the other institution are not valid."],
  CERT_CHAIN_EXPIRED: [400, "The certificates of the other institution have expired."],
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: [400, "The account has an EMAIL_OTP credential."],
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: [400, "The account has a PASSKEY credential."],
  LAST_CREDENTIAL: [400, "An account keeps at least one credential."],
  WEBHOOK_ENDPOINT_NOT_SET: [400, "The platform has no webhook endpoint; PATCH /config sets one."],
  WEBHOOK_DELIVERY_ERROR: [400, "The webhook could not be delivered."],
  UNAUTHORIZED: [401, "The credentials are missing or not valid."],
  FORBIDDEN: [403, "The credentials do not permit this."],
  USER_NOT_READY: [
    403,
    "The customer is not verified; POST /verifications submits it to the check.",
  ],
  COUNTERPARTY_NOT_ALLOWED: [403, "The platform's policy refuses the other institution."],
  VELOCITY_LIMIT_EXCEEDED: [403, "The receiver has reached a limit at their institution."],
  APPROVAL_NOT_YOURS: [403, "This approval is for another person to decide."],
  UMA_NOT_FOUND: [404, "This UMA address is unknown or cannot be paid."],
  NOT_FOUND: [404, "There is nothing at this path."],
  REFERENCE_NOT_FOUND: [404, "The referenced object does not exist."],
  USER_NOT_FOUND: [404, "The customer does not exist."],
  TOKEN_NOT_FOUND: [404, "The token does not exist."],
  INVITATION_NOT_FOUND: [404, "The invitation does not exist."],
  TRANSACTION_NOT_FOUND: [404, "The transaction does not exist."],
  BULK_UPLOAD_JOB_NOT_FOUND: [404, "The bulk upload job does not exist."],
  QUOTE_NOT_FOUND: [404, "The quote does not exist."],
  LEDGER_ACCOUNT_NOT_FOUND: [404, "The ledger account does not exist."],
  POSTING_NOT_FOUND: [404, "The posting does not exist."],
  STATEMENT_NOT_FOUND: [404, "The statement does not exist."],
  EXPORT_NOT_FOUND: [404, "The export does not exist."],
  WEBHOOK_ENDPOINT_NOT_FOUND: [404, "The webhook endpoint does not exist."],
  EVENT_NOT_FOUND: [404, "The event does not exist."],
  APPROVAL_NOT_FOUND: [404, "The approval does not exist."],
  REQUEST_LOG_NOT_FOUND: [404, "The logged call does not exist, or is too old."],
  LOOKUP_REQUEST_NOT_FOUND: [404, "The lookup does not exist or is too old."],
  METHOD_NOT_ALLOWED: [405, "This path does not take this method."],
  CONFLICT: [
    409,
    "An object is in another state than the one that the call needs; the message names both.",
  ],
  ACCOUNT_FROZEN: [409, "The account is frozen."],
  CUSTOMER_FROZEN: [409, "The customer is frozen."],
  DUPLICATE_ENTRY: [409, "The connection has an entry with this bank reference already."],
  RAIL_PAUSED: [409, "The connection for this payment is paused."],
  RATE_STALE: [409, "The exchange rate that is known is too old."],
  FX_LIMIT: [409, "The exchange would take the platform's position in a currency past its limit."],
  RATE_MOVED: [
    409,
    "The price has moved beyond the bound of the order; ask again at the new price.",
  ],
  QUOTE_EXPIRED: [409, "The quote was not executed in time."],
  UMA_ADDRESS_EXISTS: [409, "The UMA address or domain is taken."],
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: [
    409,
    "The transaction is not waiting for the platform's approval.",
  ],
  CUSTOMER_DELETED: [410, "The customer was deleted."],
  UNSUPPORTED_UMA_VERSION: [
    412,
    "The other institution speaks another version of UMA than this server.",
  ],
  PAYLOAD_TOO_LARGE: [413, "The body is larger than is accepted."],
  UNSUPPORTED_MEDIA_TYPE: [415, "The body is not of the type that this operation takes."],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    "The Idempotency-Key was used with a different request; send a new key with a new request.",
  ],
  LNURLP_REQUEST_FAILED: [424, "The receiver's institution did not answer the lookup."],
  PAYREQ_REQUEST_FAILED: [424, "The receiver's institution did not answer the request to pay."],
  COUNTERPARTY_PUBKEY_FETCH_ERROR: [424, "The keys of the other institution could not be fetched."],
  NO_COMPATIBLE_UMA_VERSION: [
    424,
    "The other institution and this server have no version of UMA in common.",
  ],
  RATE_LIMITED: [429, "Too many requests."],
  INTERNAL_ERROR: [500, "Something went wrong on our side."],
  NOT_IMPLEMENTED: [501, "This needs a payment rail that this deployment does not have."],
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: [
    501,
    "The receiver's institution does not know a field that this platform requires of receivers.",
  ],
  SERVICE_UNAVAILABLE: [503, "The service is busy or restarting; try again."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof TABLE;

/** The refusal of a violated constraint: a code with its default message or with a specific one. */
export type ConstraintRefusal =
  | RefusalCode
  | { readonly code: RefusalCode; readonly details: JsonObject; readonly message: string };

export function refusalOfConstraint(meant: ConstraintRefusal): Refusal {
  if (typeof meant === "string") return new Refusal(meant);
  return new Refusal(meant.code, meant.details, meant.message);
}

export const refusalCodes = Object.keys(TABLE) as readonly RefusalCode[];

export function statusOf(code: RefusalCode): number {
  return TABLE[code][0];
}

export function messageOfCode(code: RefusalCode): string {
  return TABLE[code][1];
}

/**
 * An expected refusal. Thrown in `decide`, it rolls back its command; under an idempotency key it is stored and replayed.
 * `details` are sent to the caller unchanged, so they contain only data of the caller.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly details: JsonObject | undefined;
  /** Whether the refusal is stored under the idempotency key and replayed. */
  readonly isFinal: boolean;

  constructor(code: RefusalCode, details?: JsonObject, message?: string, isFinal = true) {
    super(message ?? TABLE[code][1]);
    this.code = code;
    this.details = details;
    this.isFinal = isFinal;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** A CONFLICT of states: `The quote is COMPLETED; only a PENDING quote can be executed.` */
export function wrongState(state: {
  readonly object: string;
  readonly status: string;
  readonly needed: string;
  /** The participle of the refused action, such as `executed`; after it, if anything, what to do instead. */
  readonly action: string;
}): Refusal {
  const { object, status, needed, action } = state;
  const article = /^[AEIOU]/.test(needed) ? "an" : "a";
  const message = `The ${object} is ${status}; only ${article} ${needed} ${object} can be ${action}.`;
  return new Refusal("CONFLICT", { status }, message);
}

/** The refusal of an amount outside of its limits, all in the smallest unit. */
export function outOfRange(limits: {
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly minAmount: number;
  readonly maxAmount: number;
}): Refusal {
  const { currency, amountMinor, minAmount, maxAmount } = limits;
  return new Refusal(
    "AMOUNT_OUT_OF_RANGE",
    { currency, minAmount, maxAmount },
    `The amount ${amountMinor} is not between ${minAmount} and ${maxAmount}, the limits of the platform in ${currency}.`,
  );
}

/** The refusal for a balance that is too low. Amounts are in the smallest unit; the id is the wire id. */
export function lowBalance(shortage: {
  readonly accountId: string;
  readonly currency: string;
  readonly availableMinor: bigint;
  readonly neededMinor: bigint;
}): Refusal {
  const { accountId, currency, availableMinor, neededMinor } = shortage;
  return new Refusal(
    "INSUFFICIENT_BALANCE",
    { accountId, currency, available: Number(availableMinor), needed: Number(neededMinor) },
    `${accountId} has ${availableMinor} available and ${neededMinor} are needed, in the smallest unit of ${currency}.`,
  );
}

export interface FieldError {
  readonly field: string;
  readonly message: string;
  readonly constraint?: JsonObject;
  /** Valid values that are similar to the given one. */
  readonly nearest?: readonly string[];
  /** Of a batch: the place of the item, from 0, and its reference. */
  readonly index?: number;
  readonly reference?: string;
  /** Of a file: the row as a spreadsheet numbers it, and the column. */
  readonly row?: number;
  readonly column?: string;
}

/** An invalid field with a code and details of its own, which apply when all invalid fields have the same code. */
export interface CodedFault {
  readonly code: RefusalCode;
  readonly error: FieldError;
  readonly details?: JsonObject;
}

export function invalid(field: string, message: string): CodedFault {
  return { code: "INVALID_INPUT", error: { field, message } };
}

/** The common code of the faults, or INVALID_INPUT. */
export function commonCode(faults: readonly Pick<CodedFault, "code">[]): RefusalCode {
  const [first, ...others] = new Set(faults.map(({ code }) => code));
  return first !== undefined && others.length === 0 ? first : "INVALID_INPUT";
}

/** Refuses all invalid fields in one refusal; returns when there are none. */
export function refuseFaults(faults: readonly CodedFault[]): void {
  if (faults.length === 0) return;
  const code = commonCode(faults);
  const isCommon = faults.every((fault) => fault.code === code);
  const extra = isCommon ? Object.assign({}, ...faults.map(({ details }) => details)) : {};
  const errors = faults.map(({ error }) => error);
  throw invalidFields(errors, code, extra);
}

/**
 * A refusal with all invalid fields, which is the form of INVALID_INPUT. `details` also has `field` and `reason` of the first
 * one, for callers that read only one.
 */
export function invalidFields(
  errors: readonly FieldError[],
  code: RefusalCode = "INVALID_INPUT",
  details: JsonObject = {},
): Refusal {
  const [first] = errors;
  const lines = errors as unknown as JsonObject[];
  if (first === undefined) return new Refusal(code, { ...details, errors: lines });
  const { field, message: reason } = first;
  return new Refusal(code, { field, reason, ...details, errors: lines }, `${field}: ${reason}`);
}

export function invalidField(field: string, message: string, details?: JsonObject): Refusal {
  return invalidFields([{ field, message }], "INVALID_INPUT", details);
}
