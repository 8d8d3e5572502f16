import type { OutboundUrlReason } from "./outbound-url.ts";

/** Why a target was refused before a request: its URL, a resolved address, or the peer address of the socket. */
export type RefusedReason = OutboundUrlReason | "resolved-address" | "own-address" | "peer";

/** The target is refused. A retry helps only after the target was changed. */
export class OutboundRefused extends Error {
  override readonly name = "OutboundRefused";
  readonly reason: RefusedReason;

  constructor(reason: RefusedReason, detail?: string) {
    super(`outbound target refused: ${reason}${detail === undefined ? "" : ` (${detail})`}`);
    this.reason = reason;
  }
}

/** `timeout` is the deadline of the whole exchange; `protocol` an answer that is not HTTP or has too large a head. */
export type FailedReason =
  | "timeout"
  | "dns"
  | "connect"
  | "tls"
  | "reset"
  | "protocol"
  | "too-large"
  | "closed";

/** The exchange did not complete; whether the other side processed the request is unknown. */
export class OutboundFailed extends Error {
  override readonly name = "OutboundFailed";
  readonly reason: FailedReason;

  constructor(reason: FailedReason, cause?: unknown) {
    super(`outbound exchange failed: ${reason}`, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}
