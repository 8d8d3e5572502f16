// `npm run record -- <file> [<before>]`: what every operation answers, and whether that differs from an earlier recording.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const [file = "answers.jsonl", before] = process.argv.slice(2);
const { status } = spawnSync("npx", ["vitest", "run", "--config", "vitest.record.config.ts"], {
  stdio: "inherit",
  env: {
    ...process.env,
    RECORD_TO: resolve(file),
    ...(before === undefined ? {} : { RECORD_AGAINST: resolve(before) }),
  },
});
process.exit(status ?? 1);
