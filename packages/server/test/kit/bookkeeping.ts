/** Two platforms with a few hundred commands of all kinds, written by the real engine, for tests of verification. */
import { createHash } from "node:crypto";
import type { Answered, Command, Submission } from "../../src/engine/command.ts";
import { createEngine, type Engine, engineDefaults } from "../../src/engine/engine.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import {
  ledgerAccounts,
  newInternalLedgerAccount,
  type SystemAccountKind,
  systemAccount,
} from "../../src/ledger/chart.ts";
import type { Leg, PostingReason } from "../../src/ledger/postings.ts";
import type { Database } from "../../src/postgres/database.ts";
import { createSealer, type Sealer } from "../../src/secrets/sealing.ts";
import { type Clock, systemClock } from "../../src/std/clock.ts";
import { silentLog } from "../../src/std/log.ts";

export const PLATFORM_IDS = [
  "018f0000-0000-7000-8000-00000000000a",
  "018f0000-0000-7000-8000-00000000000b",
] as const;
const CURRENCIES = ["USD", "EUR", "BTC"] as const;

export const testSealer: Sealer = createSealer({
  current: { id: "0badc0de", key: createHash("sha256").update("a key for tests").digest() },
});

export function openTestEngine(database: Database, clock: Clock = systemClock): Engine {
  return createEngine({
    ...engineDefaults,
    database,
    clock,
    log: silentLog,
    sealer: testSealer,
    renderEvent: (subject, platformId) =>
      JSON.stringify({ id: subject.id, platformId, note: "für ☂" }),
    renderRefusal: ({ code, status }) => ({ status, body: JSON.stringify({ code }) }),
    constraintRefusals: {},
  });
}

interface OpenInput {
  readonly currency: string;
}

const openAccount: Command<OpenInput, string> = {
  name: "open-account",
  needs: () => [],
  decide(world, { currency }) {
    const id = world.newId();
    world.put(ledgerAccounts, newInternalLedgerAccount(id, currency, world.at));
    return id;
  },
};

export interface MoveInput {
  readonly accountId: string;
  readonly currency: string;
  readonly minor: bigint;
  readonly postings: readonly {
    readonly reason: PostingReason;
    readonly from: SystemAccountKind | "account";
    readonly to: SystemAccountKind | "account";
  }[];
  readonly events: number;
}

export const move: Command<MoveInput, string> = {
  name: "move",
  needs: (_world, { accountId, currency, postings }) => [
    ledgerAccounts.ref(accountId),
    ...postings
      .flatMap(({ from, to }) => [from, to])
      .flatMap((kind) => (kind === "account" ? [] : [systemAccount(kind, currency)])),
  ],
  decide(world, { accountId, currency, minor, postings, events }) {
    const leg = (kind: SystemAccountKind | "account", amount: bigint): Leg => {
      if (kind === "account") return { account: accountId, minor: amount };
      const held = kind === "in-flight" ? { heldFor: accountId } : {};
      return { system: kind, currency, minor: amount, ...held };
    };
    for (const { reason, from, to } of postings) {
      if (from === "in-flight" && world.get(ledgerAccounts.ref(accountId)).heldMinor < minor) {
        throw new Refusal("CONFLICT");
      }
      world.post({ reason, legs: [leg(from, -minor), leg(to, minor)] });
    }
    for (let count = 0; count < events; count++) {
      world.emit("INTERNAL_ACCOUNT.BALANCE_UPDATED", {
        kind: "InternalAccount",
        id: `InternalAccount:${accountId}`,
      });
    }
    return accountId;
  },
};

const advance: Command<{ readonly seconds: number }, string> = {
  name: "advance-clock",
  needs: () => [],
  decide(world, { seconds }) {
    world.advanceClock(seconds);
    return "";
  },
};

const MOVES = {
  fund: [{ reason: "sandbox.fund", from: "sandbox-funding", to: "account" }],
  hold: [{ reason: "payout.hold", from: "account", to: "in-flight" }],
  settle: [{ reason: "payout.settle", from: "in-flight", to: "rail-clearing" }],
  release: [{ reason: "payout.release", from: "in-flight", to: "account" }],
  thereAndBack: [
    { reason: "payout.hold", from: "account", to: "in-flight" },
    { reason: "payout.release", from: "in-flight", to: "account" },
  ],
  nothing: [],
} as const satisfies Record<string, MoveInput["postings"]>;

type Key = { readonly key?: string; readonly secret?: boolean };

export function submission<Input>(
  platformId: string,
  { command, input, key, secret }: { command: Command<Input, string>; input: Input } & Key,
): Submission<Input, string> {
  return {
    platformId,
    command,
    input,
    actor: { kind: "token", id: platformId },
    toAnswer: (output) => ({ status: 201, body: JSON.stringify({ output }) }),
    secret,
    ...(key === undefined
      ? {}
      : {
          idempotency: {
            scope: `platform:${platformId} POST /x`,
            key,
            bodyDigest: createHash("sha256").update(key).digest(),
          },
        }),
  };
}

export interface Account {
  readonly id: string;
  readonly currency: string;
}

export async function openAccounts(engine: Engine, platformId: string): Promise<Account[]> {
  await engine.openPlatform(platformId);
  const accounts: Account[] = [];
  for (const currency of [...CURRENCIES, ...CURRENCIES]) {
    const { body } = await engine.submit(
      submission(platformId, { command: openAccount, input: { currency } }),
    );
    const id = (JSON.parse(body) as { output: string }).output;
    accounts.push({ id, currency });
    await moveMoney(engine, {
      platformId,
      account: { id, currency },
      kind: "fund",
      minor: 1_000_000n,
    });
  }
  return accounts;
}

export function moveMoney(
  engine: Engine,
  order: {
    readonly platformId: string;
    readonly account: Account;
    readonly kind: keyof typeof MOVES;
    readonly minor: bigint;
    readonly events?: number;
  } & Key,
): Promise<Answered> {
  const { platformId, account, kind, minor, events = 1, ...key } = order;
  const input = {
    accountId: account.id,
    currency: account.currency,
    minor,
    postings: MOVES[kind],
    events,
  };
  return engine.submit(submission(platformId, { command: move, input, ...key }));
}

/** Deterministic except for ids and times: small and large batches, keys, replays, refusals. */
export async function fillPlatforms(
  database: Database,
  chance: (below: number) => number,
): Promise<void> {
  const engine = openTestEngine(database);
  const kinds = ["fund", "hold", "hold", "settle", "release", "thereAndBack", "nothing"] as const;
  const pick = <T>(from: readonly T[]): T => from[chance(from.length)] as T;
  for (const platformId of PLATFORM_IDS) {
    const accounts = await openAccounts(engine, platformId);
    for (let round = 0; round < 12; round++) {
      const orders = Array.from({ length: 1 + chance(26) }, (_, index) => {
        const isKeyed = chance(3) > 0;
        return moveMoney(engine, {
          platformId,
          account: pick(accounts),
          kind: pick(kinds),
          minor: BigInt(1 + chance(50_000)),
          events: chance(4),
          ...(isKeyed ? { key: `key-${round}-${chance(index + 2)}`, secret: chance(4) === 0 } : {}),
        });
      });
      await Promise.all(orders);
      const seconds = 1 + chance(600);
      if (round % 5 === 2) {
        await engine.submit(submission(platformId, { command: advance, input: { seconds } }));
      }
    }
    const refused = { platformId, account: pick(accounts), minor: 10n ** 15n, key: "too-much" };
    await moveMoney(engine, { ...refused, kind: "hold" });
  }
  await engine.close();
}
