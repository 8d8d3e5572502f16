import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { messagesPlugin } from "./packages/console/build/plugins.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type ProjectTest = NonNullable<TestProjectInlineConfiguration["test"]>;

/** A data directory in memory where the machine has one: no test of these waits for a disk. */
const IN_MEMORY = ["packages/server/test/kit/global-setup.ts"];
/** On a disk, as in production: what is killed must find what it wrote. */
export const ON_DISK = ["packages/server/test/kit/global-setup-on-disk.ts"];

/**
 * The files of a project run in two processes, one after the other, and share the modules that they load: the program is
 * loaded twice, not once for each of 350 files.
 */
export function project(name: string, test: ProjectTest): TestProjectInlineConfiguration {
  return {
    // Sentences of the console are tested as people read them.
    plugins: [messagesPlugin()],
    resolve: {
      alias: {
        "@florin/cli/proof": here("packages/cli/src/proof/check-proof.ts"),
        "@florin/cli/signature": here("packages/cli/src/proof/web-signature.ts"),
        "@florin/cli": here("packages/cli/src/main.ts"),
        "@florin/client/wallet": here("packages/client/src/wallet/index.ts"),
        "@florin/client/webhooks": here("packages/client/src/webhooks.ts"),
        "@florin/client": here("packages/client/src/index.ts"),
      },
    },
    test: {
      name,
      isolate: false,
      globalSetup: IN_MEMORY,
      // Bounds for what hangs, far above what a loaded machine takes: no test says how fast something is.
      testTimeout: 120_000,
      hookTimeout: 180_000,
      expect: { poll: { timeout: 60_000, interval: 10 } },
      ...test,
    },
  };
}

const LONG = [
  // Thousands of rows, time that really passes, or programs that are started.
  "packages/**/*.long.test.ts",
  "packages/server/src/embedded-postgres/**/*.test.ts",
  "packages/server/test/{races,browser}/**/*.test.ts",
  "packages/server/bench/long/**/*.test.ts",
];
/** They start programs or build sites, which takes seconds a test. */
const PROGRAMS = [
  "packages/{cli,client,console,docs-site}/test/{build,package,program,site}.test.ts",
  "packages/server/src/commands/{command-line,without-a-database}.test.ts",
  "packages/server/test/guides/*.test.ts",
  "packages/server/test/interop/*.test.ts",
  "packages/server/test/outside-database.test.ts",
];
/** They call every operation and read all that is kept of it, in one test. */
const SWEEPS = ["packages/server/test/stories/reading/request-logs-canaries.test.ts"];
const FAULTS = ["packages/server/test/faults/*.test.ts"];
/** One kill, of ten seconds. */
const KILL = ["packages/server/test/faults/short/*.test.ts"];

/** What a person runs before each commit, without these files: vitest.sample.config.ts. */
export const everydayWithout = (leftOut: readonly string[]) => [
  // One project, because each starts a PostgreSQL, translates the program and loads it twice.
  project("tests", {
    include: ["packages/*/{src,test}/**/*.test.ts", "packages/server/bench/**/*.test.ts"],
    exclude: [...LONG, ...PROGRAMS, ...SWEEPS, ...FAULTS, ...KILL, ...leftOut],
  }),
  // The server of this test starts a PostgreSQL, so the run needs none for it. Projects run in the order of their names, so other tests run
  // while this one waits.
  project("kill", { include: KILL, globalSetup: [] }),
];

export const everyday = everydayWithout([]);

/** What runs in `npm run test:full` besides. */
export const long = [
  project("long", { include: [...LONG, ...PROGRAMS, ...SWEEPS] }),
  project("faults", { include: FAULTS, globalSetup: ON_DISK }),
];

/** For files that are named: all of their tests. */
export default defineConfig({ test: { maxWorkers: 2, projects: everyday } });
