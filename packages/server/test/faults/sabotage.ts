/**
 * Controls: a copy of the built server without one of its guards. A fault test must fail with such a server; otherwise it
 * proves nothing.
 *
 * The copy is below node_modules, so that it resolves the same packages, and is deleted at the end of the test.
 */
import { randomBytes } from "node:crypto";
import { cp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Sabotage {
  /** The built file, relative to the source folder. */
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly guard: string;
  readonly instead: string;
}

export interface Sabotaged {
  readonly program: string;
  remove(): Promise<void>;
}

const SERVER = fileURLToPath(new URL("../../", import.meta.url));
const COPIES = fileURLToPath(
  new URL("../../../../node_modules/.florin-controls/", import.meta.url),
);

export async function sabotagedServer(changes: readonly Sabotage[]): Promise<Sabotaged> {
  const home = join(COPIES, randomBytes(6).toString("hex"));
  await mkdir(home, { recursive: true });
  await cp(join(SERVER, "dist"), join(home, "dist"), { recursive: true });
  await symlink(join(SERVER, "migrations"), join(home, "migrations"));
  await cp(join(SERVER, "package.json"), join(home, "package.json"));
  for (const { file, guard, instead } of changes) {
    const path = join(home, "dist", file);
    const text = await readFile(path, "utf8");
    if (text.split(guard).length !== 2) throw new Error(`${file} does not have "${guard}" once`);
    await writeFile(
      path,
      text.replace(guard, () => instead),
    );
  }
  return {
    program: join(home, "dist/main.js"),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}
