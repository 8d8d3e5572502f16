/** One-time codes by mail. */
import type { EmbeddedWalletConfig } from "../../platform.ts";

export interface OtpMail {
  /** The message's id, the same for every retry, so that a retry is distinguishable from a second code. */
  readonly key: string;
  readonly to: string;
  readonly code: string;
  readonly expiresInSeconds: number;
  readonly config: EmbeddedWalletConfig | null;
}

export type MailOutcome =
  /** The mail server has accepted it. */
  | { readonly kind: "sent" }
  /** Permanently refused, because of the address or the message. `reason` names neither. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It was not sent, or the outcome is unknown: retried while the code is valid. */
  | { readonly kind: "failed"; readonly reason: string };

export interface OtpMailer {
  /** False without a mail server: production then refuses operations that need mail, and a sandbox ignores it. */
  readonly canSend: boolean;
  /** Whether mail can be addressed to it as it stands: one plain address, no name, no comments, no control characters. */
  isAddress(text: string): boolean;
  send(mail: OtpMail): Promise<MailOutcome>;
}
