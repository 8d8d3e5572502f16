/**
 * Sends one-time codes, and notices to people, by SMTP: one connection a mail, one deadline. A mail is delivered when the server accepts it. When the
 * connection ends before that, the outcome is unknown, and the mail is sent again under the same message id.
 */
import type { Transporter } from "nodemailer";
import type { ApprovalMailer } from "../../domain/people/notices/approval-mail.ts";
import type { PersonMailer } from "../../domain/people/notices/person-mail.port.ts";
import type {
  MailOutcome,
  OtpMail,
  OtpMailer,
} from "../../domain/wallets/credentials/otp-mail.port.ts";
import type { Clock } from "../../std/clock.ts";
import { sha256Hex } from "../../std/digest.ts";
import { StartRefused } from "../../std/errors.ts";
import { loadOnce } from "../../std/load-once.ts";
import type { Log } from "../../std/log.ts";
import { approvalMessage } from "./approval-message.ts";
import { isMailAddress, type Mailbox, parseMailbox } from "./mail-address.ts";
import { oneLine } from "./one-line.ts";
import { type OtpMessage, otpMessage } from "./otp-message.ts";
import { personMessage, type TextMessage } from "./person-message.ts";
import { parseSmtpUrl } from "./smtp-address.ts";

export interface OtpMailerOptions {
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const DEADLINE_MS = 20_000;
const SILENCE_MS = 10_000;
const DEFAULT_SENDER_NAME = "Notifications";

export function createOtpMailer({
  smtpUrl,
  mailFrom,
  clock,
  log,
}: OtpMailerOptions): OtpMailer & PersonMailer & ApprovalMailer {
  if (smtpUrl === undefined) {
    const refuse = () =>
      Promise.resolve({ kind: "refused", reason: "No mail server is set." } as const);
    const sends = { send: refuse, sendNotice: refuse, sendApproval: refuse };
    return { canSend: false, isAddress: isMailAddress, ...sends };
  }
  const own = requireSender(mailFrom);
  const server = parseSmtpUrl(smtpUrl);
  const transport = loadOnce(() => openTransport(server));
  async function send(mail: OutgoingMail): Promise<MailOutcome> {
    if (!isMailAddress(mail.to)) {
      return { kind: "refused", reason: "This is not an email address." };
    }
    const late = deadlineOf(clock);
    try {
      const delivered = deliver(await transport(), { own, mail, signal: late.signal });
      const outcome = await Promise.race([delivered, late.outcome]);
      if (outcome.kind !== "sent") log.warn({ reason: outcome.reason }, "a mail was not sent");
      return outcome;
    } finally {
      late.cancel();
    }
  }
  return {
    canSend: true,
    isAddress: isMailAddress,
    send: (mail) => send({ ...mail, message: otpMessage(mail) }),
    sendNotice: (mail) => send({ ...mail, config: null, message: personMessage(mail) }),
    sendApproval: (mail) => send({ ...mail, config: null, message: approvalMessage(mail) }),
  };
}

function requireSender(mailFrom: string | undefined): Mailbox {
  const own = parseMailbox(mailFrom ?? "");
  if (own !== undefined) return own;
  throw new StartRefused("MAIL_FROM must be an address, alone or as Name <a@example.com>");
}

/** The SMTP library is loaded at the first mail. */
async function openTransport(server: ReturnType<typeof parseSmtpUrl>): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    ...server,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** At the deadline the socket is destroyed, because a server that sends a byte at a time would hold it forever. */
function deadlineOf(clock: Clock) {
  const ending = new AbortController();
  let cancel = () => {};
  const outcome = new Promise<MailOutcome>((resolve) => {
    cancel = clock.after(DEADLINE_MS, () => {
      resolve({ kind: "failed", reason: "The mail server took too long." });
      ending.abort();
    });
  });
  return { outcome, cancel, signal: ending.signal };
}

interface OutgoingMail extends Pick<OtpMail, "key" | "to" | "config"> {
  readonly message: OtpMessage | TextMessage;
}

interface Delivery {
  readonly own: Mailbox;
  readonly mail: OutgoingMail;
  readonly signal: AbortSignal;
}

async function deliver(
  transport: Transporter,
  { own, mail, signal }: Delivery,
): Promise<MailOutcome> {
  const { config } = mail;
  const from = senderOf(own, config);
  const replyTo = config?.replyToEmailAddress;
  try {
    await transport.sendMail({
      ...mail.message,
      signal,
      from,
      // When From is the platform's address, the operator's own is the Sender, so that bounces go to the operator.
      ...(from.address === own.address ? {} : { sender: own.address }),
      ...(replyTo !== undefined && isMailAddress(replyTo) ? { replyTo } : {}),
      to: { name: "", address: mail.to },
      envelope: { from: own.address, to: [mail.to] },
      messageId: `<${sha256Hex(mail.key).slice(0, 40)}@${own.address.split("@")[1]}>`,
      headers: { "Auto-Submitted": "auto-generated" },
      xMailer: false,
    });
    return { kind: "sent" };
  } catch (error) {
    return outcomeOf(error);
  }
}

function senderOf(own: Mailbox, config: OtpMail["config"]): Mailbox {
  const chosen = config?.sendFromEmailAddress;
  const name = oneLine(config?.sendFromEmailSenderName ?? "") || own.name || DEFAULT_SENDER_NAME;
  return { name, address: chosen !== undefined && isMailAddress(chosen) ? chosen : own.address };
}

/** SMTP commands whose permanent refusal concerns this mail. Elsewhere it concerns our access: a login, or missing TLS. */
const PER_MAIL_COMMANDS = ["RCPT TO", "DATA"];

function outcomeOf(error: unknown): MailOutcome {
  const { code, responseCode, command } = error as Readonly<Record<string, unknown>>;
  const answer = typeof responseCode === "number" ? responseCode : 0;
  const isFinal = answer >= 500 && PER_MAIL_COMMANDS.includes(String(command));
  const said = answer === 0 ? "" : `, answer ${answer}`;
  const reason = `The mail server did not take it (${typeof code === "string" ? code : "no code"}${said}).`;
  return { kind: isFinal ? "refused" : "failed", reason };
}
