import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { openApi } from "./bench-api.ts";
import { type BenchServer, environmentOf, type ServerOptions } from "./bench-server.ts";
import { type Figures, measureAccepted, type Phase } from "./load-phase.ts";
import { NOBODY, populate } from "./seed.ts";

export interface Neighbour {
  readonly api: ReturnType<typeof openApi>;
  /** Keeps sending payments for as long as a measured load takes. */
  load(phase: Pick<Phase, "warmupMs" | "durationMs">): Promise<Figures>;
}

const ACCOUNTS = 200;
const CONNECTIONS = 32;

/** Creates another sandbox platform on the server, with accounts of its own. */
export async function makeNeighbour(
  server: BenchServer,
  options: ServerOptions,
): Promise<Neighbour> {
  const { PORT: _port, ...env } = environmentOf(options);
  const wish = ["--name", "neighbour", "--environment", "sandbox", "--uma-domain", "next.test"];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [options.main, "platform", "create", ...wish],
    { env },
  );
  const word = (name: string) => {
    const [, value] = new RegExp(`^${name} +(\\S+)$`, "m").exec(stdout) ?? [];
    if (value === undefined) throw new Error(`the new platform has no ${name}`);
    return value;
  };
  const api = openApi(server, {
    clientId: word("clientId"),
    clientSecret: word("clientSecret"),
  });
  const target = { port: server.port, api };
  const { accounts, silent } = await populate(target, { count: ACCOUNTS, known: NOBODY });
  const between = { sources: accounts, destinations: silent, connections: CONNECTIONS };
  return { api, load: (phase) => measureAccepted({ ...phase, ...target, ...between }) };
}
