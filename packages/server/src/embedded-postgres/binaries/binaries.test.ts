import { chmod, cp, lstat, mkdir, mkdtemp, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../std/clock.ts";
import { StartRefused } from "../../std/errors.ts";
import { silentLog } from "../../std/log.ts";
import { type Account, isRoot, osAccount } from "../account.ts";
import { statsOf } from "../safe-place.ts";
import { prepareBinaries } from "./binaries.ts";
import { locatePackage } from "./platform.ts";

let top: string;
let packageRoot: string;
let home: string;
let account: Account | undefined;

beforeAll(async () => {
  top = await mkdtemp(join(tmpdir(), "florin-bin-"));
  await chmod(top, 0o711);
  packageRoot = join(top, "closed", "package");
  home = join(top, "home");
  account = isRoot() ? await osAccount() : undefined;
  await cp(locatePackage(process), packageRoot, {
    recursive: true,
    filter: async (path) => !(await lstat(path)).isSymbolicLink(),
  });
});

afterAll(async () => {
  await openAgain();
  await rm(top, { recursive: true });
});

const prepare = () =>
  prepareBinaries({ packageRoot, account, homes: [home], clock: systemClock, log: silentLog });

/** Under root, the account of PostgreSQL cannot enter the package; otherwise the package is read-only. */
async function close(): Promise<void> {
  const library = join(packageRoot, "native", "lib");
  if (isRoot()) return chmod(dirname(packageRoot), 0o700);
  await rm(join(library, "libpq.so.5"), { force: true });
  await chmod(library, 0o555);
}

async function openAgain(): Promise<void> {
  await chmod(dirname(packageRoot), 0o755);
  await chmod(join(packageRoot, "native", "lib"), 0o755);
}

describe("the programs of PostgreSQL", () => {
  it("run from the package, in which the missing links are created", async () => {
    const binaries = await prepare();
    expect(binaries.postgres).toBe(join(packageRoot, "native", "bin", "postgres"));
    expect(binaries.version).toMatch(/^18\.\d+$/);
    expect((await lstat(join(packageRoot, "native", "lib", "libpq.so.5"))).isSymbolicLink()).toBe(
      true,
    );
  });

  it("run from a copy when they cannot run from the package", async () => {
    await close();
    const binaries = await prepare();
    expect(dirname(dirname(dirname(dirname(binaries.postgres))))).toBe(home);
    const before = await lstat(binaries.postgres);
    expect((await prepare()).postgres).toBe(binaries.postgres);
    expect((await lstat(binaries.postgres)).ino).toBe(before.ino);
  });

  it("are copied again when the copy is incomplete", async () => {
    await close();
    const { postgres } = await prepare();
    const library = join(postgres, "..", "..", "lib", "libcrypto.so.1.1");
    const victim = (await statsOf(library)) === undefined ? postgres : library;
    const { size } = await lstat(victim);
    await truncate(victim, 0);
    await prepare();
    expect((await lstat(victim)).size).toBe(size);
  });

  it("are refused when no copy runs, and the message lists the attempts", async () => {
    await close();
    const openHome = join(top, "open-to-all");
    await mkdir(openHome);
    await chmod(openHome, 0o777);
    const prepared = prepareBinaries({
      packageRoot,
      account,
      homes: [openHome],
      clock: systemClock,
      log: silentLog,
    });
    await expect(prepared).rejects.toThrow(StartRefused);
    await expect(prepared).rejects.toThrow(/other accounts can write to .*open-to-all/);
  });
});
