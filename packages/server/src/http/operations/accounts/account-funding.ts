/**
 * Where payers may pay to accounts of a production platform. The first read of an account makes its funding addresses. If they were made in
 * advance, accounts that no payer ever pays would use up numbers of pools and calls to connectors (ADR 85).
 */

import type { InternalAccount } from "../../../domain/accounts/internal/internal-account.ts";
import {
  addressesOfAccounts,
  freeVirtualAccounts,
} from "../../../domain/rails/funding/funding.sql.ts";
import type { FundingAddress } from "../../../domain/rails/funding/funding-address.ts";
import {
  type FundingChoice,
  fundingChoices,
  modeOf,
  payerInstructions,
} from "../../../domain/rails/funding/funding-plan.ts";
import {
  makeFundingAddresses,
  mayHaveAddresses,
} from "../../../domain/rails/funding/make-funding-addresses.ts";
import { findRouting } from "../../../domain/rails/routes/routing.ts";
import type { JsonObject } from "../../../std/json.ts";
import type { Caller } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";

/** Payment instructions by account. An account without an entry has only the instructions that its row determines. */
export type AccountFunding = ReadonlyMap<string, readonly JsonObject[]>;

type Tools = Pick<Services, "reads" | "engine">;

/** Attempts of one read to get a number from a pool when other reads take it first. The next read tries again. */
const TRIES = 3;

export async function fundingOf(
  { reads, engine }: Tools,
  caller: Caller,
  accounts: readonly InternalAccount[],
): Promise<AccountFunding> {
  const { platformId } = caller;
  const funded = accounts.filter(mayHaveAddresses);
  const routing = funded.length === 0 ? undefined : await findRouting(reads, platformId);
  const wanted = funded
    .map((account) => ({ account, choices: fundingChoices(routing, account) }))
    .filter(({ choices }) => choices.length > 0);
  if (wanted.length === 0) return new Map();
  const ids = wanted.map(({ account }) => account.id);
  let there = await addressesOfAccounts(reads, platformId, ids);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const lacking = wanted.flatMap(({ account, choices }) =>
      choices.filter((choice) => addressOf(there, account, choice) === undefined),
    );
    const freeIds = await freeFor({ reads, engine }, platformId, lacking);
    const canBeMade = lacking.some(({ connection }) => modeOf(connection) !== "VIRTUAL_ACCOUNTS");
    if (freeIds.length === 0 && !canBeMade) {
      // Another read may have given the last number to one of these accounts.
      if (lacking.length > 0) there = await addressesOfAccounts(reads, platformId, ids);
      break;
    }
    const input = { accountIds: ids, freeIds };
    await submitForCaller(engine, caller, {
      command: makeFundingAddresses,
      input,
      toAnswer: () => ({ status: 200, body: "" }),
      idempotency: undefined,
    });
    there = await addressesOfAccounts(reads, platformId, ids);
  }
  return new Map(
    wanted.map(({ account, choices }) => [
      account.id,
      choices.flatMap((choice) => shown(account, choice, addressOf(there, account, choice))),
    ]),
  );
}

function addressOf(
  addresses: readonly FundingAddress[],
  { id }: InternalAccount,
  { connection }: FundingChoice,
): FundingAddress | undefined {
  const mode = modeOf(connection);
  return addresses.find(
    (address) =>
      address.accountId === id && address.connectionId === connection.id && address.mode === mode,
  );
}

/** Free numbers for the accounts that lack one, by connection. */
async function freeFor(
  { reads }: Tools,
  platformId: string,
  lacking: readonly FundingChoice[],
): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const { connection } of lacking) {
    if (modeOf(connection) !== "VIRTUAL_ACCOUNTS") continue;
    counts.set(connection.id, (counts.get(connection.id) ?? 0) + 1);
  }
  const found = await Promise.all(
    [...counts].map(([connectionId, most]) =>
      freeVirtualAccounts(reads, platformId, { connectionId, most }),
    ),
  );
  return found.flat();
}

function shown(
  { customerId }: InternalAccount,
  choice: FundingChoice,
  address: FundingAddress | undefined,
): readonly JsonObject[] {
  if (address === undefined) return [];
  const isPlatformAccount = customerId === null;
  return payerInstructions(choice, address).map((each) => ({ ...each, isPlatformAccount }));
}
