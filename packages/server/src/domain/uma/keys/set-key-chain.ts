import type { Command } from "../../../engine/command.ts";
import { wrongState } from "../../../engine/refusal.ts";
import {
  isUsed,
  type KeyCertificate,
  putUmaKey,
  requireUmaKey,
  type UmaKey,
  umaKeys,
} from "./uma-key.ts";

export interface SetKeyChainInput {
  readonly keyId: string;
  /** Of an authority; judged by the caller of the command. */
  readonly certificate: KeyCertificate;
  /** Host time. */
  readonly now: number;
}

/** Gives a key the chain of an authority. Refuses, in this order: an unknown key; one that is neither CURRENT nor NEXT. */
export const setKeyChain: Command<SetKeyChainInput, UmaKey> = {
  name: "set-uma-key-chain",
  needs: (_world, { keyId }) => [umaKeys.ref(keyId)],
  decide(world, { keyId, certificate, now }) {
    const key = requireUmaKey(world, keyId);
    refuseUnused(key);
    return putUmaKey(world, { ...key, ...certificate, toldDays: null }, now);
  },
};

/** Refuses with CONFLICT a key that is not published, now or later. */
export function refuseUnused(key: UmaKey): void {
  if (isUsed(key)) return;
  const { status } = key;
  throw wrongState({
    object: "key",
    status,
    needed: "CURRENT or NEXT",
    action: "given a certificate",
  });
}
