/** How an order is answered: OK, the rule or the code of a refusal, or what became of an agent's action. */
export type Verdict = "OK" | string;

/** What follows where nothing has been refused so far. */
export function andThen(
  verdicts: readonly Verdict[],
  next: () => readonly Verdict[],
): readonly Verdict[] {
  return verdicts.flatMap((verdict) => (verdict === "OK" ? next() : [verdict]));
}

/** Whether a key that got this answer gets it again: not what the credentials or a permission were refused for. */
export function isKept({
  status,
  body,
}: {
  readonly status: number;
  readonly body: string;
}): boolean {
  return status !== 401 && !(status === 403 && body.includes('"PERMISSION"'));
}
