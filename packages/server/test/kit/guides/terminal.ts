/** A shell that runs blocks one after another and keeps its variables between them, as a terminal does. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Place {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface Terminal {
  /** Runs a text to its end and answers what it printed. Throws when a command of it fails. */
  run(text: string): Promise<string>;
  close(): void;
}

const BLOCK_TIMEOUT_MS = 90_000;

export function openTerminal({ directory, env }: Place): Terminal {
  const notes = mkdtempSync(join(directory, ".terminal-"));
  const shell = spawn("sh", [], {
    cwd: directory,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  let count = 0;
  const said = collect(shell);
  // The first command that fails ends the shell, and with it the guide's test.
  shell.stdin?.write("set -e\n");
  return {
    async run(text) {
      const name = join(notes, String(++count));
      writeFileSync(`${name}.sh`, `${text}\n`);
      const done = `done ${count}`;
      shell.stdin?.write(`. ${name}.sh > ${name}.out 2> ${name}.err\necho "${done}"\n`);
      await waitFor(() => said.text().includes(`${done}\n`) || said.hasEnded(), BLOCK_TIMEOUT_MS);
      const output = readOrEmpty(`${name}.out`);
      if (!said.text().includes(`${done}\n`))
        throw new Error(`failed: ${readOrEmpty(`${name}.err`)}${said.text()}\n${output}`);
      return output;
    },
    close: () => end(shell),
  };
}

export interface Background {
  /** What it has printed, errors included. */
  output(): string;
  close(): void;
}

export function runBehind({ directory, env }: Place, text: string): Background {
  const shell = spawn("sh", ["-c", text], { cwd: directory, env, detached: true });
  const said = collect(shell);
  return { output: said.text, close: () => end(shell) };
}

function collect(shell: ChildProcess): { text(): string; hasEnded(): boolean } {
  let text = "";
  let hasEnded = false;
  for (const stream of [shell.stdout, shell.stderr])
    stream?.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
  shell.on("close", () => {
    hasEnded = true;
  });
  shell.stdin?.on("error", () => undefined);
  return { text: () => text, hasEnded: () => hasEnded };
}

/** The shell and all that it started. */
function end(shell: ChildProcess): void {
  if (shell.pid === undefined) return;
  try {
    process.kill(-shell.pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

export async function waitFor(holds: () => boolean, timeoutMs: number): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!holds() && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
