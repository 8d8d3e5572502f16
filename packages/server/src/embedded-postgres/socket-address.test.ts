import pg from "pg";
import { afterEach, expect, inject, it, vi } from "vitest";
import { socketAddress } from "./socket-address.ts";

afterEach(() => vi.unstubAllEnvs());

it("does not depend on PG* variables of the environment", async () => {
  const environment = {
    PGHOST: "nowhere.invalid",
    PGPORT: "1",
    PGUSER: "nobody",
    PGDATABASE: "nothing",
    PGPASSWORD: "wrong",
    PGSSLMODE: "verify-full",
    PGSSLNEGOTIATION: "direct",
    PGOPTIONS: "-c search_path=nothing -c fsync=off",
    PGCLIENT_ENCODING: "LATIN1",
    PGREPLICATION: "database",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { host, port } = inject("postgres");
  const where = socketAddress(host, { user: "postgres", database: "postgres" });
  const client = new pg.Client({ ...where, port });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select current_user as role, current_setting('search_path') as path, " +
        "current_setting('client_encoding') as encoding",
    );
    expect(rows).toEqual([{ role: "postgres", path: "public", encoding: "UTF8" }]);
  } finally {
    await client.end();
  }
});
