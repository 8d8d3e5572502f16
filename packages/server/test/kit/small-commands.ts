/** Minimal commands that open accounts, move money, claim names, refuse and fail. */
import { createHash } from "node:crypto";
import type { Answer, Command, Submission } from "../../src/engine/command.ts";
import {
  createEngine,
  type Engine,
  type EngineOptions,
  engineDefaults,
} from "../../src/engine/engine.ts";
import { Refusal } from "../../src/engine/refusal.ts";
import { ledgerAccounts, newInternalLedgerAccount, systemAccount } from "../../src/ledger/chart.ts";
import type { Database } from "../../src/postgres/database.ts";
import { systemClock } from "../../src/std/clock.ts";
import { randomIds } from "../../src/std/ids.ts";
import { silentLog } from "../../src/std/log.ts";
import { testSealer } from "./bookkeeping.ts";

export type SmallEngineOptions = { readonly database: Database } & Partial<EngineOptions>;

export function smallEngine(options: SmallEngineOptions): Engine {
  return createEngine({
    ...engineDefaults,
    clock: systemClock,
    log: silentLog,
    sealer: testSealer,
    renderEvent: (subject) => JSON.stringify({ id: subject.id }),
    renderRefusal: ({ code, status }) => ({ status, body: JSON.stringify({ code }) }),
    constraintRefusals: { directory_pkey: "UMA_ADDRESS_EXISTS" },
    ...options,
  });
}

const ids = randomIds();

export async function openSmallPlatform(engine: Engine): Promise<string> {
  const platformId = ids.next(systemClock.now());
  await engine.openPlatform(platformId);
  return platformId;
}

export const openAccount: Command<null, string> = {
  name: "open-account",
  needs: () => [],
  decide(world) {
    const id = world.newId();
    world.put(ledgerAccounts, newInternalLedgerAccount(id, "USD", world.at));
    return id;
  },
};

export interface DepositInput {
  readonly accountId: string;
  /** A negative amount is a withdrawal. */
  readonly minor: bigint;
}

/** Returns the balance afterwards. */
export const deposit: Command<DepositInput, string> = {
  name: "deposit",
  needs: (_world, { accountId }) => [
    ledgerAccounts.ref(accountId),
    systemAccount("sandbox-funding", "USD"),
  ],
  decide(world, { accountId, minor }) {
    if (world.find(ledgerAccounts.ref(accountId)) === undefined)
      throw new Refusal("REFERENCE_NOT_FOUND");
    world.emit("TEST", { kind: "nothing", id: accountId });
    world.post({
      reason: "sandbox.fund",
      legs: [
        { system: "sandbox-funding", currency: "USD", minor: -minor },
        { account: accountId, minor },
      ],
    });
    return world.get(ledgerAccounts.ref(accountId)).balanceMinor.toString();
  },
};

/** Answers with the data of its event. */
export const announce: Command<{ readonly text: string }, string> = {
  name: "announce",
  needs: () => [],
  decide(world, { text }) {
    world.emit("FIRST", { kind: "nothing", id: "another" });
    world.emit("TOLD", { kind: "nothing", id: text });
    return JSON.stringify({ id: text });
  },
};

export const claimName: Command<{ readonly handle: string }, string> = {
  name: "claim-name",
  needs: () => [],
  decide(world, { handle }) {
    world.claimHandle(handle);
    return handle;
  },
};

/** Changes something and then throws. */
export const throwInDecide: Command<DepositInput, string> = {
  name: "break-down",
  needs: deposit.needs,
  decide(world, input) {
    deposit.decide(world, input);
    throw new TypeError("a bug in a command");
  },
};

/** Throws in `needs`. */
export const throwInNeeds: Command<null, string> = {
  name: "lose-its-way",
  needs() {
    throw new TypeError("a bug in what a command needs");
  },
  decide: () => "never",
};

export const startJob: Command<{ readonly inMs: number }, string> = {
  name: "start-job",
  needs: () => [],
  decide: (world, { inMs }) =>
    world.schedule({ kind: "count", payload: { n: 1 }, dueAt: world.at + inMs }),
};

export const endJob: Command<{ readonly jobId: string }, string> = {
  name: "end-job",
  needs: () => [],
  decide(world, { jobId }) {
    world.cancel(jobId);
    return jobId;
  },
};

export interface Ask<Input> {
  readonly command: Command<Input, string>;
  readonly input: Input;
  readonly key?: string;
  readonly body?: string;
  readonly secret?: boolean;
  readonly toAnswer?: (output: string) => Answer;
}

export function ask<Input>(platformId: string, asked: Ask<Input>): Submission<Input, string> {
  const { command, input, key, body = "", secret } = asked;
  const bodyDigest = createHash("sha256").update(body).digest();
  return {
    platformId,
    command,
    input,
    actor: { kind: "token", id: "t" },
    toAnswer: asked.toAnswer ?? ((output) => ({ status: 200, body: output })),
    secret,
    ...(key === undefined ? {} : { idempotency: { scope: "POST /x", key, bodyDigest } }),
  };
}
