/**
 * Mails to people: links, and news of their passkeys and of who may come in. Each is a job of the workspace, scheduled by the commit that it tells of, so no crash loses it. Without a mail
 * server the job ends without a mail; the audit log has the act in any case.
 */
import type { World } from "../../../engine/command.ts";
import { scheduleJob } from "../../job-kinds.ts";

/** What a mail tells. */
export type NoticeAbout =
  /** A link by which the person comes in. */
  | "INVITATION"
  /** A link for a new passkey. */
  | "RE_ENROLMENT"
  /** A link for a new passkey was issued, and is not mailed. */
  | "RE_ENROLMENT_ISSUED"
  /** A new passkey took the place of the old ones. */
  | "RE_ENROLLED"
  /** The first passkey was added under a sign-in at an issuer. */
  | "FIRST_PASSKEY"
  /** The counter of a passkey went back. */
  | "COUNTER_BACK"
  /** The person asks for a change of single sign-on by which more people may come in. */
  | "ISSUER_ASKED"
  /** It was made, for the person who asked. */
  | "ISSUER_SET"
  /** The person is to lose or regain the standing of an owner, when another owner agrees. */
  | "OWNER_CHANGE_ASKED"
  /** The person is to lose it in a day, unless it is rejected. */
  | "OWNER_CHANGE_TIMED"
  /** It happened. */
  | "OWNER_CHANGED";

/** A mail server that does not take the mail is tried for so long. */
const TRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** Mails each of these people about the person whom it concerns. */
export function mailPeople(
  world: World,
  recipients: readonly string[],
  {
    about,
    personId,
    linkId,
  }: {
    readonly about: NoticeAbout;
    readonly personId: string;
    /** The link that the mail brings. */
    readonly linkId?: string;
  },
): void {
  for (const recipientId of new Set(recipients)) {
    scheduleJob(world, {
      kind: "mail-person",
      payload: {
        recipientId,
        personId,
        about,
        until: world.at + TRIED_FOR_MS,
        ...(linkId === undefined ? {} : { linkId }),
      },
      dueAt: world.at,
    });
  }
}
