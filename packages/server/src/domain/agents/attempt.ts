import { Refusal } from "../../engine/refusal.ts";

/**
 * Runs a part of a command whose refusal is not the command's own: an order that cannot be carried out makes its action
 * FAILED. It leaves nothing behind, because a command refuses before it writes.
 */
export function attempt<Outcome>(run: () => Outcome): Outcome | Refusal {
  try {
    return run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
