/** Turns values of the API into choices, with the same words as their state pills. */
import { wordOf } from "../text/messages.ts";
import type { Choice } from "./fields.tsx";

export function stateChoices(values: readonly string[], prefix = "state"): readonly Choice[] {
  return values.map((value) => ({ value, label: wordOf(prefix, value) }));
}

export const yesNo: readonly Choice[] = [
  { value: "true", label: wordOf("word", "yes") },
  { value: "false", label: wordOf("word", "no") },
];

export function plainChoices(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value }));
}
