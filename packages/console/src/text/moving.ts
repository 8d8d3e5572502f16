/** States that end by themselves, usually soon. What waits for a person or for another day is not among them. */
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
