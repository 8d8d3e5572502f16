import pg from "pg";
import { SUPERUSER } from "./cluster.ts";
import { socketAddress } from "./socket-address.ts";

/**
 * The state of the server on the socket. `open` also gives its data directory and version. `busy`: it refuses connections,
 * because it recovers or shuts down. `mute`: it does not answer in time.
 */
export type Reply =
  | { readonly kind: "open"; readonly cluster: string; readonly version: string }
  | { readonly kind: "busy" }
  | { readonly kind: "mute" };

const ANSWER_LIMIT_MS = 2_000;
const CANNOT_CONNECT_NOW = "57P03";

export async function checkServer(socketDir: string): Promise<Reply> {
  const client = new pg.Client({
    ...socketAddress(socketDir, { user: SUPERUSER, database: SUPERUSER }),
    application_name: "florin supervisor",
    connectionTimeoutMillis: ANSWER_LIMIT_MS,
    query_timeout: ANSWER_LIMIT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const answer = await client.query<{ cluster: string; version: string }>(
      "select current_setting('data_directory') as cluster, current_setting('server_version') as version",
    );
    const [row] = answer.rows;
    return row === undefined ? { kind: "mute" } : { kind: "open", ...row };
  } catch (error) {
    const isBusy = error instanceof pg.DatabaseError && error.code === CANNOT_CONNECT_NOW;
    return { kind: isBusy ? "busy" : "mute" };
  } finally {
    close(client);
  }
}

/** Not awaited, because a frozen server does not answer the closing handshake. */
function close(client: pg.Client): void {
  client.end().catch(() => undefined);
}
