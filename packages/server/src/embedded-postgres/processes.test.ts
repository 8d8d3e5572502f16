import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isAlive, listedProcesses, signal } from "./processes.ts";

const LISTING = `
  101 Ss   /opt/native/bin/postgres -D /data/postgres -c fsync=on
  102 Ss   postgres: florin-aa: checkpointer
  103 Z    postgres: florin-aa: walwriter
  104 Ss   postgres: florin-bb: florin florin [local] idle
  105 S    grep postgres: florin-aa: checkpointer
  106 Ss   /opt/native/bin/postgres -D /data/postgres2 -c fsync=on
    1 Ss   /sbin/launchd
`;

describe("processes", () => {
  it("of one cluster are found in the output of ps", () => {
    const mark = { cluster: "/data/postgres", clusterName: "florin-aa" };
    expect(listedProcesses(LISTING, mark)).toEqual([101, 102]);
    expect(listedProcesses("", mark)).toEqual([]);
  });

  it("are alive until they end", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    const pid = child.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isAlive(pid)).toBe(false);
    expect(signal(pid, "SIGKILL")).toBe(false);
  });
});
