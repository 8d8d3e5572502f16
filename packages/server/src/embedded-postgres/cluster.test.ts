import { chmod, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { ensureCluster } from "./cluster.ts";

let place: string;

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "florin-cluster-")));
});

afterEach(() => rm(place, { recursive: true }));

async function errorWith(complaints: string): Promise<string> {
  await writeFile(join(place, "complaints"), complaints);
  const initdb = join(place, "initdb");
  await writeFile(initdb, `#!/bin/sh\ncat "${join(place, "complaints")}" >&2\nexit 1\n`);
  await chmod(initdb, 0o755);
  const made = ensureCluster({
    location: { place, cluster: join(place, "postgres"), account: undefined },
    binaries: { initdb, postgres: initdb, version: "18.4" },
    clock: systemClock,
    log: silentLog,
  });
  return made.then(() => "made", messageOf);
}

const FULL_DISK = `2026-01-05 10:00:00.000 UTC [7] FATAL:  could not write to file "base/4/1249": No space left on device
2026-01-05 10:00:00.000 UTC [7] HINT:  Check free disk space.
2026-01-05 10:00:00.000 UTC [7] STATEMENT:  CREATE VIEW pg_roles AS
	    SELECT
	        rolname,
	        rolsuper,
	        oid
	    FROM pg_authid;

child process exited with exit code 1
initdb: removing contents of data directory
`;

describe("a cluster that cannot be created", () => {
  it("is reported with the cause and without the statement", async () => {
    const reported = await errorWith(FULL_DISK);
    expect(reported).toMatch(
      /^initdb failed: .*No space left on device; .*Check free disk space\.; fix/,
    );
    expect(reported).not.toMatch(/SELECT|rolname|exited/);
    expect(await readdir(place)).toEqual(["complaints", "initdb"]);
  });

  it("is reported with the last lines when none names a cause", async () => {
    expect(await errorWith("one\ntwo\nthree\n\nfour\nfive\n")).toBe(
      "initdb failed: two; three; four; five; fix that, or set DATABASE_URL to a PostgreSQL server",
    );
  });
});
