/** The kinds of ids in the API, and how a message names an id of another kind than the one that is needed. */
import { fromWireId, isUuid } from "../std/ids.ts";

const NOUNS = {
  Adjustment: "an adjustment",
  Agent: "an agent",
  AgentAction: "an action of an agent",
  Approval: "an approval",
  ApprovalComment: "a comment on an approval",
  AuthMethod: "a wallet credential",
  AuditEntry: "an audit entry",
  BalanceAlert: "an alert on a balance",
  BeneficialOwner: "a beneficial owner",
  Checkpoint: "a checkpoint of the command log",
  Customer: "a customer",
  CustomerNote: "a note about a customer",
  Document: "a document",
  EventResend: "an order to send events again",
  Export: "an export",
  ExternalAccount: "an external account",
  Hold: "a hold",
  InternalAccount: "an internal account",
  Invitation: "an invitation",
  Job: "a bulk upload job",
  LedgerAccount: "a ledger account",
  Lookup: "a receiver lookup",
  Passkey: "a passkey",
  PaymentBatch: "a batch of payments",
  PaymentSchedule: "a payment schedule",
  Person: "a person",
  PersonInvite: "an invitation of a person",
  PersonSession: "a session of a person",
  PlatformConfig: "a platform configuration",
  Quote: "a quote",
  RailConnection: "a rail connection",
  RailEntry: "a rail entry",
  RailItem: "a rail item",
  RailMark: "a mark that waits",
  RailPayment: "a rail payment",
  RailReceivable: "a receivable",
  RailRoute: "a rail route",
  RailStatement: "a statement of a rail connection",
  RateObservation: "an observation of rates",
  RateSource: "a rate source",
  Request: "a request for a signature",
  RequestLog: "a logged call",
  ScheduleRun: "a run of a payment schedule",
  Session: "a wallet session",
  SsoIssuer: "an issuer for sign-in",
  Statement: "a statement",
  Token: "a token",
  Transaction: "a transaction",
  TransferGroup: "a transfer of several legs",
  UmaCounterparty: "a UMA counterparty",
  UmaExchange: "an exchange with another institution",
  UmaKey: "a UMA key",
  UmaDomain: "a UMA domain",
  UmaInvoice: "an invoice of a UMA payment",
  Verification: "a verification",
  VerifyRun: "a check of the books",
  Webhook: "an event",
  WebhookDelivery: "a webhook delivery",
  WebhookEndpoint: "a webhook endpoint",
  Workspace: "a workspace",
} as const;

export type IdKind = keyof typeof NOUNS;

/** The kind of a well-formed wire id; undefined for any other text. */
export function kindOfId(raw: string): IdKind | undefined {
  const kind = raw.slice(0, raw.indexOf(":"));
  return isKind(kind) && fromWireId(kind, raw) !== undefined ? kind : undefined;
}

/**
 * The complaint `is an external account; this field takes an internal one` about an id of an unwanted kind; undefined for a wanted id
 * and for a text that is no id.
 */
export function otherKindComplaint(raw: unknown, wanted: readonly IdKind[]): string | undefined {
  if (typeof raw === "string" && isUuid(raw)) {
    return `lacks the prefix ${wanted.map((one) => `${one}:`).join(" or ")}`;
  }
  const kind = typeof raw === "string" ? kindOfId(raw) : undefined;
  if (kind === undefined || wanted.includes(kind)) return undefined;
  const nouns = wanted.map((one) => nounBeside(one, kind));
  return `is ${NOUNS[kind]}; this field takes ${nouns.join(" or ")}`;
}

/** The complaint about an id of another kind in a path; undefined for a wanted id and for a text that is no id. */
export function otherKindInPath(raw: string, wanted: IdKind): string | undefined {
  if (isUuid(raw)) return `The id lacks the prefix ${wanted}:`;
  const kind = kindOfId(raw);
  if (kind === undefined || kind === wanted) return undefined;
  return `The id ${raw} is of ${NOUNS[kind]}; it must be of ${NOUNS[wanted]}.`;
}

/** Shortens a noun that both kinds share: `an internal one` beside `an external account`. */
function nounBeside(wanted: IdKind, sent: IdKind): string {
  const [noun, other] = [NOUNS[wanted].split(" "), NOUNS[sent].split(" ")];
  const isShared = noun.length > 2 && noun.at(-1) === other.at(-1);
  return isShared ? [...noun.slice(0, -1), "one"].join(" ") : noun.join(" ");
}

function isKind(text: string): text is IdKind {
  return Object.hasOwn(NOUNS, text);
}
