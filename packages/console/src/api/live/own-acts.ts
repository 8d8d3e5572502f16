/** The last act in this tab. The effect of some acts comes after their answer, for example a delivery that is sent again. */
import { now } from "../../std/host.ts";

/** Longer than a receiver may take to answer. */
const EFFECT_MS = 20_000;

let actedAt = Number.NEGATIVE_INFINITY;

export function noteAct(): void {
  actedAt = now();
}

/** Whether the effect of an act may still come. */
export function awaitsEffect(): boolean {
  return now() - actedAt < EFFECT_MS;
}
