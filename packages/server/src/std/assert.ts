/** A programming error: logged with its stack, answered with a 500 without detail. */
export class Bug extends Error {
  override readonly name = "Bug";
}

/** Throws a `Bug` when the condition is false. `invariant` names the line of docs/invariants.md where there is one. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new Bug(invariant);
}

/** Throws a `Bug` when the value is missing. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Bug(`${what} is missing`);
  return value;
}
