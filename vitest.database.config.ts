import { defineConfig } from "vitest/config";
import { project } from "./vitest.config.ts";

/** The tests that use a database, on the PostgreSQL of TEST_DATABASE_URL: see scripts/test-database.mjs. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("database", {
        include: [
          "packages/server/src/**/*.test.ts",
          "packages/server/test/{sim,stories}/**/*.test.ts",
        ],
        exclude: ["packages/server/src/embedded-postgres/**"],
        globalSetup: ["packages/server/test/kit/global-setup-outside.ts"],
      }),
    ],
  },
});
