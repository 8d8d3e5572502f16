/**
 * Signed messages that were accepted. One is accepted once: its row stands for the kind of message, the domain that signed it and the whole
 * text that was signed. The text is part of it because common libraries draw nonces of 32 bits, so honest messages repeat a nonce.
 *
 * The platform is part of the key, because each platform is an institution of its own. A message to one is of no use at another: the address
 * or the token in it is of one platform.
 *
 * A message is accepted within `MESSAGE_LIVES_MS` of its time, and its row is kept longer than that, so no repetition finds it gone.
 */
import type { Loaded, World } from "../../../engine/command.ts";
import { Refusal } from "../../../engine/refusal.ts";
import { sha256Hex } from "../../../std/digest.ts";
import { type AnyRef, defineTable, fixed, type RowOf } from "../../../tables/tables.ts";

/** How far the time of a message may be from the host's. */
export const MESSAGE_LIVES_MS = 300_000;

/** A row is deleted this long after the time of its message. */
export const UMA_NONCE_KEPT_MS = 900_000;

export type SignedKind = "lookup" | "lookup-answer" | "pay" | "pay-answer" | "hook";

export interface SignedMessage {
  readonly kind: SignedKind;
  /** The domain whose key verified the signature, in lower case. */
  readonly domain: string;
  /** What was signed. */
  readonly text: string;
  /** The time in the message, in milliseconds. */
  readonly signedAt: number;
}

const columns = {
  id: fixed("uuid"),
  signedAt: fixed("time"),
};

export interface UmaNonce extends RowOf<typeof columns> {}

/** No row is read twice: a second reader is refused. */
export const umaNonces = defineTable<UmaNonce>("uma_nonces", columns, { isFinal: () => true });

export function umaNonceOf({ kind, domain, text, signedAt }: SignedMessage): UmaNonce {
  return { id: toUuid(sha256Hex(JSON.stringify([kind, domain, text]))), signedAt };
}

/** 122 bits of a digest in the form of a UUIDv8. */
function toUuid(hex: string): string {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ];
  return parts.join("-");
}

/** Whether the time of a message is too far from the host's. Both are in milliseconds. */
export function isOutOfTime(signedAt: number, now: number): boolean {
  return Math.abs(now - signedAt) > MESSAGE_LIVES_MS;
}

/** The row by which a command judges a message. */
export function umaNonceNeeds(message: SignedMessage): readonly AnyRef[] {
  return [umaNonces.ref(umaNonceOf(message).id)];
}

/** Refuses a message that was accepted before: INVALID_NONCE. Writes nothing. */
export function refuseUsedNonce(world: Loaded, message: SignedMessage): void {
  if (world.find(umaNonces.ref(umaNonceOf(message).id)) !== undefined)
    throw new Refusal("INVALID_NONCE");
}

/** Notes in this commit that a message was accepted. `refuseUsedNonce` stands among the refusals before. */
export function putUmaNonce(world: World, message: SignedMessage): void {
  world.put(umaNonces, umaNonceOf(message));
}
