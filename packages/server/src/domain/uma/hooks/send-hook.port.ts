/** Tells other institutions of payments that have settled. */
import type { PaidChannel } from "../../job-kinds.ts";
import type { UmaKey } from "../keys/uma-key.ts";
import type { HookTarget } from "./hook-target.sql.ts";

export interface HookMessage extends HookTarget {
  readonly platformId: string;
  /** The key that signs the message. */
  readonly key: UmaKey;
  readonly utxos: readonly PaidChannel[];
}

/** `COUNTERPARTY_NOT_ALLOWED`: the policy is against the institution, or its URL may not be called. */
export type HookOutcome = "OK" | "COUNTERPARTY_NOT_ALLOWED" | "HOOK_REQUEST_FAILED";

export interface OutsideHooks {
  /** Never rejects because of the other side. */
  tell(message: HookMessage): Promise<HookOutcome>;
}
