import { defineConfig } from "vitest/config";
import { ON_DISK, project } from "./vitest.config.ts";

/**
 * The races and the fault tests with many more rounds, one file at a time, so that nothing else takes the machine's time.
 * Each prints its figures. CHAOS=short keeps the bounded rounds.
 */
export default defineConfig({
  test: {
    env: { CHAOS: process.env.CHAOS ?? "long" },
    maxWorkers: 1,
    fileParallelism: false,
    projects: [
      project("chaos", {
        include: ["packages/server/test/{races,faults}/**/*.test.ts"],
        globalSetup: ON_DISK,
        hookTimeout: 300_000,
      }),
    ],
  },
});
