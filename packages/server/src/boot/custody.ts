/** Makes and uses private keys: of self-custodial wallets, and of platforms at UMA. */
import type { UmaKeyTools } from "../domain/uma/keys/key-tools.port.ts";
import type { Services } from "../http/request/services.ts";
import { createUmaKeyTools } from "../outside/uma/key-tools.ts";
import { createWalletMaker, type WalletMaker } from "../outside/wallets/new-wallet.ts";
import type { Sealer } from "../secrets/sealing.ts";

export interface Custody {
  readonly makeWallet: WalletMaker;
  readonly umaKeys: UmaKeyTools;
}

export function custodyOn(sealer: Sealer): Custody {
  return { makeWallet: createWalletMaker(sealer), umaKeys: createUmaKeyTools(sealer) };
}

export function custodyServices({
  makeWallet,
  umaKeys,
}: Custody): Pick<Services, "newWallet" | "umaKeys"> {
  return { newWallet: (platformId) => makeWallet(platformId, "callers"), umaKeys };
}
