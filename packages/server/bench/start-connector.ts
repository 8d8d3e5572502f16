/** Starts the connector of the benches as a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./connector-process.js", import.meta.url));

export async function startConnector(secret: string) {
  const child = spawn(process.execPath, [PROGRAM, secret], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = String((await lines.next()).value);
  return {
    host: `127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}
