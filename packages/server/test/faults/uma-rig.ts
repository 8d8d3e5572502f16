/** Two servers of one platform on a PostgreSQL on a disk, and an institution and a network outside: all of them are killed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseAddress } from "../../src/postgres/database.ts";
import { present } from "../../src/std/assert.ts";
import { freePort } from "../kit/free-port.ts";
import { CALLBACK_SECRET, SIGNING_SECRET } from "../kit/rail-connector.ts";
import { endReceivers } from "../kit/receivers.ts";
import { type RunPostgres, startRunPostgres } from "../kit/run-postgres.ts";
import { openStory, type Story } from "../kit/story.ts";
import { activeConnection, expectStatus, fixedEuroRate, payerOf } from "../kit/story-rails.ts";
import { customerAt } from "../kit/story-uma-served.ts";
import { listenTo } from "../kit/story-webhooks.ts";
import type { TestDatabase } from "../kit/test-database.ts";
import { startTestServer, TEST_MASTER_KEY } from "../kit/test-server.ts";
import { startUmaProxy } from "../kit/uma-proxy.ts";
import { eventually } from "./eventually.ts";
import { postmasterOf } from "./rig.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "./server-process.ts";
import { type Outside, startOutside } from "./uma-programs.ts";

const CUSTOMERS = 6;
/** What each of them has in dollars at first. */
export const FUNDED = 20_000_000;
/** Its orphans may be amid a write to a busy disk, which delays the next one. */
const RESTART_LIMIT_MS = 120_000;
/** Invoices of the platform: shorter than the time that passes in a run. */
const INVOICE_SECONDS = 180;

export interface Payee {
  readonly umaAddress: string;
  readonly dollars: string;
  readonly euros: string;
}

export interface UmaRig {
  readonly place: string;
  readonly outside: Outside;
  readonly servers: readonly ServerProcess[];
  readonly address: DatabaseAddress;
  readonly authorization: string;
  readonly platformId: string;
  readonly connectionId: string;
  readonly payees: readonly Payee[];
  /** Kills PostgreSQL and waits until another one runs. */
  killPostgres(): Promise<void>;
  /** What went wrong inside a program. */
  bugs(): readonly string[];
  close(): Promise<void>;
}

export interface UmaRigOptions {
  /** Of the servers; the built one unless a control says otherwise. */
  readonly program?: string;
  /** Whether the platform takes a payment that it is asked about. */
  readonly takes: (transactionId: string) => boolean;
  /** Ports of further institutions, by their domains. */
  readonly institutions?: Readonly<Record<string, number>>;
}

export async function startUmaRig({
  program,
  takes,
  institutions = {},
}: UmaRigOptions): Promise<UmaRig> {
  const place = await mkdtemp(join(tmpdir(), "florin-uma-"));
  const postgres = await startRunPostgres(tmpdir());
  const ports = [await freePort(), await freePort()];
  const outside = await startOutside(place, ports);
  const { setting, made } = await setUp({ postgres, outside, takes, institutions });
  const uuid = made.connectionId.slice(made.connectionId.indexOf(":") + 1);
  outside.callbackUrl = `http://127.0.0.1:${ports[0]}/2025-10-13/rails/callbacks/${uuid}`;
  await outside.bank.kill();
  await outside.bank.start();
  const servers: ServerProcess[] = [];
  for (const port of ports) {
    const env = { ...setting, ...outside.env, PORT: String(port) };
    servers.push(await startServerProcess({ env, ...(program === undefined ? {} : { program }) }));
  }
  const { host, port, superuser: _, template: database } = postgres.provided;
  const programs = [outside.bank, outside.otherBank, outside.institution];
  return {
    ...{ place, outside, servers, ...made },
    address: { host, port, user: "florin", database },
    killPostgres: () => killPostgres(postgres.dataDir),
    bugs: () => [
      ...servers.flatMap(bugsIn),
      ...programs.flatMap(({ complaints }) =>
        complaints.filter((text) => /a bug|Error/.test(text)),
      ),
    ],
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(programs.map((one) => one.kill()));
      await endReceivers();
      await postgres.stop();
      await rm(place, { recursive: true, force: true });
    },
  };
}

async function killPostgres(dataDir: string): Promise<void> {
  const { pid: killed } = await postmasterOf(dataDir);
  process.kill(killed, "SIGKILL");
  const isAnother = async () => {
    const { pid } = await postmasterOf(dataDir).catch(() => ({ pid: killed }));
    return pid === killed ? undefined : pid;
  };
  await eventually("another PostgreSQL", isAnother, RESTART_LIMIT_MS);
}

interface Parts {
  readonly postgres: RunPostgres;
  readonly outside: Outside;
  readonly takes: UmaRigOptions["takes"];
  readonly institutions: Readonly<Record<string, number>>;
}

/** By a server in this process, which ends before the others start. */
async function setUp({ postgres, outside, takes, institutions }: Parts) {
  const { host, port, template: name } = postgres.provided;
  const url = `postgres://florin@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`;
  const proxy = await startUmaProxy();
  const hosts = {
    ...institutions,
    "bank.test": proxy.port,
    "vasp.test": outside.institution.port,
  };
  const settings = {
    UMA_HOSTS: Object.entries(hosts)
      .map(([domain, at]) => `${domain}=http://127.0.0.1:${at}`)
      .join(","),
    RAIL_ALLOWED_HOSTS: `127.0.0.1:${outside.bank.port}`,
    OUTBOUND_ALLOW_LOOPBACK: "all",
  };
  const database = { url } as TestDatabase;
  const server = await startTestServer({ beside: { database }, settings });
  proxy.upstream = server.app.address.port;
  const wish = { environment: "PRODUCTION", isRegulated: true, umaDomain: "bank.test" } as const;
  const story = await openStory(server, wish);
  const [domain] = (await story.call("GET", "/uma/domains")).json.data;
  expectStatus(200, await story.call("POST", `/uma/domains/${domain.id}/check`));
  await fixedEuroRate(story);
  const policy = (await story.call("GET", "/uma/policy")).json;
  const { updatedAt: _, ...kept } = policy;
  const body = { ...kept, invoiceSeconds: INVOICE_SECONDS };
  expectStatus(200, await story.call("PUT", "/uma/policy", body));
  const connectionId = await connect(story, outside.bank.port);
  const payees = await fundedPayees(story);
  await listenTo(story, ({ type, data }) =>
    type === "INCOMING_PAYMENT.PENDING" && !takes(data.id)
      ? 403
      : { status: 200, body: JSON.stringify({ receiverCustomerInfo: { FULL_NAME: "Ana" } }) },
  );
  const { platformId, authorization, clientId, clientSecret } = story;
  await server.close();
  await proxy.close();
  // The credentials of a first start must be those of a token that is there.
  const token = { BOOTSTRAP_CLIENT_ID: clientId, BOOTSTRAP_CLIENT_SECRET: clientSecret };
  const setting = { ...settings, ...token, DATABASE_URL: url, MASTER_KEY: TEST_MASTER_KEY };
  return { setting, made: { platformId, authorization, connectionId, payees } };
}

async function connect(story: Story, port: number): Promise<string> {
  const connectionId = await activeConnection(story, {
    name: "bank",
    kind: "HTTP",
    currencies: ["EUR"],
    account: { holderName: "Acme Payments", label: "operating" },
    settings: {
      baseUrl: `http://127.0.0.1:${port}`,
      ...{ timeoutMs: 2_000, concurrency: 8, feed: true, pollSeconds: 10 },
    },
    secrets: { signingSecret: SIGNING_SECRET, callbackSecret: CALLBACK_SECRET },
  });
  for (const route of [
    { name: "out", direction: "OUT", accountTypes: ["UMA_ADDRESS"] },
    { name: "invoices", direction: "INVOICE" },
  ]) {
    const body = { ...route, currency: "EUR", connectionId };
    expectStatus(201, await story.call("POST", "/rails/routes", body));
  }
  return connectionId;
}

async function fundedPayees(story: Story): Promise<readonly Payee[]> {
  const platform = await payerOf(story, CUSTOMERS * FUNDED);
  const payees: Payee[] = [];
  for (let index = 0; index < CUSTOMERS; index += 1) {
    const umaAddress = `$ana${index}@bank.test`;
    const more = { currencies: ["EUR", "USD"], birthDate: "1990-02-01" };
    const customerId = await customerAt(story, umaAddress, more);
    const path = `/customers/internal-accounts?customerId=${customerId}`;
    const { data } = (await story.call("GET", path)).json;
    const idIn = (currency: string): string =>
      present(
        data.find(
          (one: { balance: { currency: { code: string } } }) =>
            one.balance.currency.code === currency,
        ),
        currency,
      ).id;
    const payee = { umaAddress, dollars: idIn("USD"), euros: idIn("EUR") };
    const given = await story.call("POST", "/transfers", {
      source: { accountId: platform.accountId },
      destination: { accountId: payee.dollars },
      amount: FUNDED,
    });
    expectStatus(201, given);
    payees.push(payee);
  }
  return payees;
}
