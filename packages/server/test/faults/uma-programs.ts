/** The programs outside of a kill run of UMA payments: two banks of the pretend network and an institution, each with a book on the disk. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { present } from "../../src/std/assert.ts";
import { freePort } from "../kit/free-port.ts";
import { CALLBACK_SECRET, SIGNING_SECRET } from "../kit/rail-connector.ts";
import { type MovedPrograms, movePrograms } from "./moved-programs.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CONNECTOR = path("../../../../examples/rail-connector/connector.mjs");
const INSTITUTION = path("outside/institution.mjs");
export const LAYER = "pretend.example";

/** A program that is killed and started again, on one port. */
export class Program {
  readonly port: number;
  /** What it has written to its standard error. */
  readonly complaints: string[] = [];
  readonly #argv: () => readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(port: number, argv: () => readonly string[], env: Readonly<Record<string, string>>) {
    this.port = port;
    this.#argv = argv;
    this.#env = env;
  }

  async start(): Promise<void> {
    const started = spawn(process.execPath, [...this.#argv(), "--port", String(this.port)], {
      env: { PATH: present(process.env.PATH, "a path to programs"), ...this.#env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#process = started;
    started.stderr.setEncoding("utf8").on("data", (text: string) => this.complaints.push(text));
    await Promise.race([
      once(started.stdout, "data"),
      once(started, "exit").then(() => {
        throw new Error(`a program did not start: ${this.complaints.join("")}`);
      }),
    ]);
  }

  async kill(): Promise<void> {
    if (this.#process === undefined || this.#process.exitCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }
}

export interface Outside extends MovedPrograms {
  /** The bank of the platform: its connector. */
  readonly bank: Program;
  /** The bank of the institution. */
  readonly otherBank: Program;
  readonly institution: Program;
  /** Where the bank of the platform tells what happens, from its next start on. */
  callbackUrl: string | undefined;
}

export async function startOutside(
  place: string,
  serverPorts: readonly number[],
): Promise<Outside> {
  const secrets = { signing: SIGNING_SECRET, callback: CALLBACK_SECRET };
  for (const [name, secret] of Object.entries(secrets)) await writeFile(join(place, name), secret);
  const { env, pass } = await movePrograms(place);
  const bankOf = async (name: string, more: () => readonly string[]) =>
    new Program(
      await freePort(),
      () => [
        CONNECTOR,
        ...["--data", join(place, name), "--settle-ms", "60", "--environment", "PRODUCTION"],
        ...["--currencies", "EUR", "--layer", LAYER, "--network", join(place, "network")],
        ...["--signing-secret-file", join(place, "signing")],
        ...["--callback-secret-file", join(place, "callback")],
        ...more(),
      ],
      env,
    );
  const outside: Outside = {
    bank: await bankOf("bank", () => [
      "--pay-in",
      ...(outside.callbackUrl === undefined ? [] : ["--callback-url", outside.callbackUrl]),
    ]),
    otherBank: await bankOf("other-bank", () => []),
    institution: new Program(
      await freePort(),
      () => [
        INSTITUTION,
        ...["--data", join(place, "institution"), "--servers", serverPorts.join(",")],
        ...["--bank", String(outside.otherBank.port)],
        ...["--payee-bank", String(outside.bank.port)],
        ...["--secret-file", join(place, "signing"), "--layer", LAYER],
      ],
      env,
    ),
    ...{ env, pass, callbackUrl: undefined },
  };
  await Promise.all([outside.bank.start(), outside.otherBank.start(), outside.institution.start()]);
  return outside;
}

/** The whole lines of a book. */
export async function linesOf(file: string): Promise<readonly unknown[]> {
  const text = await readFile(file, "utf8");
  const lines = text.slice(0, text.lastIndexOf("\n")).split("\n");
  return lines.map((line) => JSON.parse(line));
}
