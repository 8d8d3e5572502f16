import { defineConfig } from "vitest/config";
import { project } from "./vitest.config.ts";

/** `npm run record`: what every operation answers, in a file that a later recording is compared with (test/record). */
export default defineConfig({
  test: {
    maxWorkers: 1,
    projects: [project("record", { include: ["packages/server/test/record/record.ts"] })],
  },
});
