import type { World } from "../../engine/command.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../ledger/chart.ts";
import type { AnyRef } from "../../storage/tables.ts";
import { platforms } from "../platforms/platform.ts";
import { holdingTypeOf, type InternalAccount, internalAccounts } from "./internal-account.ts";

/** The keys of a new self-custodial wallet, made and sealed before the command. */
export interface NewWallet {
  /** Of the account that is to be made: the words open for it alone. */
  readonly accountId: string;
  readonly address: string;
  readonly mnemonicSealed: string;
}

/** Where a wallet is made. */
export interface WalletPlace {
  readonly platformId: string;
  /** Platform time. */
  readonly at: number;
}

export interface NewAccount {
  /** Null for an account of the platform itself. */
  readonly customerId: string | null;
  readonly currency: string;
  /** Makes it an embedded wallet. */
  readonly wallet?: NewWallet;
}

/** What has to be known to be absent before a wallet's account is opened: its id is older than the command. */
export function newWalletNeeds({ accountId }: NewWallet): readonly AnyRef[] {
  return [internalAccounts.ref(accountId), ledgerAccounts.ref(accountId)];
}

/** An empty, active account and its side of the ledger. */
export function openAccount(
  world: World,
  { customerId, currency, wallet }: NewAccount,
): InternalAccount {
  const { environment } = world.get(platforms.ref(world.platformId));
  const id = wallet?.accountId ?? world.newId();
  const account: InternalAccount = {
    id,
    customerId,
    type: wallet === undefined ? holdingTypeOf(currency) : "EMBEDDED_WALLET",
    status: "ACTIVE",
    currency,
    isSimulated: environment === "SANDBOX",
    walletAddress: wallet?.address ?? null,
    walletMnemonicSealed: wallet?.mnemonicSealed ?? null,
    createdAt: world.at,
  };
  world.put(internalAccounts, account);
  world.put(ledgerAccounts, newInternalLedgerAccount(id, currency, world.at));
  return account;
}
