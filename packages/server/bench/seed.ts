import type { BenchApi, Json } from "./bench-api.ts";
import { runLoad } from "./load-generator.ts";
import { createRequestSource, type RequestShape } from "./request-source.ts";

/** What transfers go between. */
export interface Population {
  /** Funded internal accounts in USD, one a customer. */
  readonly accounts: readonly string[];
  /** External accounts whose transfers complete at once. */
  readonly completing: readonly string[];
  /** External accounts of whose transfers nothing is heard for half a minute. */
  readonly silent: readonly string[];
}

export const NOBODY: Population = { accounts: [], completing: [], silent: [] };

interface Target {
  readonly port: number;
  readonly api: BenchApi;
}

const CONNECTIONS = 64;
const DESTINATIONS = 50;
/** More than any run can spend, one cent at a time. */
const FUNDS = 10_000_000_000;
const PAGE = 100;

/** Makes customers through the API until there are `count` funded accounts. */
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
  return {
    accounts: [...before, ...fresh],
    completing: known === NOBODY ? await destinations(target.api, "000") : known.completing,
    silent: known === NOBODY ? await destinations(target.api, "005") : known.silent,
  };
}

function post(path: string, body: Json): RequestShape {
  return { method: "POST", path, body };
}

/** Sends each request once; anything but success ends the run. */
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

/** External accounts of the platform, which every customer may send to. */
async function destinations(api: BenchApi, suffix: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < DESTINATIONS; n += 1) {
    const made = await api.post("/platform/external-accounts", {
      currency: "USD",
      accountInfo: {
        accountType: "USD_ACCOUNT",
        accountNumber: `${100_000 + n}${suffix}`,
        routingNumber: "021000021",
        beneficiary: { beneficiaryType: "INDIVIDUAL", fullName: `Bench Receiver ${n}` },
      },
    });
    ids.push(String(made.id));
  }
  return ids;
}
