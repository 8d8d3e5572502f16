// `npm run test:database -- postgres://…`: runs the tests on a PostgreSQL that somebody started. What follows the URL goes to vitest.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const USAGE = `usage: npm run test:database -- postgres://<superuser>@<host>:<port>/<database> [vitest's arguments]

The URL is that of a superuser. PGPASSWORD has the password, if one is asked for, of the superuser and of the role florin, which is
made when it is missing. Each test makes a database and drops it. Where the database of the URL knows the nodes of a Citus cluster,
every test database is distributed over them; they need the same superuser.

Not run: the fault, race and browser tests and those of the embedded PostgreSQL, which start and kill a PostgreSQL of their own, and the
guides, which describe it. A test that a version or a cluster cannot pass says why in its own file.
`;

const root = fileURLToPath(new URL("../", import.meta.url));
const [url, ...args] = process.argv.slice(2);

if (!/^postgres(ql)?:\/\//.test(url ?? "")) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.database.config.ts", ...args],
  { cwd: root, stdio: "inherit", env: { ...process.env, TEST_DATABASE_URL: url } },
);
process.exit(status ?? 1);
