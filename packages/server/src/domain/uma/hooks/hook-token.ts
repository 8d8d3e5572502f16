/**
 * The token in the URL at which another institution tells of a payment. It names the payment and the institution, so giving one away writes
 * no row, and any server of the deployment opens it. It is sealed as the token of a lookup, under an identity of its own.
 *
 *   16 bytes platform | 16 bytes reference | 1 byte direction | 6 bytes time | domain of the institution
 */
import type { Sealer } from "../../../secrets/sealing.ts";
import {
  sealedTokens,
  TIME_BYTES,
  UUID_BYTES,
  uuidIn,
  writeUuid,
} from "../receiving/sealed-token.ts";

/** How long institutions may tell of a payment. */
export const HOOK_LIVES_MS = 30 * 24 * 60 * 60_000;

export interface HookPayment {
  /** `IN`: the institution pays. `OUT`: it is paid. */
  readonly direction: "IN" | "OUT";
  /** `IN`: the transaction. `OUT`: the id that its quote keeps, because the request to pay goes out before there is a transaction. */
  readonly reference: string;
}

export interface HookGrant extends HookPayment {
  readonly platformId: string;
  /** The other institution, in lower case. */
  readonly vaspDomain: string;
  /** Host time at which the URL was given away. */
  readonly at: number;
}

export interface HookTokens {
  make(grant: HookGrant): string;
  /** Undefined for a token that was not made here, was changed, or is older than 30 days. `now` is host time. */
  open(token: string, now: number): HookGrant | undefined;
}

const IDENTITY = "uma hook";
const DIRECTION_AT = 2 * UUID_BYTES;
const TIME_AT = DIRECTION_AT + 1;
const DOMAIN_AT = TIME_AT + TIME_BYTES;

export function createHookTokens(sealer: Sealer): HookTokens {
  const tokens = sealedTokens(sealer, IDENTITY);
  return {
    make({ platformId, reference, direction, at, vaspDomain }) {
      const head = Buffer.alloc(DOMAIN_AT);
      writeUuid(head, platformId, 0);
      writeUuid(head, reference, UUID_BYTES);
      head.writeUInt8(direction === "IN" ? 0 : 1, DIRECTION_AT);
      head.writeUIntBE(at, TIME_AT, TIME_BYTES);
      return tokens.seal(Buffer.concat([head, Buffer.from(vaspDomain, "utf8")]));
    },
    open(token, now) {
      const plain = tokens.open(token);
      if (plain === undefined) return undefined;
      const at = plain.readUIntBE(TIME_AT, TIME_BYTES);
      if (now - at > HOOK_LIVES_MS) return undefined;
      return {
        platformId: uuidIn(plain, 0),
        reference: uuidIn(plain, UUID_BYTES),
        direction: plain.readUInt8(DIRECTION_AT) === 0 ? "IN" : "OUT",
        at,
        vaspDomain: plain.toString("utf8", DOMAIN_AT),
      };
    },
  };
}
