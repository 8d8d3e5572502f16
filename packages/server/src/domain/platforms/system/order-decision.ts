/**
 * Notes in the workspace of an operator that the operator decides a verification of a platform. The decision is a command of the platform and
 * is submitted after this one, so there is none without this entry; the log of the platform says whether it was refused after all.
 */
import type { Command } from "../../../engine/command.ts";

export const orderDecision: Command<undefined, undefined> = {
  name: "order-verification-decision",
  isNoted: true,
  needs: () => [],
  decide: () => undefined,
};
