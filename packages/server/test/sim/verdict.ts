/** How an order is answered: OK, the rule or the code of a refusal, or what became of an agent's action. */
export type Verdict = "OK" | string;

/** What follows where nothing has been refused so far. */
export function andThen(
  verdicts: readonly Verdict[],
  next: () => readonly Verdict[],
): readonly Verdict[] {
  return verdicts.flatMap((verdict) => (verdict === "OK" ? next() : [verdict]));
}
