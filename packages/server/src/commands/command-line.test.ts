/** The `florin` command as a shell calls it: what it prints, and how it ends. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const BUILT = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

interface Said {
  readonly code: number;
  readonly output: string;
  readonly complaints: string;
}

function florin(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<Said>((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? "", ...env } };
    execFile(process.execPath, [BUILT, ...args], options, (error, output, complaints) =>
      resolve({ code: error === null ? 0 : Number(error.code), output, complaints }),
    );
  });
}

it("says its version, which is the package's", async () => {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  expect(await florin(["--version"])).toEqual({ code: 0, output: `${version}\n`, complaints: "" });
});

it.each(["--version", "--help"])("%s loads the command line alone", async (argument) => {
  const directory = await mkdtemp(join(tmpdir(), "florin-loaded-"));
  expect((await florin([argument], { NODE_V8_COVERAGE: directory })).code).toBe(0);
  const [report = ""] = await readdir(directory);
  const { result } = JSON.parse(await readFile(join(directory, report), "utf8")) as {
    readonly result: readonly { readonly url: string }[];
  };
  const loaded = result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  await rm(directory, { recursive: true });
  expect(loaded.some((url) => url.endsWith("/dist/main.js"))).toBe(true);
  expect(
    loaded.filter(
      (url) =>
        !/\/node_modules\/commander\/|\/dist\/(main|boot\/version|commands\/print|std\/\w+)\.js$/.test(
          url,
        ),
    ),
  ).toEqual([]);
});

it("lists the settings that a start would take, secrets only as set", async () => {
  const { code, output } = await florin(["config"], {
    PUBLIC_URL: "https://pay.test",
    DATABASE_URL: "postgres://u:hidden@db/x",
    MASTER_KEY: "0123456789abcdef".repeat(4),
  });
  expect(code).toBe(0);
  expect(output).toContain("PUBLIC_URL=https://pay.test\n");
  expect(output).toContain("DATABASE_URL=(set)\n");
  expect(output).not.toMatch(/hidden|0123456789abcdef/);
});

it.each([
  { PUBLIC_URL: "http://u:hidden@pay.test" },
  { PORT: "80 80" },
  { SMTP_URL: "u:hidden@mail.test" },
  { POSTGRES_SHARED_BUFFERS: "128" },
  { MASTER_KEY_FILE: "/nowhere/master.key" },
])("lists none when a start would refuse %j", async (settings) => {
  const { code, output, complaints } = await florin(["config"], settings);
  expect({ code, output }).toEqual({ code: 1, output: "" });
  expect(complaints).toMatch(new RegExp(`^florin: ${Object.keys(settings)[0]}`));
  expect(complaints).not.toContain("hidden");
  expect((await florin(["start"], settings)).complaints).toBe(complaints);
});

it("creates no platform when it cannot listen, and prints the credentials when it can", async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), "florin-line-")));
  await chmod(top, 0o711);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  const settings = { DATA_DIR: join(top, "data"), PORT: String(port), LOG_LEVEL: "silent" };
  try {
    const { code, output, complaints } = await florin(["start"], settings);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(complaints).toContain("EADDRINUSE");
  } finally {
    await new Promise((resolve) => other.close(resolve));
  }
  for (const reported of [1, 0]) {
    const output = await untilReady(settings);
    expect(output.match(/clientSecret {2}\S{64}$/gm) ?? []).toHaveLength(reported);
  }
  await rm(top, { recursive: true });
});

it("runs on when its output has no reader, and prints the credentials again at the next start", async () => {
  const top = await realpath(await mkdtemp(join(tmpdir(), "florin-line-")));
  await chmod(top, 0o711);
  const port = await freePort();
  const settings = { DATA_DIR: join(top, "data"), PORT: String(port), LOG_LEVEL: "silent" };
  const child = spawn(process.execPath, [BUILT, "start"], {
    env: { PATH: process.env.PATH ?? "", ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.stdout.destroy();
  const ended = once(child, "exit");
  const readiness = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status);
  await expect.poll(readiness, { timeout: 60_000 }).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(await untilReady(settings)).toMatch(/clientSecret {2}\S{64}$/m);
  await rm(top, { recursive: true });
});

it("ends a command with 1 and without a message when its output is closed", async () => {
  const child = spawn(process.execPath, [BUILT, "config"], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  expect(await once(child, "close")).toEqual([1, null]);
  expect(complaints).toBe("");
});

async function freePort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as AddressInfo;
  await new Promise((resolve) => other.close(resolve));
  return port;
}

/** What a server prints until it is ready; it is stopped then. */
async function untilReady(env: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn(process.execPath, [BUILT, "start"], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (output.includes("florin ready")) child.kill("SIGTERM");
  });
  expect(await ended).toEqual([0, null]);
  return output;
}
