import { clockOffsetOf } from "../../domain/platform.sql.ts";
import type { CodedFault, FieldError } from "../../engine/refusal.ts";
import type { JudgeSurroundings, Principal } from "./operation.ts";
import type { Services } from "./services.ts";

/** The current time of a platform's clock. */
export async function platformTime(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
): Promise<number> {
  return clock.now() + (await clockOffsetOf(reads, platformId));
}

/**
 * The faults of a rule about future dates, by the platform's clock. That clock is never behind the host's, so it is
 * read only when the host's clock already finds a fault.
 */
export async function faultsByPlatformTime(
  { principal: { platformId }, context }: JudgeSurroundings<Services, Principal>,
  faultsAt: (at: number) => readonly CodedFault[],
): Promise<readonly FieldError[]> {
  if (faultsAt(context.clock.now()).length === 0) return [];
  return faultsAt(await platformTime(context, platformId)).map(({ error }) => error);
}
