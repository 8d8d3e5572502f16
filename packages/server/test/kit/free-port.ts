import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections and to listeners on port 0: from 32,768 on Linux, 49,152 elsewhere. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/**
 * A port that is free and stays so until a program listens on it, also while that program is killed and started again. No connection and no
 * other listener takes it by chance; two tests draw the same one once in 22,000 times.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
