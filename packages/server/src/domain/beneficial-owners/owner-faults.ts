import type { CodedFault } from "../../engine/refusal.ts";
import { futureFault } from "../customers/customer-faults.ts";

export function birthDateFaults(
  { birthDate }: { readonly birthDate?: string | undefined },
  at: number,
): readonly CodedFault[] {
  return futureFault("personalInfo.birthDate", birthDate, at);
}
