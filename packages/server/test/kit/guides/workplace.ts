/** The directory in which a guide's blocks run, with the programs that a reader has: curl, npx, node, and python3 if it is there. */
import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { present } from "../../../src/std/assert.ts";
import type { Guide } from "./blocks.ts";

export const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const node = process.execPath;
const curl = fileURLToPath(new URL("curl.mjs", import.meta.url));

/** `npx` runs the programs of this repository alone: nothing is fetched. */
const NPX = `#!/bin/sh
name=$1
shift
case "$name" in
  florin) exec "${node}" "${root}packages/server/bin/florin.mjs" "$@" ;;
  tsc) exec "${node}" "${root}node_modules/typescript/bin/tsc" "$@" ;;
  *) echo "npx $name is not known here" >&2; exit 2 ;;
esac
`;

export interface Workplace {
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** The calls of curl since the last question, as `curl.mjs` writes them; undefined with the machine's own curl. */
  takeCalls(): string[] | undefined;
  remove(): void;
}

/** GUIDES_CURL=system has the blocks run with the machine's own curl. */
export function makeWorkplace(settings: Readonly<Record<string, string>>): Workplace {
  const directory = mkdtempSync(join(tmpdir(), "florin-guide-"));
  const programs = join(directory, ".programs");
  const calls = join(directory, ".calls");
  mkdirSync(programs);
  const program = (name: string, text: string) =>
    writeFileSync(join(programs, name), text, { mode: 0o755 });
  program("npx", NPX);
  program("node", `#!/bin/sh\nexec "${node}" "$@"\n`);
  const isSystemCurl = process.env.GUIDES_CURL === "system";
  if (!isSystemCurl) program("curl", `#!/bin/sh\nexec "${node}" "${curl}" "$@"\n`);
  for (const name of ["node_modules", "package.json", "tsconfig.base.json"])
    symlinkSync(join(root, name), join(directory, name));
  cpSync(join(root, "examples"), join(directory, "examples"), { recursive: true });
  writeFileSync(calls, "");
  return {
    directory,
    env: {
      ...settings,
      HOME: directory,
      GUIDE_CALLS: calls,
      PATH: `${programs}:${process.env.PATH ?? ""}`,
    },
    takeCalls() {
      if (isSystemCurl) return undefined;
      const lines = readFileSync(calls, "utf8").split("\n").filter(Boolean);
      writeFileSync(calls, "");
      return lines;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export const hasPython = canRun("python3");

function canRun(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The programs of a guide's `ts` blocks, compiled, by the line of their fence. */
export interface Compiled {
  readonly complaints: string;
  programOf(name: string, line: number): string;
}

/** One strict run of the compiler over the `ts` blocks of all guides, against the client as it is built. */
export async function compile(guides: ReadonlyMap<string, Guide>): Promise<Compiled> {
  const directory = mkdtempSync(join(tmpdir(), "florin-guides-ts-"));
  const fileOf = (name: string, line: number) => `${name}-${line}`;
  const files: string[] = [];
  for (const [name, { blocks }] of guides)
    for (const { language, line, text } of blocks) {
      if (language !== "ts") continue;
      const file = `${fileOf(name, line)}.ts`;
      writeFileSync(join(directory, file), `${text}\nexport {};\n`);
      files.push(file);
    }
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
  writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
  const compilerOptions = {
    noUnusedLocals: false,
    outDir: "out",
    typeRoots: [join(root, "node_modules/@types")],
  };
  const settings = { extends: join(root, "tsconfig.base.json"), compilerOptions, files };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const complaints = await new Promise<string>((resolve) => {
    execFile(node, [tsc, "-p", "."], { cwd: directory }, (_, stdout) => resolve(stdout));
  });
  const programs = new Map<string, string>();
  if (complaints === "")
    for (const file of files) {
      const name = file.slice(0, -".ts".length);
      programs.set(name, readFileSync(join(directory, "out", `${name}.js`), "utf8"));
    }
  rmSync(directory, { recursive: true });
  return {
    complaints,
    programOf: (name, line) => present(programs.get(fileOf(name, line)), "a program that compiles"),
  };
}
