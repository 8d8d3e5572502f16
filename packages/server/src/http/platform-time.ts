import { clockOffsetOf } from "../domain/platforms/platform.sql.ts";
import type { Services } from "./services.ts";

/** A platform's time, as its clock stands now. */
export async function platformTime(
  { reads, clock }: Pick<Services, "reads" | "clock">,
  platformId: string,
): Promise<number> {
  return clock.now() + (await clockOffsetOf(reads, platformId));
}
