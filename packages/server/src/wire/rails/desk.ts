/** What the desk of a platform has to do. */
import {
  connectionStatuses,
  everyConnectionKind,
} from "../../domain/rails/connections/rail-connection.ts";
import { type Desk, type DeskConnection, MOST_ON_DESK } from "../../domain/rails/desk/desk.sql.ts";
import type { DeskSummary, SoonCutOff } from "../../domain/rails/desk/desk-summary.ts";
import type { OrderLease } from "../../domain/rails/desk/order-lease.ts";
import { type Kit, wireObject } from "../wire-object.ts";
import { wireLease } from "./desk-orders.ts";

const connection = wireObject({}, ({ of, maybe }: Kit<DeskConnection>) => ({
  id: of.id("RailConnection", { example: 21 }),
  name: of.text({ example: "House bank" }),
  kind: of.enum(everyConnectionKind, { example: "MANUAL" }),
  status: of.enum(connectionStatuses, { example: "ACTIVE" }),
  queued: of.integer({ description: `Counted up to ${MOST_ON_DESK}.`, example: 3 }),
  oldestQueuedAt: maybe.time({ example: "2026-11-21T10:00:00.000Z" }),
  items: of.integer({ description: `Counted up to ${MOST_ON_DESK}.`, example: 0 }),
  oldestItemAt: maybe.time(),
  cutOffAt: maybe.time({
    description: "The next cut-off of the connection's calendar.",
    example: "2026-11-21T15:30:00.000Z",
  }),
  lastCutOffAt: maybe.time({
    description: "The last cut-off before now: a queued order that is older has missed it.",
    example: "2026-11-20T15:30:00.000Z",
  }),
  breaks: of.integer({
    description: "Currencies whose last statement the entries do not explain.",
    example: 0,
  }),
}));

const lease = wireObject({}, ({ of }: Kit<OrderLease>) => ({
  paymentId: of.id("RailPayment", { from: "id", example: 23 }),
  workedBy: of.object(wireLease, { from: (row) => row, example: wireLease.example }),
}));

export const wireDesk = wireObject("RailDesk", ({ of }: Kit<Desk>) => ({
  connections: of.list(connection, { example: [connection.example] }),
  leases: of.list(lease, { example: [lease.example] }),
}));

const cutOff = wireObject({}, ({ of }: Kit<SoonCutOff>) => ({
  connectionId: of.id("RailConnection", { example: 21 }),
  connectionName: of.text({ from: "name", example: "House bank" }),
  at: of.time({ example: "2026-11-21T15:30:00.000Z" }),
  queued: of.integer({ example: 3 }),
}));

export const wireDeskSummary = wireObject(
  { description: "What the desk has to do; absent without a connection." },
  ({ of, maybe }: Kit<DeskSummary>) => ({
    queued: of.integer({ description: "At connections where people work.", example: 3 }),
    oldestQueuedAt: maybe.time({ example: "2026-11-21T10:00:00.000Z" }),
    missed: of.integer({
      description: "Connections whose oldest queued order has missed a cut-off.",
      example: 0,
    }),
    items: of.integer({ description: "Items in suspense.", example: 1 }),
    oldestItemAt: maybe.time({ example: "2026-11-20T10:00:00.000Z" }),
    breaks: of.integer({
      description: "Books whose last statement the entries do not explain.",
      example: 0,
    }),
    cutOffs: of.list(cutOff, {
      description: "Of the next two hours, where orders wait.",
      example: [cutOff.example],
    }),
  }),
);
