/**
 * A receiver of webhooks for the last minute of a demo, on this machine. One path takes everything, the other one fails half of the time.
 * Without it no incoming UMA payment could be taken, because the platform is asked about each.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Receiver {
  readonly goodUrl: string;
  readonly flakyUrl: string;
  close(): Promise<void>;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Only a server on this machine reaches a receiver on this machine. */
export function isReachedFrom(apiUrl: string): boolean {
  return LOOPBACK.has(new URL(apiUrl).hostname);
}

export async function openReceiver(): Promise<Receiver> {
  let taken = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      taken += 1;
      const fails = request.url === "/flaky" && taken % 2 === 0;
      response.writeHead(fails ? 500 : 200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    goodUrl: `http://127.0.0.1:${port}/webhooks`,
    flakyUrl: `http://127.0.0.1:${port}/flaky`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
