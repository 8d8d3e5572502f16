/** Yields to the event loop, so that a long computation does not block sockets and timers. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
