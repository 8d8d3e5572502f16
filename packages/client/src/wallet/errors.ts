export type WalletErrorReason =
  /** The answer does not have the expected form. */
  | "malformed"
  /** Decryption failed: sealed to another key, altered, or a placeholder of the sandbox. */
  | "does-not-open"
  /** The export is not signed by the given issuer. */
  | "issuer"
  /** The export belongs to another wallet. */
  | "organization"
  /** The payload does not match the intent. */
  | "other-operation";

/** Data from the service failed verification: do not use it. */
export class WalletError extends Error {
  override readonly name = "WalletError";
  readonly reason: WalletErrorReason;

  constructor(reason: WalletErrorReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
