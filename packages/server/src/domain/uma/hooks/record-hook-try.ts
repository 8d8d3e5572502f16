import type { Command } from "../../../engine/command.ts";
import { type PaidChannel, scheduleJob } from "../../job-kinds.ts";
import { newHook, type UmaHook, umaHooks, waitAfter } from "./uma-hook.ts";

export interface HookTry {
  readonly transactionId: string;
  readonly jobId: string;
  /** How often it was tried before. */
  readonly tries: number;
  readonly channels?: readonly PaidChannel[] | undefined;
  /** `over`: nothing was sent, because the payment is not settled any more, or this try was made before. */
  readonly outcome: "sent" | "failed" | "over";
}

/**
 * Records a try to tell the other institution of a payment. A try that failed is followed by a job for the next one, until a day has passed. A
 * try that was recorded before changes nothing.
 */
export const recordHookTry: Command<HookTry, undefined> = {
  name: "record-uma-hook-try",
  needs: (_world, { transactionId }) => [umaHooks.ref(transactionId)],
  decide(world, { transactionId, jobId, tries, channels, outcome }) {
    const hook = world.find(umaHooks.ref(transactionId)) ?? newHook(transactionId, world.at);
    world.cancel(jobId);
    if (!isNextTry(hook, tries)) return;
    const tried = after(hook, outcome);
    if (tried === hook) return;
    world.put(umaHooks, { ...tried, updatedAt: world.at });
    const wait = waitAfter(tried.tries);
    if (tried.state !== "PENDING" || wait === undefined) return;
    scheduleJob(world, {
      kind: "send-uma-hook",
      payload: {
        transactionId,
        tries: tried.tries,
        ...(channels === undefined ? {} : { channels }),
      },
      dueAt: world.at + wait,
    });
  },
};

/** Whether the message is to be sent, after so many tries. */
export function isNextTry(
  { state, tries }: Pick<UmaHook, "state" | "tries"> = { state: "NONE", tries: 0 },
  before: number,
): boolean {
  return tries === before && state !== "SENT" && state !== "FAILED";
}

function after(hook: UmaHook, outcome: HookTry["outcome"]): UmaHook {
  if (outcome === "over") return hook.tries === 0 ? hook : { ...hook, state: "FAILED" };
  const tries = hook.tries + 1;
  if (outcome === "sent") return { ...hook, tries, state: "SENT" };
  return { ...hook, tries, state: waitAfter(tries) === undefined ? "FAILED" : "PENDING" };
}
