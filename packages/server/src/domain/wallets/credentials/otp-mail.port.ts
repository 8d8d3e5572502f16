/** One-time codes by mail. */
import type { EmbeddedWalletConfig } from "../../platforms/platform.ts";

export interface OtpMail {
  /** The same on every try: it becomes the message's id, so that a repeat can be told from a second code. */
  readonly key: string;
  readonly to: string;
  readonly code: string;
  readonly expiresInSeconds: number;
  readonly config: EmbeddedWalletConfig | null;
}

export type MailOutcome =
  /** The mail server has taken it. */
  | { readonly kind: "sent" }
  /** It never will: the address or the message is refused. `reason` names neither. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It was not sent, or the outcome is unknown: retried while the code is valid. */
  | { readonly kind: "failed"; readonly reason: string };

export interface OtpMailer {
  /** Without a mail server, nothing is ever sent: production refuses what would need it, a sandbox does not care. */
  readonly canSend: boolean;
  /** Whether mail can be addressed to it as it stands: one plain address, no name, no comments, no control characters. */
  isAddress(text: string): boolean;
  send(mail: OtpMail): Promise<MailOutcome>;
}
