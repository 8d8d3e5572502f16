/** The build as `npm start` and `npm pack` use it, on a copy of its sources. */
import { execFile } from "node:child_process";
import { appendFile, cp, mkdtemp, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

let copy: string;
let archive: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "florin-console-build-"));
  archive = join(copy, "packages/server/dist-console/site.bin");
  for (const name of ["package.json", "tsconfig.base.json"]) {
    await cp(join(root, name), join(copy, name));
  }
  for (const name of ["console", "docs-site", "client", "cli"]) {
    await cp(join(root, "packages", name), join(copy, "packages", name), {
      recursive: true,
      filter: (path) => !/\/(dist|node_modules|test)$/.test(path),
    });
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

function build(...words: readonly string[]) {
  return run(process.execPath, [join(copy, "packages/console/build.mjs"), ...words]).then(
    ({ stderr }) => ({ code: 0, errors: stderr }),
    ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({
      code,
      errors: stderr,
    }),
  );
}

interface Entry {
  readonly path: string;
  readonly gzip: readonly [number, number];
  readonly br: readonly [number, number];
  readonly identity: readonly [number, number];
}

async function entriesOf(): Promise<{ readonly entries: readonly Entry[]; readonly page: string }> {
  const bytes = await readFile(archive);
  const start = 4 + bytes.readUInt32BE(0);
  const { entries } = JSON.parse(bytes.toString("utf8", 4, start)) as { entries: Entry[] };
  const [from, length] = entries.find(({ path }) => path === "/console")?.identity ?? [0, 0];
  return { entries, page: bytes.toString("utf8", start + from, start + from + length) };
}

describe("the build", () => {
  it("writes the archive, and leaves it when nothing has changed", async () => {
    expect(await build()).toEqual({ code: 0, errors: "" });
    const { mtimeMs } = await stat(archive);
    expect(await build()).toEqual({ code: 0, errors: "" });
    expect((await stat(archive)).mtimeMs).toBe(mtimeMs);
  });

  it("gives a first page of few and small files, all of them named by their content", async () => {
    const { entries, page } = await entriesOf();
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(named.length).toBeLessThanOrEqual(7);
    const sizes = named.map((name) => entries.find(({ path }) => path === name)?.gzip[1]);
    expect(sizes).not.toContain(undefined);
    const total = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
    expect(total).toBeLessThan(245_000);
    for (const { path } of entries.filter(({ path: one }) => one !== "/console")) {
      expect(path).toMatch(/^\/console\/assets\/[A-Za-z0-9-]+-[A-Za-z0-9_-]{8}\.(js|css|svg)$/);
    }
    const further = entries.filter(({ path }) => !named.includes(path));
    const isOfPdfs = ({ path }: Entry) => path.startsWith("/console/assets/pdf-");
    const pages = further.filter((entry) => !isOfPdfs(entry));
    expect(Math.max(...pages.map(({ gzip: [, size] }) => size))).toBeLessThan(60_000);
    // Fetched when a PDF is opened.
    expect(further.filter(isOfPdfs)).toHaveLength(1);
    expect(further.find(isOfPdfs)?.br[1]).toBeLessThan(450_000);
  });

  it("fails on a broken source and leaves the archive; a start goes on and says so", async () => {
    const { mtimeMs } = await stat(archive);
    await appendFile(join(copy, "packages/console/src/main.tsx"), "\nexport const = 1;\n");
    const failed = await build();
    expect(failed.code).toBe(1);
    expect(failed.errors).toMatch(/^The console was not built: /);
    const lenient = await build("--lenient");
    expect(lenient.code).toBe(0);
    expect(lenient.errors).toMatch(/^The console was not built: /);
    expect((await stat(archive)).mtimeMs).toBe(mtimeMs);
  });
});

it("a packed server has the console", async () => {
  const manifest = JSON.parse(await readFile(join(root, "packages/server/package.json"), "utf8"));
  expect(manifest.files).toContain("dist-console/site.bin");
  expect(manifest.scripts.prepack).toContain("../console/build.mjs");
});
