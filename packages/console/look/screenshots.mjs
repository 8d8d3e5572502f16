// Pictures of every page, narrow and wide, light and dark: with data, empty, and refused; of two pages
// that failed. They are made by the tests that open these pages. Run it after a change of the look, and look at the pictures in `pictures/`, which
// is not committed. `pictures.mjs` makes those that the documentation shows.
//
//   node packages/console/look/screenshots.mjs
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = resolve(root, "pictures");
for (const state of ["full", "empty", "refused", "failed"])
  rmSync(`${folder}/${state}`, { recursive: true, force: true });

const tests = ["console", "console-looks", "console-failed"].map(
  (name) => `packages/server/test/browser/${name}.test.ts`,
);
const words = [
  "vitest",
  "run",
  "--config",
  "vitest.full.config.ts",
  ...tests,
  "-t",
  " at [0-9]+ px ",
];
const { status } = spawnSync("npx", words, {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, SCREENSHOTS: folder },
});
process.exit(status ?? 1);
