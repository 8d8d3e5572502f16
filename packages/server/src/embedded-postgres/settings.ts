import { StartRefused } from "../std/errors.ts";

/** Never left to a setting: acknowledged commits are durable, and only this server may connect. */
const FIXED = {
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  data_sync_retry: "off",
  zero_damaged_pages: "off",
  ignore_checksum_failure: "off",
  listen_addresses: "",
  port: "5432",
  unix_socket_permissions: "0700",
  log_destination: "stderr",
  logging_collector: "off",
} as const;

const TUNED = {
  // A segment that was written before costs less to write than a new one, so the log comes around soon, and stays that long.
  max_wal_size: "1GB",
  min_wal_size: "1GB",
  checkpoint_timeout: "15min",
  checkpoint_completion_target: "0.9",
  // A new segment of 16 MB is not written out in advance: every commit waited for that, 60 ms each second under load.
  wal_init_zero: "off",
  max_connections: "100",
  autovacuum: "on",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  // A statement that fails may carry a customer's words.
  log_min_error_statement: "panic",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
} as const;

/** Set by us alone, from where things are. */
const PLACED = [
  "unix_socket_directories",
  "cluster_name",
  "data_directory",
  "config_file",
  "hba_file",
  "ident_file",
  "external_pid_file",
] as const;

export const SOCKET_PORT = Number(FIXED.port);

export interface PostmasterSettings {
  readonly cluster: string;
  readonly clusterName: string;
  readonly socketDir: string;
  readonly platform: string;
  readonly hasLz4: boolean;
  /** What this machine, or the container, has. */
  readonly memoryBytes: number;
  /** The operator's own; they win over the tuned ones. */
  readonly chosen: Readonly<Record<string, string>>;
}

/** The whole command line: what it does not say comes from the cluster's own files, which only this server writes. */
export function postmasterArgs(settings: PostmasterSettings): readonly string[] {
  refuseUnsettable(settings.chosen);
  const all: Record<string, string> = {
    ...TUNED,
    shared_buffers: `${sharedBuffersMegabytes(settings.memoryBytes)}MB`,
    wal_compression: settings.hasLz4 ? "lz4" : "off",
    ...settings.chosen,
    ...FIXED,
    unix_socket_directories: settings.socketDir,
    cluster_name: settings.clusterName,
  };
  // Apple's fsync stops at the drive's cache; this method is the one that reaches the platter.
  if (settings.platform === "darwin") all.wal_sync_method = "fsync_writethrough";
  return [
    "-D",
    settings.cluster,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

const MEGABYTE = 1024 ** 2;

/** An eighth of the memory: Node and the file cache need the rest, and whatever else runs here. It is taken as it is used. */
export function sharedBuffersMegabytes(memoryBytes: number): number {
  return Math.min(Math.max(Math.floor(memoryBytes / 8 / MEGABYTE), 128), 2_048);
}

function refuseUnsettable(chosen: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(chosen)) {
    if (name in FIXED || PLACED.some((placed) => placed === name)) {
      throw new StartRefused(`the embedded PostgreSQL's ${name} cannot be set`);
    }
    if (!/^[a-z_][a-z0-9_]*$/.test(name) || /[\n\r\0]/.test(value)) {
      throw new StartRefused(`${name} is not a setting of PostgreSQL with a plain value`);
    }
  }
}
