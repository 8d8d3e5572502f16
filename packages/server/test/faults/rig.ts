/** The set-up of the fault tests and races: servers, a funded customer, a payment. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { present } from "../../src/std/assert.ts";
import { createTestDatabase, type TestDatabase } from "../kit/test-database.ts";
import { type Call, type Reachable, type Reply, send } from "./history.ts";
import { bugsIn, type ServerProcess, startServerProcess } from "./server-process.ts";

export const MASTER_KEY = "fedcba9876543210".repeat(4);

export interface Rig {
  readonly database: TestDatabase;
  readonly servers: readonly ServerProcess[];
  /** Stops the servers, drops the database, and fails when a server logged a bug. */
  close(): Promise<void>;
}

export interface RigOptions {
  /** One server per item, optionally with a proxied database URL or another program. */
  readonly servers: readonly {
    readonly url?: (database: TestDatabase) => string | Promise<string>;
    readonly program?: string;
    readonly settings?: Readonly<Record<string, string>>;
  }[];
  /** Controls: their servers may log bugs. */
  readonly mayComplain?: boolean;
}

/** Starts servers on one database of the run's PostgreSQL. */
export async function startRig({ servers, mayComplain = false }: RigOptions): Promise<Rig> {
  const database = await createTestDatabase();
  const started: ServerProcess[] = [];
  async function close() {
    await Promise.all(started.map((server) => server.stop()));
    await database.drop();
    const bugs = started.flatMap(bugsIn);
    if (bugs.length > 0 && !mayComplain) throw new Error(`a server met a bug: ${bugs[0]}`);
  }
  try {
    for (const { url, program, settings } of servers) {
      const env = {
        DATABASE_URL: (await url?.(database)) ?? database.url,
        MASTER_KEY,
        ...settings,
      };
      started.push(
        await startServerProcess({ env, ...(program === undefined ? {} : { program }) }),
      );
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { database, servers: started, close };
}

export interface Customer {
  readonly customerId: string;
  readonly accountId: string;
  readonly destinationId: string;
  /** A payment of one unit between these accounts. */
  readonly payment: (reference: string) => unknown;
  /** A book transfer of one unit to this account. */
  readonly bookPayment: (to: string) => (reference: string) => unknown;
}

let accountNumbers = 0;

/** A customer with this balance in USD, and an external account. */
export async function customerWith(server: Reachable, amount: number): Promise<Customer> {
  const customer = await expectReply(server, 201, {
    method: "POST",
    path: "/customers",
    body: { customerType: "INDIVIDUAL", fullName: "Ana Ruiz", currencies: ["USD"] },
  });
  const customerId = String(customer.id);
  const accounts = await expectReply(server, 200, {
    method: "GET",
    path: `/customers/internal-accounts?customerId=${customerId}&currency=USD`,
  });
  const [account] = accounts.data as readonly { readonly id: string }[];
  const accountId = present(account, "an account in USD").id;
  if (amount > 0) await fund(server, accountId, amount);
  const destinationId = await externalAccount(server, customerId);
  return {
    customerId,
    accountId,
    destinationId,
    payment: (reference) => ({
      source: { accountId },
      destination: { accountId: destinationId },
      amount: 1,
      remittanceInformation: reference,
    }),
    bookPayment: (to) => (reference) => ({
      source: { accountId },
      destination: { accountId: to },
      amount: 1,
      description: reference,
    }),
  };
}

export async function fund(server: Reachable, accountId: string, amount: number): Promise<void> {
  const path = `/sandbox/internal-accounts/${accountId}/fund`;
  await expectReply(server, 200, { method: "POST", path, body: { amount } });
}

export function externalAccountBody(
  customerId: string,
  more: { readonly defaultUmaDepositAccount?: boolean } = {},
): unknown {
  return {
    customerId,
    currency: "USD",
    ...more,
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: `${100_000_000 + ++accountNumbers}789`,
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: "Ana Ruiz" },
    },
  };
}

async function externalAccount(server: Reachable, customerId: string): Promise<string> {
  const path = "/customers/external-accounts";
  const made = await expectReply(server, 201, {
    method: "POST",
    path,
    body: externalAccountBody(customerId),
  });
  return String(made.id);
}

/** Makes a call and expects this status; returns the parsed answer. */
export async function expectReply(
  server: Reachable,
  status: number,
  call: Call,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await send(server, call);
  if (reply.status !== status) throw new Error(`${call.path}: ${reply.status} ${reply.text}`);
  return reply.text === "" ? {} : JSON.parse(reply.text);
}

export async function balanceOf(server: Reachable, { customerId }: Customer): Promise<number> {
  const path = `/customers/internal-accounts?customerId=${customerId}&currency=USD`;
  const accounts = await expectReply(server, 200, { method: "GET", path });
  const [account] = accounts.data as readonly { readonly balance: { readonly amount: number } }[];
  return present(account, "the account").balance.amount;
}

export function tally(replies: readonly Reply[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

export async function postmasterOf(
  dataDir: string,
): Promise<{ readonly pid: number; readonly host: string; readonly port: number }> {
  const lines = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  const [pid, , , port, host] = lines;
  return { pid: Number(pid), port: Number(port), host: present(host, "the socket's directory") };
}
