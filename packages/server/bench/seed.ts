import type { BenchApi, Json } from "./bench-api.ts";
import { runLoad } from "./load-generator.ts";
import { createRequestSource, type RequestShape } from "./request-source.ts";

export interface Population {
  readonly accounts: readonly string[];
  /** External accounts whose transfers complete immediately. */
  readonly completing: readonly string[];
  /** External accounts whose transfers have an outcome after 30 s. */
  readonly silent: readonly string[];
  /** External accounts in EUR whose payments have an outcome after six minutes, so that a load measures execution only. */
  readonly euros: readonly string[];
}

export const NOBODY: Population = { accounts: [], completing: [], silent: [], euros: [] };

interface Target {
  readonly port: number;
  readonly api: BenchApi;
}

const CONNECTIONS = 64;
const DESTINATIONS = 50;
/** Funds of an account: more than a run can spend in transfers of one cent. */
const FUNDS = 10_000_000_000;
const PAGE = 100;

export async function populate(
  target: Target,
  { count, known }: { readonly count: number; readonly known: Population },
): Promise<Population> {
  const have = known.accounts.length;
  const numbers = Array.from({ length: count - have }, (_, n) => have + n);
  await send(target, {
    name: `customers-${have}`,
    requests: numbers.map((n) =>
      post("/customers", {
        customerType: "INDIVIDUAL",
        fullName: `Bench Customer ${n} Smith`,
        platformCustomerId: `bench-${n}`,
        currencies: ["USD"],
      }),
    ),
  });
  const before = new Set(known.accounts);
  const fresh = (await accountIds(target.api)).filter((id) => !before.has(id));
  await send(target, {
    name: `funds-${have}`,
    requests: fresh.map((id) => post(`/sandbox/internal-accounts/${id}/fund`, { amount: FUNDS })),
  });
  const receivers = known === NOBODY ? await receiversOf(target.api) : known;
  return { ...receivers, accounts: [...before, ...fresh] };
}

function post(path: string, body: Json): RequestShape {
  return { method: "POST", path, body };
}

/** Sends each request once. An answer other than 2xx ends the run. */
async function send(
  { port, api }: Target,
  { name, requests }: { readonly name: string; readonly requests: readonly RequestShape[] },
): Promise<void> {
  if (requests.length === 0) return;
  const headers = { Authorization: api.authorization };
  const host = "127.0.0.1";
  const nextRequest = createRequestSource({
    host,
    port,
    keyPrefix: `seed-${name}-`,
    requests: requests.map((one) => ({ ...one, path: `/2025-10-13${one.path}`, headers })),
  });
  const count = requests.length;
  const result = await runLoad({ host, port, connections: CONNECTIONS, count, nextRequest });
  if (result.ok !== count) {
    throw new Error(
      `seeding ${name}: ${result.ok} of ${count} (${JSON.stringify(result.byStatus)})`,
    );
  }
}

async function accountIds(api: BenchApi): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await api.get(`/customers/internal-accounts?currency=USD&limit=${PAGE}${cursor}`);
    for (const { id } of page.data as readonly { readonly id: string }[]) ids.push(id);
    if (page.hasMore !== true) return ids;
    cursor = `&cursor=${String(page.nextCursor)}`;
  }
}

/** External accounts of the platform, to which all its customers may send. */
async function receiversOf(api: BenchApi): Promise<Omit<Population, "accounts">> {
  return {
    completing: await receivers(api, dollars("000")),
    silent: await receivers(api, dollars("005")),
    euros: await receivers(api, [SLOW_EUROS]),
  };
}

async function receivers(api: BenchApi, bodies: readonly Json[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    const made = await api.post("/platform/external-accounts", body);
    ids.push(String(made.id));
  }
  return ids;
}

function dollars(suffix: string): readonly Json[] {
  return Array.from({ length: DESTINATIONS }, (_, n) => ({
    currency: "USD",
    accountInfo: {
      accountType: "USD_ACCOUNT",
      accountNumber: `${100_000 + n}${suffix}`,
      routingNumber: "021000021",
      beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: `Bench Receiver ${n}` },
    },
  }));
}

const SLOW_EUROS: Json = {
  currency: "EUR",
  accountInfo: {
    accountType: "EUR_ACCOUNT",
    iban: "DE89111111111111111003",
    beneficiary: {
      beneficiaryType: "INDIVIDUAL",
      fullName: "Bench Receiver",
      countryOfResidence: "DE",
    },
  },
};
