import { createServer } from "node:net";
import { StartRefused } from "../../std/errors.ts";

/**
 * Refuses an address that cannot be listened on, before a platform is made: it listens there for a moment. Somebody may
 * still take it before the server does; the start fails late then, and loses nothing (first-credentials.ts).
 */
export function refuseUnusableAddress(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // An open connection would delay the close.
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
