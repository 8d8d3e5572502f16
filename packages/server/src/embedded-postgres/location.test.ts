import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../std/clock.ts";
import { StartRefused } from "../std/errors.ts";
import { silentLog } from "../std/log.ts";
import { isRoot } from "./account.ts";
import { locateCluster } from "./location.ts";

let top: string;
let dataDir: string;
let shelters: string;

beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "florin-loc-")));
  await chmod(top, 0o711);
  dataDir = join(top, "first");
  shelters = join(top, "shelters");
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
});

afterEach(() => rm(top, { recursive: true }));

const locate = (path: string) =>
  locateCluster({ dataDir: path, shelters, clock: systemClock, log: silentLog });

async function shelter(): Promise<string> {
  const place = join(shelters, "one");
  await mkdir(place, { recursive: true });
  await chmod(shelters, 0o755);
  await chmod(place, 0o711);
  await writeFile(join(place, "data-dir"), `${dataDir}\n`);
  await writeFile(join(dataDir, "postgres-location"), `${place}\n`);
  return place;
}

describe("the location of the cluster", () => {
  it("is the data directory", async () => {
    expect((await locate(dataDir)).cluster).toBe(join(dataDir, "postgres"));
  });

  it("is the shelter that the data directory names", async () => {
    const place = await shelter();
    expect(await locate(dataDir)).toMatchObject({ place, cluster: join(place, "postgres") });
  });

  it("stays with a data directory that moves", async () => {
    const place = await shelter();
    await rename(dataDir, join(top, "moved"));
    expect((await locate(join(top, "moved"))).place).toBe(place);
    expect(await readFile(join(place, "data-dir"), "utf8")).toBe(`${join(top, "moved")}\n`);
  });

  it("is not shared with a copy of the data directory", async () => {
    await shelter();
    await cp(dataDir, join(top, "copy"), { recursive: true });
    const located = locate(join(top, "copy"));
    await expect(located).rejects.toThrow(StartRefused);
    await expect(located).rejects.toThrow(`of which ${join(top, "copy")} is a copy`);
  });

  it("is refused when the named shelter was deleted", async () => {
    await rm(await shelter(), { recursive: true });
    await expect(locate(dataDir)).rejects.toThrow(/which has no database of Florin/);
  });

  it.runIf(isRoot())(
    "is a new shelter when PostgreSQL's account cannot enter the data directory",
    async () => {
      await chmod(dataDir, 0o700);
      const first = await locate(dataDir);
      expect(first.place.startsWith(`${shelters}/`)).toBe(true);
      expect(await locate(dataDir)).toEqual(first);
      await rm(join(dataDir, "postgres-location"));
      expect((await locate(dataDir)).place).not.toBe(first.place);
    },
  );

  it.runIf(isRoot())("is refused when an existing cluster can no longer be reached", async () => {
    await mkdir(join(dataDir, "postgres"));
    await chmod(dataDir, 0o700);
    await expect(locate(dataDir)).rejects.toThrow(/which cannot enter/);
  });
});
