/** The program as a shell calls it: beside the server, and packed alone. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeApi } from "../../client/test/fake-api.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const own = join(root, "packages/cli");

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly errors: string;
}

function start(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  return new Promise<Ended>((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? "", HOME: folder, ...env } };
    execFile(process.execPath, [program, ...words], options, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    );
  });
}

let folder: string;
/** The packed program, with commander and nothing else. */
let alone: string;
let packed: readonly string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "florin-cli-"));
  const copy = join(folder, "packages/cli");
  cpSync(own, copy, { recursive: true, filter: (path) => !/\/(dist|node_modules)$/.test(path) });
  cpSync(join(root, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const run = promisify(execFile);
  const { stdout } = await run("npm", ["pack", "--json", "--offline"], { cwd: copy });
  const [made] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  packed = made.files.map(({ path }: { readonly path: string }) => path);
  const app = join(folder, "app/node_modules");
  mkdirSync(join(app, "@florin"), { recursive: true });
  await run("tar", ["-xf", join(copy, made.filename), "-C", join(app, "@florin")]);
  await run("mv", [join(app, "@florin/package"), join(app, "@florin/cli")]);
  symlinkSync(join(root, "node_modules/commander"), join(app, "commander"));
  alone = join(app, "@florin/cli/bin/florin.mjs");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const beside = [join(own, "bin/florin.mjs"), join(root, "packages/server/bin/florin.mjs")];
/** Without a saved connection. */
const besideServer: typeof start = (program, words, env) =>
  start(program, words, { HOME: join(folder, "empty"), ...env });
const version = JSON.parse(readFileSync(join(own, "package.json"), "utf8")).version;

describe("packed alone", () => {
  it("holds the built program and nothing of tests", () => {
    expect(packed).toContain("dist/main.js");
    expect(packed).toContain("bin/florin.mjs");
    expect(packed).toContain("LICENSE");
    expect(packed.filter((path) => /test|\.ts$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
  });

  it("has the developers' commands", async () => {
    expect(await start(alone, ["--version"])).toEqual({ code: 0, out: `${version}\n`, errors: "" });
    expect((await start(alone, ["--help"])).out).toContain("\n  transfer-out ");
    expect((await start(alone, ["customers", "list"])).code).toBe(4);
    expect((await start(alone, ["verify"])).code).toBe(2);
    expect((await start(alone, [])).code).toBe(2);
  });

  it("shows a secret nowhere, and keeps one that it was given in its file alone", async () => {
    const secret = "tell-nobody";
    const fake = await startFakeApi(({ url }) =>
      url.endsWith("/customers")
        ? { status: 400, json: { status: 400, code: "INVALID_INPUT", message: "No." } }
        : { status: 200, json: { id: "PlatformConfig:1" } },
    );
    const login = ["login", "--client-id", "id", "--url", fake.baseUrl];
    const signedIn = await start(alone, login, { FLORIN_CLIENT_SECRET: secret });
    const others = await Promise.all(
      [["whoami"], ["profiles"], ["customers", "list", "--yes"], ["tokens", "create", "--yes"]].map(
        (words) => start(alone, words),
      ),
    );
    await fake.close();
    expect(signedIn.code).toBe(0);
    expect(JSON.stringify([signedIn, others])).not.toContain(secret);
    expect(readFileSync(join(folder, ".config/florin/profiles.json"), "utf8")).toContain(secret);
  });
});

describe("beside the server", () => {
  it.each(beside)("is one program: %s", async (program) => {
    expect((await besideServer(program, ["--version"])).out).toBe(`${version}\n`);
    const help = await besideServer(program, ["--help"]);
    expect(help.out).toContain("\n  transfer-out ");
    expect((await besideServer(program, ["config"], { PORT: "81" })).out).toContain("PORT=81\n");
    expect((await besideServer(program, ["config", "get"])).code).toBe(4);
    const misspelt = await besideServer(program, ["strat"]);
    expect([misspelt.code, misspelt.errors]).toEqual([
      2,
      expect.stringContaining("(Did you mean start?)"),
    ]);
    expect((await besideServer(program, ["platform", "creat"])).code).toBe(2);
    expect((await besideServer(program, ["webhooks", "replay"])).errors).toContain("--platform");
    expect((await besideServer(program, ["webhooks", "public-key"])).code).toBe(4);
    expect((await besideServer(program, ["customers", "--help"])).out).toContain("create-kyc-link");
  });

  it("names every command of the operator in its help", async () => {
    const [program = ""] = beside;
    const operators = await start(join(root, "packages/server/dist/main.js"), ["--help"]);
    const named = [...operators.out.matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1]);
    const listed = (await besideServer(program, ["--help"])).out.split(
      "operator of this server:\n",
    )[1];
    expect(listed?.trim().split(" | ")).toEqual(named.filter((name) => name !== "help"));
  });
});
