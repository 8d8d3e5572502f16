import { randomBytes } from "node:crypto";
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { StartRefused } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import { ownUid } from "../account.ts";
import { isAlive } from "../processes.ts";
import { codeOf, isSafeParent, shortHash, statsOf } from "../safe-place.ts";
import { linksOf, makeLinks } from "./library-links.ts";

interface PackedFile {
  readonly path: string;
  readonly size: number;
  readonly isProgram: boolean;
}

/** Copies the package to this home, or reuses a complete copy; returns its path. */
export async function copyPackage(packageRoot: string, home: string, log: Log): Promise<string> {
  const links = await linksOf(packageRoot);
  await mkdir(home, { recursive: true, mode: 0o755 });
  if (!(await isSafeParent(home)))
    throw new StartRefused(`other accounts can write to ${home}; remove their permission`);
  const linked = new Set(links.map(({ target }) => target));
  const files = await filesIn(packageRoot, linked);
  const manifest = manifestOf(files);
  const version = await packageVersion(packageRoot);
  const copy = join(home, `postgres-${version}-${shortHash(manifest)}`);
  if ((await isComplete(copy, manifest, linked)) && (await makeLinks(copy, links))) return copy;

  await sweep(home, basename(copy));
  const temporary = `${copy}.${process.pid}-${randomBytes(4).toString("hex")}.part`;
  try {
    await copyFiles(files, { from: packageRoot, to: temporary });
    if (!(await makeLinks(temporary, links))) {
      throw new StartRefused(`symbolic links cannot be created in ${home}`);
    }
    await moveAway(copy);
    await rename(temporary, copy);
    log.info({ copy }, "copied the PostgreSQL binaries to a directory where they can run");
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await isComplete(copy, manifest, linked))) throw error;
  }
  return copy;
}

async function packageVersion(packageRoot: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8")) as {
    version?: unknown;
  };
  return String(manifest.version).replaceAll(/[^\w.-]/g, "");
}

/** All files except links and files for compilers. */
async function filesIn(root: string, linked: ReadonlySet<string>): Promise<readonly PackedFile[]> {
  const files: PackedFile[] = [];
  const entries = await readdir(join(root, "native"), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(relative(root, entry.parentPath), entry.name);
    if (!entry.isFile() || linked.has(path) || path.endsWith(".a") || path.includes("/pgxs/"))
      continue;
    const found = await stat(join(root, path));
    files.push({ path, size: found.size, isProgram: (found.mode & 0o100) !== 0 });
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function manifestOf(files: readonly PackedFile[]): string {
  return files.map(({ path, size }) => `${path} ${size}`).join("\n");
}

async function isComplete(
  copy: string,
  manifest: string,
  linked: ReadonlySet<string>,
): Promise<boolean> {
  const found = await statsOf(copy);
  if (found === undefined || !found.isDirectory()) return false;
  if (found.uid !== ownUid() || (found.mode & 0o022) !== 0) return false;
  const files = await filesIn(copy, linked).catch(() => []);
  return manifestOf(files) === manifest;
}

/** Sets the modes explicitly: npm may have unpacked the package with a umask that excludes other accounts. */
async function copyFiles(
  files: readonly PackedFile[],
  way: { from: string; to: string },
): Promise<void> {
  const made = new Set<string>();
  for (const { path, isProgram } of files) {
    const target = join(way.to, path);
    await makeOpenDirectories(way.to, dirname(target), made);
    await copyFile(join(way.from, path), target);
    await chmod(target, isProgram ? 0o755 : 0o644);
  }
}

async function makeOpenDirectories(
  top: string,
  directory: string,
  made: Set<string>,
): Promise<void> {
  if (made.has(directory)) return;
  if (directory !== top) await makeOpenDirectories(top, dirname(directory), made);
  await mkdir(directory, { mode: 0o755 });
  await chmod(directory, 0o755);
  made.add(directory);
}

/** Moves an incomplete copy of the same name away and deletes it; processes that run from it keep their open files. */
async function moveAway(copy: string): Promise<void> {
  const aside = `${copy}.${process.pid}-${randomBytes(4).toString("hex")}.part`;
  try {
    await rename(copy, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

async function sweep(home: string, name: string): Promise<void> {
  for (const entry of await readdir(home)) {
    const pid = entry.startsWith(`${name}.`)
      ? /\.(\d+)-[0-9a-f]{8}\.part$/.exec(entry)?.[1]
      : undefined;
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(home, entry), { recursive: true, force: true });
  }
}
