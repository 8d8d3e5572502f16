/** Lets the event loop serve what waits, such as sockets, before a long computation goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
