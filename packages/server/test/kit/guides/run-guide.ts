/** Runs the blocks of a guide in order, as a reader would, and compares what it shows with what was printed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Block, Guide } from "./blocks.ts";
import { lastJson, missingLines, wrongIn } from "./shown.ts";
import { type Background, openTerminal, runBehind, waitFor } from "./terminal.ts";
import { type Compiled, hasPython, type Workplace } from "./workplace.ts";

/** What a guide says in place of what a test has: addresses, credentials. */
export type Substitutions = ReadonlyMap<string, string>;

export interface GuideRun {
  readonly name: string;
  readonly guide: Guide;
  readonly workplace: Workplace;
  readonly compiled: Compiled;
  readonly substitutions: Substitutions;
}

const OUTPUT_TIMEOUT_MS = 60_000;

/** Throws at the first block that fails, with the line of its fence. */
export async function runGuide(run: GuideRun): Promise<void> {
  const terminal = openTerminal(run.workplace);
  const behind: Background[] = [];
  /** What the last block printed; undefined where it was not run. */
  let printed: string | undefined;
  try {
    for (const written of run.guide.blocks) {
      const block = { ...written, text: replaced(written.text, run.substitutions) };
      try {
        if (block.words.has("no-run") || !canRun(block)) printed = undefined;
        else if (block.language === "json") {
          if (printed !== undefined) compareJson(block, printed);
        } else if (block.language === "text") await compareText(block, printed, behind);
        else if (block.words.has("background"))
          behind.push(runBehind(run.workplace, commandOf(run, block)));
        else {
          printed = await terminal.run(commandOf(run, block));
          checkCalls(block, run.workplace.takeCalls());
        }
      } catch (error) {
        const before = behind.map((each) => each.output()).join("\n---\n");
        throw new Error(`${run.name}.md, line ${block.line}: ${String(error)}\n${before}`);
      }
    }
  } finally {
    for (const each of behind) each.close();
    terminal.close();
  }
}

function canRun({ language, words }: Block): boolean {
  return hasPython || !(language === "python" || words.has("python3"));
}

/** The line, or lines, of the shell that run a block. */
function commandOf(run: GuideRun, { language, line, text }: Block): string {
  if (language === "bash") return text;
  const isPython = language === "python";
  const program = isPython
    ? text
    : replaced(run.compiled.programOf(run.name, line), run.substitutions);
  const file = join(run.workplace.directory, `block-${line}.${isPython ? "py" : "mjs"}`);
  writeFileSync(file, program);
  return isPython ? `python3 ${file}` : `node ${file}`;
}

function replaced(text: string, substitutions: Substitutions): string {
  let result = text;
  for (const [from, to] of substitutions) result = result.replaceAll(from, to);
  return result;
}

/** A refusal that the guide does not announce is a mistake of the guide, also where the shell goes on. */
function checkCalls(block: Block, calls: readonly string[] | undefined): void {
  if (calls === undefined) return;
  const refused = calls.filter((line) => Number(line.slice(0, 3)) >= 400);
  if (block.words.has("refused") !== refused.length > 0)
    throw new Error(refused.length > 0 ? `refused: ${refused.join()}` : "no call was refused");
}

function compareJson(block: Block, printed: string): void {
  const real = lastJson(printed);
  const wrong = wrongIn(JSON.parse(block.text), real);
  if (wrong.length > 0)
    throw new Error(`${wrong.join("\n")}\nin ${JSON.stringify(real).slice(0, 3000)}`);
}

async function compareText(
  block: Block,
  printed: string | undefined,
  behind: readonly Background[],
): Promise<void> {
  const isBehind = block.words.has("background");
  if (!isBehind && printed === undefined) return;
  const output = () =>
    isBehind ? behind.map((each) => each.output()).join("\n") : (printed ?? "");
  await waitFor(
    () => missingLines(block.text, output()).length === 0,
    isBehind ? OUTPUT_TIMEOUT_MS : 0,
  );
  const missing = missingLines(block.text, output());
  if (missing.length > 0)
    throw new Error(`not printed: ${missing.join("\n")}\nin ${output().slice(-3000)}`);
}
