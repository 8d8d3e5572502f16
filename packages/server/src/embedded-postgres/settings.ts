import { StartRefused } from "../std/errors.ts";

/** Not configurable: durability of acknowledged commits, and access through the private socket only. */
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
  // A recycled WAL segment is cheaper to write than a new one, so the WAL is kept at a fixed size.
  max_wal_size: "1GB",
  min_wal_size: "1GB",
  checkpoint_timeout: "15min",
  checkpoint_completion_target: "0.9",
  // Zero-filling a new segment of 16 MB blocked all commits, for 60 ms per second under load.
  wal_init_zero: "off",
  max_connections: "100",
  autovacuum: "on",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_error_verbosity: "terse",
  // A failed statement may contain personal data.
  log_min_error_statement: "panic",
  log_parameter_max_length: "0",
  log_parameter_max_length_on_error: "0",
} as const;

/** Not configurable: derived from the locations of files. */
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
  readonly memoryBytes: number;
  /** Settings of the operator; they override `TUNED`. */
  readonly chosen: Readonly<Record<string, string>>;
}

/** The command line of the postmaster. Other settings come from the configuration files of the cluster. */
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
  // On macOS `fsync` does not flush the drive's cache; `fsync_writethrough` does.
  if (settings.platform === "darwin") all.wal_sync_method = "fsync_writethrough";
  return [
    "-D",
    settings.cluster,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

const MEGABYTE = 1024 ** 2;

/** An eighth of the memory, between 128 MB and 2 GB. Node, the page cache and other programs need the rest. */
export function sharedBuffersMegabytes(memoryBytes: number): number {
  return Math.min(Math.max(Math.floor(memoryBytes / 8 / MEGABYTE), 128), 2_048);
}

function refuseUnsettable(chosen: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(chosen)) {
    if (name in FIXED || PLACED.some((placed) => placed === name)) {
      throw new StartRefused(`the embedded PostgreSQL's ${name} cannot be set`);
    }
    if (!/^[a-z_][a-z0-9_]*$/.test(name) || /[\n\r\0]/.test(value)) {
      throw new StartRefused(
        `${name} is not a valid setting of PostgreSQL: names have lower-case letters, digits and underscores, and values no line breaks`,
      );
    }
  }
}
