import type { Command } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { toWireId } from "../../../std/ids.ts";
import type { JsonObject } from "../../../std/json.ts";
import { scheduleJob } from "../../job-kinds.ts";
import {
  type EventResend,
  eventResends,
  MOST_RUNNING_RESENDS,
  type ResendPart,
  type ResendSelection,
  runningResends,
} from "./event-resend.ts";

export interface StartEventResendInput {
  readonly filter: JsonObject;
  readonly selection: ResendSelection;
  readonly endpoints: readonly Pick<ResendPart, "endpointId" | "matched">[];
  /** Stores nothing: the result shows what would be ordered. */
  readonly isDryRun: boolean;
}

/**
 * Orders events to be sent again; an order without any event is complete at once. Refuses when the platform has too many running orders.
 */
export const startEventResend: Command<StartEventResendInput, EventResend> = {
  name: "start-event-resend",
  needs: () => [runningResends],
  decide(world, { filter, selection, endpoints, isDryRun }) {
    const running = world.all(runningResends);
    if (!isDryRun && running.length >= MOST_RUNNING_RESENDS) {
      const resendIds = running.map(({ id }) => toWireId("EventResend", id));
      const message = `${MOST_RUNNING_RESENDS} resends are RUNNING; start another one when one of them has ended, or cancel one.`;
      throw new Refusal("CONFLICT", { most: MOST_RUNNING_RESENDS, resendIds }, message);
    }

    const id = world.newId();
    const parts = endpoints
      .filter(({ matched }) => matched > 0)
      .map(({ endpointId, matched }): ResendPart => {
        const payload = { resendId: id, endpointId };
        const job = { kind: "resend-events", payload, dueAt: world.at } as const;
        const jobId = isDryRun ? "" : scheduleJob(world, job);
        return { endpointId, jobId, matched, state: "RUNNING" };
      });
    const isEmpty = parts.length === 0;
    const resend: EventResend = {
      id,
      state: isEmpty ? "COMPLETED" : "RUNNING",
      filter,
      selection,
      parts,
      matched: BigInt(parts.reduce((sum, { matched }) => sum + matched, 0)),
      createdAt: world.at,
      updatedAt: world.at,
      endedAt: isEmpty ? world.at : null,
    };
    return isDryRun ? resend : world.put(eventResends, resend);
  },
};
