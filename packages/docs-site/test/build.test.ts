/** The build as `npm start` and `npm pack` use it, on a copy of its sources. */
import { execFile } from "node:child_process";
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
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
  copy = await mkdtemp(join(tmpdir(), "florin-docs-build-"));
  archive = join(copy, "packages/server/dist-docs/site.bin");
  const files = ["package.json", "tsconfig.base.json", "CHANGELOG.md"];
  const pages = [
    "docs/approvals.md",
    "docs/rails.md",
    "docs/runbook.md",
    "docs/scaling.md",
    "docs/wallets.md",
    "docs/reference",
  ];
  for (const name of [...files, ...pages]) {
    await cp(join(root, name), join(copy, name), { recursive: true });
  }
  await cp(join(root, "packages/docs-site"), join(copy, "packages/docs-site"), {
    recursive: true,
    filter: (path) => !/\/(dist|node_modules|test)$/.test(path),
  });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rm(copy, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly errors: string;
}

function build(...words: readonly string[]): Promise<Ended> {
  const program = join(copy, "packages/docs-site/build.mjs");
  return run(process.execPath, [program, ...words]).then(
    ({ stderr }) => ({ code: 0, errors: stderr }),
    ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({
      code,
      errors: stderr,
    }),
  );
}

const written = async () => (await stat(archive)).mtimeMs;

describe("the build", () => {
  it("writes the archive, leaves it when nothing has changed, and writes the same for the same sources", async () => {
    expect(await build()).toEqual({ code: 0, errors: "" });
    const [first, at] = [await readFile(archive), await written()];
    expect(await build()).toEqual({ code: 0, errors: "" });
    expect(await written()).toBe(at);
    await rm(archive);
    await build();
    expect((await readFile(archive)).equals(first)).toBe(true);
  });

  it("takes up a guide that is new", async () => {
    await mkdir(join(copy, "docs/guides"));
    await writeFile(join(copy, "docs/guides/first.md"), "# First guide\n");
    expect((await build()).code).toBe(0);
    expect((await readFile(archive)).toString("latin1")).toContain("/docs/guides/first");
  });

  it("fails on a broken source and leaves the archive; a start goes on and says so", async () => {
    const at = await written();
    await appendFile(
      join(copy, "packages/docs-site/src/site.ts"),
      "\nthrow new Error('broken');\n",
    );
    expect(await build()).toMatchObject({
      code: 1,
      errors: "The documentation was not built: broken\n",
    });
    expect(await build("--lenient")).toMatchObject({
      code: 0,
      errors: "The documentation was not built: broken\n",
    });
    expect(await written()).toBe(at);
  });
});

it("a packed server has the documentation", async () => {
  await run(process.execPath, [join(root, "packages/docs-site/build.mjs")]);
  const words = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const { stdout } = await run("npm", words, {
    cwd: join(root, "packages/server"),
    maxBuffer: 10_000_000,
  });
  const [made] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  const paths = made.files.map(({ path }: { readonly path: string }) => path);
  expect(paths).toContain("dist-docs/site.bin");
  const { prepack } = JSON.parse(
    await readFile(join(root, "packages/server/package.json"), "utf8"),
  ).scripts;
  expect(prepack).toContain("../docs-site/build.mjs");
});
