/** The tarball as a business would have it: packed, installed in an empty folder, run by Node and compiled against. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentClient, createClient } from "../src/client.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const own = join(root, "packages/client");
const tsc = join(root, "node_modules/.bin/tsc");

let folder: string;
let app: string;
let packed: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "florin-client-"));
  app = join(folder, "app");
  const tarball = await pack();
  await mkdir(app);
  await writeFile(join(app, "package.json"), '{"name":"app","private":true,"type":"module"}');
  const install = ["install", "--offline", "--no-audit", "--no-fund", tarball];
  await run("npm", install, { cwd: app });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** From a copy without `dist`, so that nobody who uses the built files meanwhile misses them. */
async function pack(): Promise<string> {
  const copy = join(folder, "packages/client");
  await mkdir(copy, { recursive: true });
  for (const name of await readdir(own)) {
    if (name !== "dist") await cp(join(own, name), join(copy, name), { recursive: true });
  }
  await cp(join(root, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const { stdout } = await run("npm", ["pack", "--json", "--offline"], { cwd: copy });
  const [one] = JSON.parse(stdout.slice(stdout.search(/^\[/m)));
  packed = one.files.map(({ path }: { readonly path: string }) => path);
  return join(copy, one.filename);
}

/** What the compiler complains of, nothing when it is content. */
async function complaints(files: readonly string[], options: readonly string[]): Promise<string> {
  const strict = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--skipLibCheck",
    "false",
  ];
  const all = [...strict, "--target", "es2023", ...options, ...files];
  return run(tsc, all, { cwd: app }).then(
    () => "",
    (error: { readonly stdout: string }) => error.stdout,
  );
}

const forNode = ["--module", "nodenext", "--lib", "es2023", "--types", "node"].concat(
  "--typeRoots",
  join(root, "node_modules/@types"),
);
const forBrowsers = ["--module", "esnext", "--moduleResolution", "bundler"].concat(
  ["--lib", "es2023,dom"],
  ["--types", ""],
);

describe("the tarball", () => {
  it("holds what was built from every source, and nothing else", async () => {
    const sources = (await readdir(join(own, "src"), { recursive: true }))
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .map((name) => name.slice(0, -".ts".length));
    const built = sources.flatMap((name) => [`dist/${name}.js`, `dist/${name}.d.ts`]);
    expect([...packed].sort()).toEqual(["LICENSE", "README.md", "package.json", ...built].sort());
  });

  it("carries the license of the whole", async () => {
    const [here, there] = await Promise.all(
      [own, root].map((path) => readFile(join(path, "LICENSE"), "utf8")),
    );
    expect(here).toBe(there);
  });

  const entries = [
    ["@florin/client", "createClient"],
    ["@florin/client/wallet", "openSession"],
    ["@florin/client/webhooks", "readWebhook"],
  ] as const;
  it.each(entries)("has %s for ES modules in Node", async (entry, name) => {
    const program = `import { ${name} } from "${entry}"; console.log(typeof ${name});`;
    const { stdout } = await run("node", ["--input-type=module", "-e", program], { cwd: app });
    expect(stdout.trim()).toBe("function");
  });

  it.each(entries)("has %s for CommonJS in Node, and its types", async (entry, name) => {
    const program = `const { ${name} } = require("${entry}"); console.log(typeof ${name});`;
    const { stdout } = await run("node", ["--input-type=commonjs", "-e", program], { cwd: app });
    expect(stdout.trim()).toBe("function");
    const typed = `import { ${name} } from "${entry}";\nexport const given: Function = ${name};`;
    await writeFile(join(app, `${name}.cts`), typed);
    expect(await complaints([`${name}.cts`], forNode)).toBe("");
  });

  it("has types that a strict program compiles against, in Node and in browsers", async () => {
    const program = `
      import { createClient, type Transaction } from "@florin/client";
      import { openSession } from "@florin/client/wallet";
      const client = createClient({ baseUrl: "http://127.0.0.1/", clientId: "a", clientSecret: "b" });
      export const one: Promise<Transaction> = client.transactions.get("Transaction:1");
      export const open: (...given: never[]) => unknown = openSession;
    `;
    await writeFile(join(app, "program.ts"), program);
    expect(await complaints(["program.ts"], forNode)).toBe("");
    expect(await complaints(["program.ts"], forBrowsers)).toBe("");
    await writeFile(join(app, "wrong.ts"), `${program}export const wrong: number = await one;`);
    expect(await complaints(["wrong.ts"], forNode)).toContain("'Transaction' is not assignable");
  });
});

describe("the README", () => {
  it("names every function of the client, group by group", async () => {
    const text = await readFile(join(own, "README.md"), "utf8");
    const client = createClient({ baseUrl: "http://127.0.0.1/", clientId: "a", clientSecret: "b" });
    const groups = Object.entries(client).map(([group, calls]) => {
      const row = text.split("\n").find((line) => line.startsWith(`| \`${group}\` |`)) ?? "";
      const named = [...row.matchAll(/`(\w+)`/g)].map((match) => match[1]);
      return { group, missing: Object.keys(calls).filter((name) => !named.includes(name)) };
    });
    const four = ["createForPlatform", "listForPlatform", "getForPlatform", "deleteForPlatform"];
    expect(groups.filter(({ missing }) => missing.length > 0)).toEqual([
      { group: "externalAccounts", missing: four },
    ]);
  });

  it("names every function of an agent's client", async () => {
    const text = await readFile(join(own, "README.md"), "utf8");
    const calls = createAgentClient({ baseUrl: "http://127.0.0.1/", accessToken: "a" });
    const [list = ""] = /the calls that an agent may make:.*?\./s.exec(text) ?? [];
    const named = [...list.matchAll(/`(\w+)`/g)].map((match) => match[1]);
    expect(named).toEqual(Object.keys(calls));
  });

  it("says how to install this version", async () => {
    const { version } = JSON.parse(await readFile(join(own, "package.json"), "utf8"));
    for (const path of [own, root]) {
      const text = await readFile(join(path, "README.md"), "utf8");
      expect(text).toContain(`florin-client-${version}.tgz`);
    }
  });

  it("has examples that compile", async () => {
    const text = await readFile(join(own, "README.md"), "utf8");
    const examples = [...text.matchAll(/```ts\n([^`]+)```/g)].map((match) => match[1] ?? "");
    expect(examples.length).toBeGreaterThan(4);
    const files = await Promise.all(
      examples.map(async (example, index) => {
        const name = `example-${index}.ts`;
        await writeFile(join(app, name), `${example}\nexport {};`);
        return name;
      }),
    );
    const given = `
      declare const client: import("@florin/client").Client;
      declare const transfer: import("@florin/client").TransferOut;
      declare const order: { readonly paymentKey: string };
      declare const customerId: string;
      declare const request: import("node:http").IncomingMessage;
      declare const rawBody: Buffer;
    `;
    await writeFile(join(app, "given.d.ts"), given);
    expect(await complaints([...files, "given.d.ts"], forNode)).toBe("");
  });
});
