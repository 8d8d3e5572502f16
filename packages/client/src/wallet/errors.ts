export type WalletErrorReason =
  /** It is not in the form that the service answers. */
  | "malformed"
  /** It was sealed to another key, altered, or is a sandbox's stand-in. */
  | "does-not-open"
  /** The export is not signed by the issuer that you gave. */
  | "issuer"
  /** The export belongs to another wallet. */
  | "organization"
  /** What is to be signed is not what you asked for. */
  | "other-operation";

/** Something that came over the wire is not what it should be: do not use it. */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly reason: WalletErrorReason;

  constructor(reason: WalletErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
