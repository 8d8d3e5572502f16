import { SOCKET_PORT } from "./settings.ts";

export interface SocketAddress {
  /** The directory of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/**
 * How the embedded PostgreSQL is reached. Each thing is said, and none is empty: what is, pg takes from variables like
 * PGSSLMODE and PGOPTIONS, which are there for another database of whoever starts the server.
 */
export function socketAddress(
  host: string,
  { user, database }: Pick<SocketAddress, "user" | "database">,
): SocketAddress {
  const said = {
    ssl: false,
    sslnegotiation: "postgres",
    options: "-c search_path=public",
    client_encoding: "UTF8",
    replication: "false",
  } as const;
  return { host, port: SOCKET_PORT, user, database, ...said };
}
