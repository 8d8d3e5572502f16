/** Ids of the API: `Transaction:0199a5d2-…`. */

/** The id of a delivery contains two uuids: of its endpoint and of its event. */
const UUIDS = /^(?:\.?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}){1,2}$/i;

export interface ObjectId {
  readonly kind: string;
  readonly uuid: string;
}

export function readId(text: string): ObjectId | undefined {
  const [kind = "", uuid = "", ...rest] = text.trim().split(":");
  if (rest.length > 0 || !/^[A-Z][A-Za-z]+$/.test(kind) || !UUIDS.test(uuid)) return undefined;
  return { kind, uuid };
}

/** The pages of objects, below the platform. A kind without a page is not listed. */
const PLACES: Readonly<Record<string, string>> = {
  Approval: "approvals",
  PaymentSchedule: "schedules",
  Transaction: "payments",
  Customer: "customers",
  InternalAccount: "accounts",
  ExternalAccount: "external-accounts",
  LedgerAccount: "ledger",
  PaymentBatch: "batches",
  Quote: "quotes",
  Hold: "holds",
  Webhook: "events",
  WebhookEndpoint: "webhooks",
  WebhookDelivery: "deliveries",
  RequestLog: "requests",
  Agent: "agents",
  Invitation: "invitations",
  RailConnection: "rails",
  RailPayment: "rail-queue",
  RailItem: "rail-items",
  RailMark: "rail-marks",
  RailEntry: "rail-entries",
  RailReceivable: "rail-receivables",
  Verification: "verifications",
};

export function placeOf(id: string): string | undefined {
  const found = readId(id);
  const place = found === undefined ? undefined : PLACES[found.kind];
  return place === undefined ? undefined : `${place}/${id.trim()}`;
}

/** The last characters, which distinguish ids: the first blocks are the time, which is the same for neighbours. */
export function shortId(id: string): string {
  return readId(id)?.uuid.slice(-6) ?? id;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-([0-9a-f]{12})/gi;

/** A text with ids in it, such as a path, each id with its end alone. */
export function shortenIds(text: string): string {
  return text.replaceAll(UUID, (_, end: string) => `\u2026${end.slice(-6)}`);
}

export function isUuid(text: string): boolean {
  return UUIDS.test(text);
}
