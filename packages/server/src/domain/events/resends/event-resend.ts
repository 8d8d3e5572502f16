/** An order to send many events again. The delivery worker carries it out, an endpoint at a time (webhooks/resends). */

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
 * COMPLETED  final; every event that was selected had its attempt, or had been taken by then
 * STOPPED    final; an endpoint was taken away, disabled, answered 410 or was down too long, and part of the events was not sent
 * CANCELLED  final; the platform has ended it
 */
export const resendStates = ["RUNNING", "COMPLETED", "STOPPED", "CANCELLED"] as const;

export type ResendState = (typeof resendStates)[number];

export const partStates = ["RUNNING", "COMPLETED", "STOPPED"] as const;

export type PartState = (typeof partStates)[number];

/** Which events. Their sequences are bounded, so that events of later are never among them. */
export type ResendSelection = {
  /** Empty for all types. */
  readonly types: readonly string[];
  readonly subject: string | null;
  /** A sequence in decimal digits; exclusive. */
  readonly after: string;
  /** Inclusive. */
  readonly upTo: string;
  /** Only those that the endpoint has not taken: parked ones and those that were given up. */
  readonly isFailedOnly: boolean;
};

/** What is sent to one endpoint. */
export type ResendPart = {
  readonly endpointId: string;
  readonly jobId: string;
  readonly matched: number;
  readonly state: PartState;
};

const columns = {
  id: fixed("uuid"),
  state: mutable<ResendState>("text"),
  /** As the platform asked for it. */
  filter: fixed<JsonObject>("json"),
  selection: fixed<ResendSelection>("json"),
  parts: mutable<readonly ResendPart[]>("json"),
  /** Deliveries: an event counts for each endpoint. */
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

/** Of a platform at a time. Those of one endpoint follow each other. */
export const MOST_RUNNING_RESENDS = 4;

/** How many events one order may select: at 100 a second they take less than 20 minutes. */
export const MOST_RESENT_EVENTS = 100_000;
