/**
 * Institutions on the SDKs for Go and Python: programs that read a call a line and write an answer a line. What they need is
 * pinned (go.sum, requirements.txt). The suite loads and installs nothing: who wants these tests does it once, with
 *
 *   cd packages/server/test/interop
 *   (cd go && go mod download)
 *   (cd python && python3 -m venv .venv && .venv/bin/pip install --no-deps --require-hashes -r requirements.txt)
 */
import { type ExecFileException, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { AskedInvoice, Given, Result, Sdk, SdkCall, SdkVasp } from "./sdk-calls.ts";

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** An SDK, or the reason why it cannot be used on this machine. */
export type Found = Sdk | { readonly name: Sdk["name"]; readonly missing: string };

/** Without cgo, with the Go and the modules that are there. */
const GO = {
  ...process.env,
  CGO_ENABLED: "0",
  GOTOOLCHAIN: "local",
  GOFLAGS: "-mod=readonly -buildvcs=false",
  GOPROXY: "off",
};
const BUILD_MS = 300_000;

/** Why a program did not do its work: the last line of what it said. */
function saidBy(error: unknown): string {
  const { stderr = "", message, code, path } = error as ExecFileException;
  if (code === "ENOENT") return `${path} is not installed`;
  return (stderr || message).trim().split("\n").at(-1)?.slice(0, 200) ?? "";
}

export async function findGo(): Promise<Found> {
  const [name, cwd] = ["Go", here("go/")] as const;
  try {
    await run("go", ["list", "-deps", "."], { cwd, env: GO, timeout: BUILD_MS });
  } catch (error) {
    return { name, missing: saidBy(error) };
  }
  const directory = mkdtempSync(join(tmpdir(), "florin-uma-go-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const program = join(directory, "vasp");
  // That it does not build is a fault of the test.
  await run("go", ["build", "-o", program, "."], { cwd, env: GO, timeout: BUILD_MS });
  return { name, start: async () => startProgram(program, []) };
}

export async function findPython(): Promise<Found> {
  const name = "Python";
  const own = here("python/.venv/bin/python");
  const python = await access(own).then(
    () => own,
    () => "python3",
  );
  try {
    await run(python, ["-B", "-c", "import uma, ecies"], { timeout: BUILD_MS });
  } catch (error) {
    return { name, missing: saidBy(error) };
  }
  return { name, start: async () => startProgram(python, ["-B", here("python/vasp.py")]) };
}

interface Said {
  readonly result?: unknown;
  readonly error?: string;
  readonly ask?: AskedInvoice;
}

/** Calls are answered one after the other. A program that ends fails the call that waits, and all that follow. */
function startProgram(program: string, args: readonly string[]): SdkVasp {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const write = (value: unknown) => child.stdin.write(`${JSON.stringify(value)}\n`);
  child.stdin.on("error", () => undefined);
  let last: Promise<unknown> = Promise.resolve();

  async function answered(): Promise<unknown> {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${program} has ended`);
    const { result, error, ask }: Said = JSON.parse(value);
    if (error !== undefined) throw new Error(error);
    if (ask === undefined) return result;
    write({ invoice: await vasp.invoice(ask) });
    return answered();
  }

  const vasp: SdkVasp = {
    invoice: () => Promise.reject(new Error("no test makes invoices")),
    call<Name extends SdkCall>(name: Name, given: Given<Name>) {
      const answer = last.then(() => {
        write({ call: name, given });
        return answered() as Promise<Result<Name>>;
      });
      last = answer.catch(() => undefined);
      return answer;
    },
    close() {
      child.stdin.end();
      return ended;
    },
  };
  return vasp;
}
