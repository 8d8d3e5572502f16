/** Starts the connector of the benches as a process of its own. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { BenchApi } from "./bench-api.ts";

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

/** Creates the route to the connector, disabled. */
export async function makeRoute(
  api: BenchApi,
  host: string,
  signingSecret: string,
): Promise<string> {
  const { id: connectionId } = await api.post("/rails/connections", {
    name: "bench",
    kind: "HTTP",
    currencies: ["USD"],
    account: { holderName: "Bench", label: "operating" },
    // The default of eight is for a connector of which nothing is known; it would measure how long an exchange takes.
    settings: { baseUrl: `http://${host}`, feed: false, concurrency: 32 },
    secrets: { signingSecret, callbackSecret: randomBytes(32).toString("hex") },
  });
  await api.post(`/rails/connections/${String(connectionId)}/activate`, {});
  const route = { name: "bench", direction: "OUT", currency: "USD", connectionId, enabled: false };
  return String((await api.post("/rails/routes", route)).id);
}
