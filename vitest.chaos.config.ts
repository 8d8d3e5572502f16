import { defineConfig } from "vitest/config";
import usual from "./vitest.config.ts";

/**
 * The races and the fault tests with many more rounds, one file at a time, so that nothing else takes the machine's time.
 * Each prints its figures. CHAOS=short keeps the bounded rounds.
 */
export default defineConfig({
  ...usual,
  test: {
    ...usual.test,
    include: [
      "packages/server/test/races/**/*.test.ts",
      "packages/server/test/faults/**/*.test.ts",
    ],
    env: { CHAOS: process.env.CHAOS ?? "long" },
    hookTimeout: 300_000,
    maxWorkers: 1,
    fileParallelism: false,
  },
});
