/** An order to send many events again. The delivery worker carries it out in one part per endpoint (webhooks/resends). */

import type { JsonObject } from "../../../std/json.ts";
import {
  defineSelection,
  defineTable,
  fixed,
  mutable,
  type RowOf,
} from "../../../tables/tables.ts";

/**
 * RUNNING    leaves to COMPLETED or STOPPED when its last part has ended, or to CANCELLED
 * COMPLETED  final; every selected event was attempted, or was accepted before its attempt
 * STOPPED    final; an endpoint was deleted, disabled, answered 410 or was down too long, and some events were not sent
 * CANCELLED  final; the platform has cancelled it
 */
export const resendStates = ["RUNNING", "COMPLETED", "STOPPED", "CANCELLED"] as const;

export type ResendState = (typeof resendStates)[number];

export const partStates = ["RUNNING", "COMPLETED", "STOPPED"] as const;

export type PartState = (typeof partStates)[number];

/** Which events to send. Their sequences have an upper bound, so later events are never among them. */
export type ResendSelection = {
  /** Empty for all types. */
  readonly types: readonly string[];
  readonly subject: string | null;
  /** A sequence in decimal digits; exclusive. */
  readonly after: string;
  /** Inclusive. */
  readonly upTo: string;
  /** Only events that the endpoint has not accepted: parked and given-up ones. */
  readonly isFailedOnly: boolean;
};

/** The part of an order for one endpoint. */
export type ResendPart = {
  readonly endpointId: string;
  readonly jobId: string;
  readonly matched: number;
  readonly state: PartState;
};

const columns = {
  id: fixed("uuid"),
  state: mutable<ResendState>("text"),
  /** The filter as the platform sent it. */
  filter: fixed<JsonObject>("json"),
  selection: fixed<ResendSelection>("json"),
  parts: mutable<readonly ResendPart[]>("json"),
  /** The number of deliveries: an event counts once per endpoint. */
  matched: fixed("int8"),
  createdAt: fixed("time"),
  updatedAt: mutable("time"),
  endedAt: mutable<number | null>("time"),
};

export interface EventResend extends RowOf<typeof columns> {}

export const eventResends = defineTable<EventResend>("event_resends", columns);

export const runningResends = defineSelection(eventResends, {
  name: "running",
  sql: "t.state = 'RUNNING'",
  holds: ({ state }) => state === "RUNNING",
});

/** The most running orders of a platform. Those for one endpoint run one after the other. */
export const MOST_RUNNING_RESENDS = 4;

/** How many events one order may select: at 100 a second they take less than 20 minutes. */
export const MOST_RESENT_EVENTS = 100_000;
