import type { Command } from "../../../engine/command.ts";
import { afterBankingDays } from "../connections/calendar.ts";
import { railConnections } from "../connections/rail-connection.ts";
import { railItemSubject, railItems, scheduleAge, TOLD_AGES } from "./rail-item.ts";

export interface AgeRailItemInput {
  readonly itemId: string;
  readonly jobId: string;
}

/** Emits an event with the age of an item that is still open, and schedules the next age. A repeated run changes nothing. */
export const ageRailItem: Command<AgeRailItemInput, undefined> = {
  name: "age-rail-item",
  needs(world, { itemId }) {
    const item = world.find(railItems.ref(itemId));
    const ref = railItems.ref(itemId);
    return item === undefined ? [ref] : [ref, railConnections.ref(item.connectionId)];
  },
  decide(world, { itemId, jobId }) {
    const item = world.get(railItems.ref(itemId));
    world.cancel(jobId);
    if (item.jobId !== jobId) return;
    const connection = world.get(railConnections.ref(item.connectionId));
    const agedDays = TOLD_AGES.filter(
      (days) => afterBankingDays(connection, item.createdAt, days) <= world.at,
    );
    const told = Math.max(item.agedDays, ...agedDays);
    const aged = world.put(railItems, {
      ...item,
      agedDays: told,
      jobId: scheduleAge(world, item, told),
    });
    // The calendar may have changed since scheduling, so the age may not be reached yet.
    if (told > item.agedDays) world.emit("RAIL_ITEM.AGED", railItemSubject(aged));
  },
};
