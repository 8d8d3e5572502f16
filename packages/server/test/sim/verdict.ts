/** The answer to an order: OK, the rule or code of a refusal, or the status of an agent's action. */
export type Verdict = "OK" | string;

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
