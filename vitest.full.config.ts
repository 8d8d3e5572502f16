import { defineConfig } from "vitest/config";
import { everyday, long } from "./vitest.config.ts";

/** Everything: what `npm test` runs, the long tests, and twenty seeds of the simulation in place of three. */
export default defineConfig({
  test: { maxWorkers: 2, env: { SIM_SEEDS: "20" }, projects: [...everyday, ...long] },
});
