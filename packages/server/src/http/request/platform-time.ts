import { clockOffsetOf } from "../../domain/platforms/platform.sql.ts";
import type { CodedFault, FieldError } from "../../engine/refusal.ts";
import type { JudgeSurroundings, Principal } from "./operation.ts";
import type { Services } from "./services.ts";

/** A platform's time, as its clock stands now. */
export async function platformTime(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
): Promise<number> {
  return clock.now() + (await clockOffsetOf(reads, platformId));
}

/**
 * What a rule about days to come finds by the platform's clock, to be named besides. That clock is never behind the host's,
 * so it is read only for what lies ahead of the latter.
 */
export async function besidesByTime(
  { principal: { platformId }, context }: JudgeSurroundings<Services, Principal>,
  faultsAt: (at: number) => readonly CodedFault[],
): Promise<readonly FieldError[]> {
  if (faultsAt(context.clock.now()).length === 0) return [];
  return faultsAt(await platformTime(context, platformId)).map(({ error }) => error);
}
