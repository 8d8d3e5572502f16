import { execFileSync } from "node:child_process";
import { lstat, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeDirectory } from "./safe-place.ts";

let top: string;

beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "florin-place-"));
});

afterEach(() => rm(top, { recursive: true }));

/** Runs a script with a read-only file system at `$0`. Needs root, and mount rights in the container. */
function whereReadOnly(script: string, place: string, ...args: readonly string[]): string {
  const whole = `mount -t tmpfs -o ro tmpfs "$0" && ${script}`;
  const program = ["--mount", "/bin/sh", "-c", whole, place, ...args];
  return execFileSync("unshare", program, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function canMount(): boolean {
  try {
    return whereReadOnly("echo yes", "/mnt") === "yes\n";
  } catch {
    return false;
  }
}

const BUILT = fileURLToPath(new URL("../../dist/embedded-postgres/safe-place.js", import.meta.url));

describe("a directory", () => {
  it("is created with its parents, once, with its mode", async () => {
    const path = join(top, "a", "b", "c");
    expect(await makeDirectory(path, 0o700)).toBe(true);
    expect((await lstat(path)).mode & 0o777).toBe(0o700);
    expect(await makeDirectory(path)).toBe(false);
    expect(await readdir(join(top, "a"))).toEqual(["b"]);
  });

  it("is not created where a file exists", async () => {
    await writeFile(join(top, "file"), "");
    await expect(makeDirectory(join(top, "file"))).rejects.toThrow("EEXIST");
    await expect(makeDirectory(join(top, "file", "a"))).rejects.toThrow("ENOTDIR");
  });

  it.runIf(canMount())("says of a read-only file system that it is one", () => {
    const code =
      "const { makeDirectory } = await import(process.argv[1]); const report = (e) => console.log(e.message);" +
      'for (const end of ["/a", "/a/b"]) await makeDirectory(process.argv[2] + end).catch(report);';
    const script = 'exec "$1" --input-type=module --eval "$2" "$3" "$0"';
    const said = whereReadOnly(script, top, process.execPath, code, BUILT);
    const line = `EROFS: read-only file system, mkdir '${join(top, "a")}'`;
    expect(said).toBe(`${line}\n${line}\n`);
  });
});
