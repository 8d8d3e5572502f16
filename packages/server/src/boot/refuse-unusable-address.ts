import { createServer } from "node:net";
import { StartRefused } from "../std/errors.ts";

/**
 * Refuses an address on which the server cannot listen, before a platform is created, by listening there for a moment.
 * Another process may still take the address before the server starts; the start then fails without losing anything
 * (first-credentials.ts).
 */
export function refuseUnusableAddress(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // An open connection would delay `close`.
    const probe = createServer((socket) => socket.destroy());
    probe.on("error", (error) =>
      reject(
        new StartRefused(
          `cannot listen on HOST and PORT (${error.message}); another server may be running there`,
          { cause: error },
        ),
      ),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}
