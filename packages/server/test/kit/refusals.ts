/** The refusal of a rule that needs no world. */
import { Refusal } from "../../src/engine/refusal.ts";

export function refusalIn(judge: () => unknown): Refusal | undefined {
  try {
    judge();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown;
    throw thrown;
  }
}
