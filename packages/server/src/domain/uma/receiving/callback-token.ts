/**
 * The token in the callback of a lookup's answer. It holds what the pay request needs to know of its lookup, so a lookup writes no row, and
 * any server of the deployment opens it. It is sealed under a derived key, so no other party makes, reads or changes one.
 *
 *   16 bytes platform | 16 bytes customer | 6 bytes time | version, address, domain of the asking institution, and `sandbox` where a
 *   sandbox of the deployment has asked, one a line
 */
import type { Sealer } from "../../../secrets/sealing.ts";
import { sealedTokens, TIME_BYTES, UUID_BYTES, uuidIn, writeUuid } from "./sealed-token.ts";

/** How long pay requests may come for a lookup. */
export const CALLBACK_LIVES_MS = 600_000;

export interface CallbackGrant {
  readonly platformId: string;
  readonly customerId: string;
  /** The customer's address that was looked up, in lower case. */
  readonly address: string;
  /** The institution whose signature the lookup had, in lower case. */
  readonly vaspDomain: string;
  /** The version that the answer was given in. */
  readonly umaVersion: string;
  /** Host time of the lookup. */
  readonly at: number;
  /** Whether a sandbox of the deployment has asked. Only such a sandbox can use the token then. */
  readonly isAmongSandboxes: boolean;
}

export interface CallbackTokens {
  make(grant: CallbackGrant): string;
  /** Undefined for a token that was not made here, was changed, or is older than ten minutes. `now` is host time. */
  open(token: string, now: number): CallbackGrant | undefined;
}

/** The fourth line of a token for a sandbox of the deployment; others have three. */
const AMONG_SANDBOXES = "sandbox";
const IDENTITY = "uma callback";
const TIME_AT = 2 * UUID_BYTES;
const TEXT_AT = TIME_AT + TIME_BYTES;

export function createCallbackTokens(sealer: Sealer): CallbackTokens {
  const tokens = sealedTokens(sealer, IDENTITY);
  return {
    make(grant) {
      const head = Buffer.alloc(TEXT_AT);
      writeUuid(head, grant.platformId, 0);
      writeUuid(head, grant.customerId, UUID_BYTES);
      head.writeUIntBE(grant.at, TIME_AT, TIME_BYTES);
      const among = grant.isAmongSandboxes ? [AMONG_SANDBOXES] : [];
      const lines = [grant.umaVersion, grant.address, grant.vaspDomain, ...among].join("\n");
      return tokens.seal(Buffer.concat([head, Buffer.from(lines, "utf8")]));
    },
    open(token, now) {
      const plain = tokens.open(token);
      if (plain === undefined) return undefined;
      const grant = grantIn(plain);
      return now - grant.at > CALLBACK_LIVES_MS ? undefined : grant;
    },
  };
}

function grantIn(plain: Buffer): CallbackGrant {
  const [umaVersion = "", address = "", vaspDomain = "", among] = plain
    .toString("utf8", TEXT_AT)
    .split("\n");
  return {
    platformId: uuidIn(plain, 0),
    customerId: uuidIn(plain, UUID_BYTES),
    at: plain.readUIntBE(TIME_AT, TIME_BYTES),
    umaVersion,
    address,
    vaspDomain,
    isAmongSandboxes: among === AMONG_SANDBOXES,
  };
}
