/** The complete server on its own database, in this process. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { type App, type AppOptions, startApp } from "../../src/app.ts";
import { OVERDUE_PAYMENTS, reconciliations } from "../../src/audit/reconciliation.sql.ts";
import { verifyPlatforms } from "../../src/audit/verify-platform.ts";
import {
  makePlatform,
  type NewPlatform,
  type PlatformWish,
} from "../../src/boot/first-platform.ts";
import { approvalChecks } from "../../src/boot/people/approval-checks.ts";
import { readConfig } from "../../src/config.ts";
import { present } from "../../src/std/assert.ts";
import { type Clock, systemClock } from "../../src/std/clock.ts";
import type { Log } from "../../src/std/log.ts";
import { documentCheckOf } from "./document-check.ts";
import { jobsTwice } from "./jobs-twice.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export interface TestServer {
  readonly app: App;
  readonly database: TestDatabase;
  readonly baseUrl: string;
  makePlatform(wish?: Partial<PlatformWish>): Promise<NewPlatform>;
  /** Verifies the books and the log, and looks for leftovers. Throws on a problem. */
  checkBooks(): Promise<void>;
  close(): Promise<void>;
}

export const TEST_MASTER_KEY = "0123456789abcdef".repeat(4);

export async function startTestServer(
  options: {
    readonly settings?: Readonly<Record<string, string>>;
    readonly clock?: Clock;
    readonly wallets?: AppOptions["wallets"];
    readonly productionRail?: AppOptions["productionRail"];
    readonly catalogues?: AppOptions["catalogues"];
    readonly log?: Log;
    /** Deliveries have a thread of their own, as in production. Needs the system's clock. */
    readonly deliveryThread?: boolean;
    /** A server whose database this one shares, without checking or dropping it. */
    readonly beside?: TestServer;
  } = {},
): Promise<TestServer> {
  const database = options.beside?.database ?? (await createTestDatabase());
  const config = readConfig({
    DATABASE_URL: database.url,
    MASTER_KEY: TEST_MASTER_KEY,
    PORT: "0",
    METRICS_PORT: "off",
    LOG_LEVEL: "silent",
    OUTBOUND_ALLOW_LOOPBACK: "sandbox",
    RATE_LIMIT_PER_SECOND: "1000000",
    ...options.settings,
  });
  const clock = options.clock ?? systemClock;
  const twice = jobsTwice();
  const app = await startApp(config, {
    clock,
    aroundJobs: twice.aroundJobs,
    deliveriesHere: options.deliveryThread !== true,
    wallets: options.wallets ?? {},
    ...(options.catalogues === undefined ? {} : { catalogues: options.catalogues }),
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.productionRail === undefined ? {} : { productionRail: options.productionRail }),
  });
  let count = 0;
  const server: TestServer = {
    app,
    database,
    // Not PUBLIC_URL, which is another address.
    baseUrl: `http://127.0.0.1:${app.address.port}/2025-10-13`,
    async makePlatform(wish = {}) {
      const { engine, store } = app;
      const tools = { engine, sealer: store.sealer, clock };
      const made = await makePlatform(tools, {
        name: `platform ${++count}`,
        environment: "SANDBOX",
        umaDomain: `p${count}.test`,
        isRegulated: false,
        ...wish,
      });
      return present(made, "a new platform");
    },
    async checkBooks() {
      twice.check();
      const { database: checked } = app.store;
      const report = await checked.withClient((client) =>
        plansOnce(client).then((planned) =>
          verifyPlatforms({
            client: planned,
            reconciliations,
            approvals: approvalChecks(app.store.sealer),
            overdue: { text: OVERDUE_PAYMENTS, now: clock.now() },
          }),
        ),
      );
      if (!report.ok) throw new Error(`the books are off: ${JSON.stringify(report.problems[0])}`);
      await checkEvents(server);
    },
    async close() {
      if (options.beside !== undefined) return app.close();
      try {
        await server.checkBooks();
      } finally {
        await app.close();
        await database.drop();
      }
    },
  };
  return server;
}

/**
 * Plans each statement once for a connection and not once for each platform. A file checks twenty platforms with a few rows
 * each: planning took three times as long as everything else that the run's PostgreSQL did.
 */
async function plansOnce(client: pg.Client): Promise<pg.Client> {
  await client.query("set plan_cache_mode = force_generic_plan");
  const query = (asked: pg.QueryConfig) =>
    client.query({ name: createHash("sha256").update(asked.text).digest("base64url"), ...asked });
  return { query } as pg.Client;
}

/** Validates all events of a story against the OpenAPI document. */
async function checkEvents({ app, baseUrl }: TestServer): Promise<void> {
  const { rows } = await app.store.database.withClient((client) =>
    client.query<{ type: string; body: string }>("select type, body from events"),
  );
  if (rows.length === 0) return;
  const document = await documentCheckOf(baseUrl);
  for (const { type, body } of rows) document.checkEvent({ type, json: JSON.parse(body) });
}
