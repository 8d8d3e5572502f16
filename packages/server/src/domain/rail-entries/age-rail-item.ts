import type { Command } from "../../engine/command.ts";
import {
  afterWorkingDays,
  railItemSubject,
  railItems,
  scheduleAge,
  TOLD_AGES,
} from "./rail-item.ts";

export interface AgeRailItemInput {
  readonly itemId: string;
  readonly jobId: string;
}

/** Tells the age of an item that is still open, and schedules the next age. A repeated run changes nothing. */
export const ageRailItem: Command<AgeRailItemInput, undefined> = {
  name: "age-rail-item",
  needs: (_world, { itemId }) => [railItems.ref(itemId)],
  decide(world, { itemId, jobId }) {
    const item = world.get(railItems.ref(itemId));
    world.cancel(jobId);
    if (item.jobId !== jobId) return;
    const { createdAt } = item;
    const agedDays = TOLD_AGES.filter((days) => afterWorkingDays(createdAt, days) <= world.at);
    const told = Math.max(item.agedDays, ...agedDays);
    const aged = world.put(railItems, {
      ...item,
      agedDays: told,
      jobId: scheduleAge(world, item, told),
    });
    world.emit("RAIL_ITEM.AGED", railItemSubject(aged));
  },
};
