/** States that end without a person, usually soon, so they are polled. States that wait for a person or for another day are not listed. */
const MOVING: ReadonlySet<string> = new Set([
  "CREATED",
  "PENDING",
  "PROCESSING",
  "SENDING",
  "WAITING",
  "BEHIND",
  "RUNNING",
]);

export function isMovingState(state: string): boolean {
  return MOVING.has(state);
}
