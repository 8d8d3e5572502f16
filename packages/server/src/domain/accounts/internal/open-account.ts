import type { World } from "../../../engine/command.ts";
import { ledgerAccounts, newInternalLedgerAccount } from "../../../ledger/chart.ts";
import { idAt } from "../../../std/ids.ts";
import type { Metadata } from "../../metadata.ts";
import { platforms } from "../../platform.ts";
import type { Freeze } from "../freezes/freeze.ts";
import { holdingTypeOf, type InternalAccount, internalAccounts } from "./internal-account.ts";

/** The keys of a new self-custodial wallet, made and sealed before the command. */
export interface NewWallet {
  /** The random part of the new account's id, to which the sealed mnemonic is bound. The time part is that of the commit. */
  readonly idTail: string;
  readonly address: string;
  readonly mnemonicSealed: string;
}

export interface NewAccount {
  /** Null for an account of the platform itself. */
  readonly customerId: string | null;
  readonly currency: string;
  /** The freeze of the customer at this moment. */
  readonly customerFreeze?: Freeze | null;
  /** Set for an embedded wallet. */
  readonly wallet?: NewWallet;
  /** Set for an account beside the default one. */
  readonly additional?: { readonly name: string; readonly metadata: Metadata | null };
}

/** Opens an active account and its ledger account with a balance of zero. */
export function openAccount(
  world: World,
  { customerId, currency, customerFreeze = null, wallet, additional }: NewAccount,
): InternalAccount {
  const { environment } = world.get(platforms.ref(world.platformId));
  const id = wallet === undefined ? world.newId() : idAt(world.at, wallet.idTail);
  const account: InternalAccount = {
    id,
    customerId,
    type: wallet === undefined ? holdingTypeOf(currency) : "EMBEDDED_WALLET",
    status: "ACTIVE",
    currency,
    isSimulated: environment === "SANDBOX",
    walletAddress: wallet?.address ?? null,
    walletMnemonicSealed: wallet?.mnemonicSealed ?? null,
    frozen: null,
    alerts: null,
    customerFreeze,
    createdAt: world.at,
    additional: additional === undefined ? null : { isFundable: false },
    name: additional?.name ?? null,
    metadata: additional?.metadata ?? null,
    changedAt: null,
  };
  world.put(internalAccounts, account);
  world.put(ledgerAccounts, newInternalLedgerAccount(id, currency, world.at));
  return account;
}
