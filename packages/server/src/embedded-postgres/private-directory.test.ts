import { chmod, chown, lstat, mkdir, mkdtemp, rm, rmdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../std/clock.ts";
import { Fault, StartRefused } from "../std/errors.ts";
import { isRoot, ownUid } from "./account.ts";
import { openPrivateDirectory, reopenPrivateDirectory } from "./private-directory.ts";

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "florin-dir-"));
});

afterEach(() => rm(parent, { recursive: true }));

function open(account?: { name: string; uid: number; gid: number }): Promise<string> {
  return openPrivateDirectory({
    dataDir: "/srv/florin",
    account,
    clock: systemClock,
    parents: [parent],
  });
}

describe("the socket's directory", () => {
  it("is private and the same at each start", async () => {
    const path = await open();
    const found = await lstat(path);
    expect(dirname(path)).toBe(parent);
    expect(found.mode & 0o777).toBe(0o700);
    expect(found.uid).toBe(ownUid());
    expect(await open()).toBe(path);
  });

  it("is created again when it was deleted with its parent", async () => {
    const inner = join(parent, "tmp");
    await mkdir(inner, { mode: 0o755 });
    const wanted = { dataDir: "/srv/florin", account: undefined, clock: systemClock };
    const path = await openPrivateDirectory({ ...wanted, parents: [inner] });
    await rm(inner, { recursive: true });
    await reopenPrivateDirectory(path, undefined);
    expect((await lstat(path)).mode & 0o777).toBe(0o700);
    expect((await lstat(inner)).mode & 0o777).toBe(0o700);
    await rm(inner, { recursive: true });
    await chmod(parent, 0o777);
    await expect(reopenPrivateDirectory(path, undefined)).rejects.toThrow(Fault);
  });

  it("is not a directory that other accounts can enter", async () => {
    const path = await open();
    await chmod(path, 0o755);
    expect(await open()).not.toBe(path);
  });

  it("is not a symbolic link of another account", async () => {
    const path = await open();
    await rmdir(path);
    await mkdir(join(parent, "elsewhere"), { mode: 0o700 });
    await symlink(join(parent, "elsewhere"), path);
    expect(await open()).not.toBe(path);
  });

  it.runIf(isRoot())("is refused when it has another owner", async () => {
    const path = await open();
    await chown(path, 4242, 4242);
    expect(await open()).not.toBe(path);
  });

  it.runIf(isRoot())("belongs to the account that PostgreSQL runs under", async () => {
    await chmod(parent, 0o711);
    const path = await open({ name: "somebody", uid: 4242, gid: 4243 });
    expect(await lstat(path)).toMatchObject({ uid: 4242, gid: 4243 });
  });

  it.runIf(isRoot())("is refused where that account cannot go", async () => {
    await expect(open({ name: "somebody", uid: 4242, gid: 4243 })).rejects.toThrow(StartRefused);
  });

  it("is refused where others can replace it, or where its path is too long", async () => {
    await chmod(parent, 0o777);
    await expect(open()).rejects.toThrow(StartRefused);
    await chmod(parent, 0o1777);
    await open();
    const long = join(parent, "p".repeat(80));
    await mkdir(long);
    const wanted = {
      dataDir: "/srv/florin",
      account: undefined,
      clock: systemClock,
      parents: [long],
    };
    await expect(openPrivateDirectory(wanted)).rejects.toThrow(StartRefused);
  });
});
