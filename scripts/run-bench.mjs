// `npm run bench`: builds the load generator and runs the bench on the server that npm has just built.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

function run(args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

run(["node_modules/typescript/bin/tsc", "-p", "packages/server/tsconfig.bench.json"]);
run(["packages/server/dist-bench/run.js", ...process.argv.slice(2)]);
