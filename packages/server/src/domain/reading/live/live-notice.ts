/** What a console is told of an event: which object it is about, and no more of it. */

import { type EventContent, type EventType, eventCatalogue } from "../../event-catalogue.ts";
import type { Capability } from "../../people/role.ts";

export interface LiveNotice {
  readonly seq: bigint;
  readonly kind: Exclude<EventContent, "nothing">;
  /** As the API names the object. */
  readonly id: string;
  /** The part of the event's type that says what happened: `COMPLETED`. */
  readonly status: string;
}

/** What a person must hold to be told of an object of this kind. */
const TOLD_WITH: Readonly<Record<LiveNotice["kind"], Capability>> = {
  Transaction: "payments.read",
  InternalAccount: "accounts.read",
  AlertedBalance: "accounts.read",
  Customer: "customers.read",
  Invitation: "invitations.read",
  Verification: "customers.read",
  BulkJob: "customers.read",
  AgentAction: "agents.read",
  WebhookEndpoint: "webhooks.read",
  RailConnection: "rails.read",
  RailPayment: "rails.read",
  RailItem: "rails.read",
  RailStatement: "rails.read",
  RateSource: "rates.read",
  Approval: "payments.read",
  Adjustment: "ledger.read",
  Checkpoint: "ledger.read",
};

export const noticeKinds = Object.keys(TOLD_WITH) as readonly LiveNotice["kind"][];

export function mayBeTold({ kind }: LiveNotice, held: ReadonlySet<Capability>): boolean {
  return held.has(TOLD_WITH[kind]);
}

/** Undefined for an event that is about no object. */
export function toNotice(seq: bigint, type: string, subject: string): LiveNotice | undefined {
  const kind = eventCatalogue[type as EventType]?.data;
  if (kind === undefined || kind === "nothing") return undefined;
  const place = type.includes(".") ? type.indexOf(".") : type.lastIndexOf("_");
  return { seq, kind, id: subject, status: type.slice(place + 1) };
}
