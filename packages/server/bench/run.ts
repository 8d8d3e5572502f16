import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { judge } from "./goals.ts";
import { describeMachine } from "./machine.ts";
import { measureSpeed } from "./machine-speed.ts";
import { measureEverything, type Plan } from "./measure.ts";
import { renderReport } from "./report.ts";

/**
 * `npm run bench`: measures a server while its database fills, compares it with other servers in the same run, and checks the
 * goals. Prints a table and writes the figures to `.bench/`. Exits with 1 when a goal is missed or an answer was wrong. The
 * databases are deleted at the end, also after Ctrl-C.
 */

const MEASURED = { warmupMs: 500, coldMs: 6_000, restMs: 5_000 };

/** `trial` runs each load briefly and checks no goal: it tests the bench itself. */
const PLANS: Readonly<Record<"trial" | "quick" | "default" | "full", Plan>> = {
  trial: {
    accounts: 100,
    measureMs: 100,
    // Without a warm-up: on a busy machine its first request may outlast a short load, and then no request is counted.
    warmupMs: 0,
    coldMs: 50,
    restMs: 50,
    rounds: 2,
    storedAtLeast: 0,
  },
  quick: { ...MEASURED, accounts: 1_000, measureMs: 1_500, rounds: 2, storedAtLeast: 0 },
  default: { ...MEASURED, accounts: 10_000, measureMs: 2_000, rounds: 6, storedAtLeast: 200_000 },
  full: { ...MEASURED, accounts: 10_000, measureMs: 3_000, rounds: 6, storedAtLeast: 1_000_000 },
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

function chosenPlan(args: readonly string[]): keyof typeof PLANS {
  const [first, ...more] = args;
  if (first === undefined) return "default";
  for (const name of ["trial", "quick", "full"] as const) {
    if (more.length === 0 && first === `--${name}`) return name;
  }
  throw new Error("usage: npm run bench [-- --quick | --full | --trial]");
}

async function main(args: readonly string[]): Promise<boolean> {
  const name = chosenPlan(args);
  const machine = describeMachine(here("../package.json"));
  const dataDir = await mkdtemp(join(tmpdir(), "florin-bench-"));
  // Under root, PostgreSQL runs as another account, which must be able to enter this directory.
  await chmod(dataDir, 0o711);
  const stop = new AbortController();
  const interrupt = () => stop.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    const before = measureSpeed(dataDir);
    const measurements = await measureEverything({
      plan: PLANS[name],
      main: here("../dist/main.js"),
      dataDir,
      credentials: { clientId: "bench", clientSecret: randomBytes(32).toString("hex") },
      stop: stop.signal,
      say: (text) => console.error(text),
    });
    const speed = [before, measureSpeed(dataDir)];
    const verdicts = judge(measurements);
    console.log(`\n${renderReport(measurements, { machine, speed, verdicts })}\n`);
    const at = new Date().toISOString();
    const path = join(".bench", `${at.replaceAll(":", "-")}.json`);
    await mkdir(".bench", { recursive: true });
    const plan = { name, ...PLANS[name] };
    const kept = { at, plan, machine, speed, verdicts, measurements };
    await writeFile(path, `${JSON.stringify(kept, null, 2)}\n`);
    console.log(`kept in ${path}`);
    return name === "trial" ? measurements.isVerified : verdicts.every(({ isMet }) => isMet);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
