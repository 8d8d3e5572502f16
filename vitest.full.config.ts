import { defineConfig } from "vitest/config";
import { everyday, long } from "./vitest.config.ts";

/** Everything: what `npm test` runs, all generated tests, the long tests, and twenty seeds of the simulation in place of three. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    env: { TEST_SAMPLE: "all", SIM_SEEDS: "20" },
    projects: [...everyday, ...long],
  },
});
