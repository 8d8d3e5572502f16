import { describe, expect, it } from "vitest";
import { StartRefused } from "../std/errors.ts";
import { postmasterArgs } from "./settings.ts";

const PLAIN = {
  cluster: "/data/postgres",
  clusterName: "florin-0123",
  socketDir: "/tmp/florin-0123",
  platform: "linux",
  hasLz4: true,
  memoryBytes: 8 * 1024 ** 3,
  chosen: {},
} as const;

describe("the command line of PostgreSQL", () => {
  it("holds durability and private access", () => {
    const args = postmasterArgs(PLAIN);
    expect(args.slice(0, 2)).toEqual(["-D", "/data/postgres"]);
    for (const setting of [
      "fsync=on",
      "full_page_writes=on",
      "synchronous_commit=on",
      "listen_addresses=",
      "unix_socket_directories=/tmp/florin-0123",
      "unix_socket_permissions=0700",
      "log_parameter_max_length=0",
      "wal_compression=lz4",
    ]) {
      expect(args).toContain(setting);
    }
  });

  it.each([
    [0.5, "128MB"],
    [2, "256MB"],
    [8, "1024MB"],
    [256, "2048MB"],
  ])("sets shared_buffers to an eighth of %d GB, within bounds", (gigabytes, expected) => {
    const args = postmasterArgs({ ...PLAIN, memoryBytes: gigabytes * 1024 ** 3 });
    expect(args).toContain(`shared_buffers=${expected}`);
  });

  it("prefers the operator's tuning", () => {
    const args = postmasterArgs({ ...PLAIN, chosen: { shared_buffers: "3GB", work_mem: "8MB" } });
    expect(args).toContain("shared_buffers=3GB");
    expect(args).toContain("work_mem=8MB");
    expect(args).not.toContain("shared_buffers=1024MB");
  });

  it.each([
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "listen_addresses",
    "port",
    "hba_file",
    "cluster_name",
  ])("refuses a setting of %s", (name) => {
    expect(() => postmasterArgs({ ...PLAIN, chosen: { [name]: "off" } })).toThrow(StartRefused);
  });

  it.each(["FSYNC", "full-page-writes", "", "a b", "a=b"])("refuses a setting named %j", (name) => {
    expect(() => postmasterArgs({ ...PLAIN, chosen: { [name]: "off" } })).toThrow(StartRefused);
  });

  it("does not use a compression that the build lacks", () => {
    expect(postmasterArgs({ ...PLAIN, hasLz4: false })).toContain("wal_compression=off");
  });

  it("flushes the drive's cache on macOS", () => {
    const setting = "wal_sync_method=fsync_writethrough";
    expect(postmasterArgs({ ...PLAIN, platform: "darwin" })).toContain(setting);
    expect(postmasterArgs(PLAIN)).not.toContain(setting);
  });
});
