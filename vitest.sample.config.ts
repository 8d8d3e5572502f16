import { randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";
import { everyday } from "./vitest.config.ts";

/** `npm test`: of the generated tests an eighth or a quarter, which is another one in each run (packages/server/test/kit/sample.ts). */
export default defineConfig(() => {
  const sample = process.env.TEST_SAMPLE ?? String(randomInt(8));
  process.stdout.write(
    `Generated tests: sample ${sample}. Repeat it: TEST_SAMPLE=${sample} npm test; make all: TEST_SAMPLE=all npm test\n`,
  );
  return { test: { maxWorkers: 2, env: { TEST_SAMPLE: sample }, projects: everyday } };
});
