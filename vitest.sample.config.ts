import { randomInt } from "node:crypto";
import { defineConfig } from "vitest/config";
import { storiesLeftOut } from "./packages/server/test/kit/drawn-stories.ts";
import { SAMPLES } from "./packages/server/test/kit/sample.ts";
import { everydayWithout } from "./vitest.config.ts";

/**
 * `npm test`: of the generated tests a sixteenth or a quarter (packages/server/test/kit/sample.ts), and an eighth of the stories whose
 * rules other tests hold (packages/server/test/kit/drawn-stories.ts). They are others in each run.
 */
export default defineConfig(() => {
  const sample = process.env.TEST_SAMPLE ?? String(randomInt(SAMPLES));
  process.stdout.write(
    `Generated tests and drawn stories: sample ${sample}. Repeat it: TEST_SAMPLE=${sample} npm test; make all: TEST_SAMPLE=all npm test\n`,
  );
  const projects = everydayWithout(storiesLeftOut(sample));
  return { test: { maxWorkers: 2, env: { TEST_SAMPLE: sample }, projects } };
});
