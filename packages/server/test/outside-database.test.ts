/** `npm run test:database`, on the PostgreSQL of this run, which stands for one that somebody started. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { expect, inject, it } from "vitest";

const script = fileURLToPath(new URL("../../../scripts/test-database.mjs", import.meta.url));

function runTests(...args: readonly string[]) {
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let output = "";
  child.stdout.on("data", (data) => (output += data));
  child.stderr.on("data", (data) => (output += data));
  return new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}

it("runs the tests that it is given, in databases that are gone afterwards", async () => {
  const { host, port, superuser } = inject("postgres");
  const url = `postgres://${superuser}@localhost/postgres?host=${encodeURIComponent(host)}&port=${port}`;
  const { code, output } = await runTests(
    url,
    "packages/server/src/postgres/distribution.test.ts",
    "packages/server/src/jobs/job-store.test.ts",
    "packages/server/test/stories/payments/first-payment.test.ts",
  );
  expect(output).toMatch(/Test Files.* 3 passed/);
  expect(code).toBe(0);
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "select datname from pg_database where datname like 'florin_test_%'",
  );
  await client.end();
  expect(rows).toEqual([]);
});

it.each([[], ["mysql://root@localhost/"], ["packages/server/src"]])(
  "says what it takes when it is called with %j",
  async (...args) => {
    const { code, output } = await runTests(...args.flat());
    expect(code).toBe(2);
    expect(output).toContain("usage: npm run test:database -- postgres://");
  },
);
