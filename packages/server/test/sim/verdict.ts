/** The answer to an order: OK, the rule or code of a refusal, or the status of an agent's action. */
export type Verdict = "OK" | string;

/** How often each verdict occurred. */
export type Tally = Map<Verdict, number>;

export function count(tally: Tally, verdict: Verdict): void {
  tally.set(verdict, (tally.get(verdict) ?? 0) + 1);
}

/** Continues when no verdict is a refusal. */
export function andThen(
  verdicts: readonly Verdict[],
  next: () => readonly Verdict[],
): readonly Verdict[] {
  return verdicts.flatMap((verdict) => (verdict === "OK" ? next() : [verdict]));
}

/** Whether the answer is stored under its key; refusals of credentials or permissions are not. */
export function isKept({
  status,
  body,
}: {
  readonly status: number;
  readonly body: string;
}): boolean {
  return status !== 401 && !(status === 403 && body.includes('"PERMISSION"'));
}
