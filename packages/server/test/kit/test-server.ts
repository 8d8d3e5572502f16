/** The complete server on its own database, in this process. */
import { type App, type AppOptions, startApp } from "../../src/app.ts";
import {
  makePlatform,
  type NewPlatform,
  type PlatformWish,
} from "../../src/boot/first-platform.ts";
import { readConfig } from "../../src/config.ts";
import { present } from "../../src/std/assert.ts";
import { type Clock, systemClock } from "../../src/std/clock.ts";
import type { Log } from "../../src/std/log.ts";
import { checkBooks } from "./check-books.ts";
import { jobsTwice } from "./jobs-twice.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export interface TestServer {
  readonly app: App;
  readonly database: TestDatabase;
  readonly baseUrl: string;
  makePlatform(wish?: Partial<PlatformWish>): Promise<NewPlatform>;
  /** Throws when a job failed that ran twice. */
  checkJobs(): void;
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
    /** Jobs run once, where what is measured would count their second run. */
    readonly jobsOnce?: boolean;
    /** Deliveries have a thread of their own, as in production. Needs the system's clock. */
    readonly deliveryThread?: boolean;
    /** A server whose database this one shares, without checking or dropping it. */
    readonly beside?: Pick<TestServer, "database">;
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
    ...(options.jobsOnce === true ? {} : { aroundJobs: twice.aroundJobs }),
    deliveriesHere: options.deliveryThread !== true,
    wallets: options.wallets ?? {},
    ...(options.catalogues === undefined ? {} : { catalogues: options.catalogues }),
    ...(options.log === undefined ? {} : { log: options.log }),
    ...(options.productionRail === undefined ? {} : { productionRail: options.productionRail }),
  });
  // Not PUBLIC_URL, which is another address.
  const baseUrl = `http://127.0.0.1:${app.address.port}/2025-10-13`;
  let count = 0;
  const server: TestServer = {
    app,
    database,
    baseUrl,
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
    checkJobs: twice.check,
    async checkBooks() {
      twice.check();
      await app.store.database.withClient((client) => checkBooks(client, { app, baseUrl, clock }));
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
