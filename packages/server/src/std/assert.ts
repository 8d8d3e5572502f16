/** A broken promise of our own code: loud in the log, a 500 without detail for the caller. */
export class Bug extends Error {
  override readonly name = "Bug";
}

/** Stops on a state that must not exist. `invariant` names the line of docs/invariants.md where there is one. */
export function assert(condition: unknown, invariant: string): asserts condition {
  if (!condition) throw new Bug(invariant);
}

/** The value, which must be there. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Bug(`${what} is missing`);
  return value;
}
