import { findDesk } from "../../../../domain/rails/desk/desk.sql.ts";
import { wireDesk } from "../../../../wire/rails/desk.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import { platformTime } from "../../../request/platform-time.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";
import { deskItemOperations } from "./desk-items.ts";
import { deskOrderOperations } from "./desk-orders.ts";
import { deskReconciliationOperations } from "./desk-reconciliation.ts";

const getDesk = defineOperation({
  id: "getRailDesk",
  ...route(`GET ${ofPlatform("/rails/desk")}`, "PERSON", "rails.read"),
  tag: "Rails",
  summary: "Get what the desk has to do",
  description:
    "Of every connection that is not archived: the queue, the money in suspense, the next cut-off; and the orders that a person has taken.",
  answers: { 200: shown(wireDesk, "The desk.") },
  refusals: ["NOT_FOUND"],
  async handle({ principal: { platformId } }, services: Services) {
    const now = await platformTime(services, platformId);
    const desk = await findDesk(services.reads, platformId, now);
    return { status: 200, body: wireDesk.json(desk) };
  },
});

export const deskOperations = [
  getDesk,
  ...deskOrderOperations,
  ...deskItemOperations,
  ...deskReconciliationOperations,
];
