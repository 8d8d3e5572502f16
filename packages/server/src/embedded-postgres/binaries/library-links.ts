import { randomBytes } from "node:crypto";
import { rename, stat, symlink, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { StartRefused } from "../../std/errors.ts";
import { readIfThere } from "../pid-file.ts";

/** npm does not pack symbolic links, so the package lists the links between library names. Paths are relative to the package. */
export interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

export async function linksOf(packageRoot: string): Promise<readonly LibraryLink[]> {
  const text = await readIfThere(join(packageRoot, "native", "pg-symlinks.json"));
  if (text === undefined) return [];
  const links = JSON.parse(text) as readonly LibraryLink[];
  for (const { source, target } of links) {
    if (!isInside(source) || !isInside(target)) {
      throw new StartRefused(`${packageRoot} lists a link to a path outside of the package`);
    }
  }
  return links;
}

function isInside(path: string): boolean {
  return path.startsWith("native/") && !path.split("/").includes("..");
}

/**
 * Returns false when a link is missing and cannot be created. Each link is created atomically, because another server may load
 * these libraries or create the same links.
 */
export async function makeLinks(root: string, links: readonly LibraryLink[]): Promise<boolean> {
  for (const { source, target } of links) {
    const path = join(root, target);
    if (await targetExists(path)) continue;
    const temporary = `${path}.${randomBytes(4).toString("hex")}`;
    try {
      await symlink(relative(dirname(path), join(root, source)), temporary);
      await rename(temporary, path);
    } catch {
      await unlink(temporary).catch(() => undefined);
      return false;
    }
  }
  return true;
}

async function targetExists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
