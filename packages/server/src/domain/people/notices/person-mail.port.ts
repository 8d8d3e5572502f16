/** Mails to people of a workspace. */
import type { NoticeAbout } from "../../job-kinds.ts";
import type { MailOutcome } from "../../wallets/credentials/otp-mail.port.ts";

export interface PersonMail {
  /** The idempotency key of the message, the same for every retry. */
  readonly key: string;
  readonly to: string;
  readonly about: NoticeAbout;
  readonly workspaceName: string;
  /** The link that the mail contains. */
  readonly url?: string | undefined;
  /** The person whom the mail is about. */
  readonly person: { readonly name: string; readonly email: string };
  /** The recipient is that person. */
  readonly isOwn: boolean;
}

export interface PersonMailer {
  readonly canSend: boolean;
  sendNotice(mail: PersonMail): Promise<MailOutcome>;
}
