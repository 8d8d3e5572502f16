import { text } from "node:stream/consumers";
import { runJob } from "./load-job.ts";

/**
 * The load generator as a process. Takes a job (`LoadJob`) as its argument or on standard input and prints the result as one line
 * of JSON.
 */
try {
  const result = await runJob(process.argv[2] ?? (await text(process.stdin)));
  process.stdout.write(`${JSON.stringify(result)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
