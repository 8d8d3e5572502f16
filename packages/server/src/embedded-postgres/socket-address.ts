import { SOCKET_PORT } from "./settings.ts";

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/**
 * The connection options of the embedded PostgreSQL. All options are set to non-empty values: pg replaces an empty option by
 * variables like PGSSLMODE and PGOPTIONS, which the operator may have set for another database.
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
