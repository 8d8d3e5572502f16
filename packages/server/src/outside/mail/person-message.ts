/**
 * The text of a mail to a person. Only the two mails that bring a person in have a link, which works only for the address that it is
 * mailed to. Names lose line ends and marks that change the direction of text, and are cut.
 */
import type { NoticeAbout } from "../../domain/job-kinds.ts";
import type { PersonMail } from "../../domain/people/notices/person-mail.port.ts";
import { oneLine } from "./one-line.ts";

export interface TextMessage {
  readonly subject: string;
  readonly text: string;
}

const SUBJECTS: Readonly<Record<NoticeAbout, string>> = {
  INVITATION: "An invitation",
  RE_ENROLMENT: "A link for a new passkey was issued",
  RE_ENROLMENT_ISSUED: "A link for a new passkey was issued",
  RE_ENROLLED: "Passkeys were replaced",
  FIRST_PASSKEY: "A first passkey was added",
  COUNTER_BACK: "A passkey may have been copied",
  ISSUER_ASKED: "A change of single sign-on was asked for",
  ISSUER_SET: "Single sign-on was changed",
  OWNER_CHANGE_ASKED: "A change of an owner was asked for",
  OWNER_CHANGE_TIMED: "A change of an owner takes effect in 24 hours",
  OWNER_CHANGED: "An owner was changed",
};

const LONGEST_NAME = 100;

export function personMessage(mail: PersonMail): TextMessage {
  const { about, person, workspaceName, isOwn, url = "" } = mail;
  const whom = isOwn ? "you" : nameOf(person);
  const said: Readonly<Record<NoticeAbout, readonly string[]>> = {
    INVITATION: [
      "You are invited. The link works once, within seven days, for this address alone:",
      url,
    ],
    RE_ENROLMENT: [
      "A link by which you make a new passkey. It works once, within 24 hours:",
      url,
      "When it is used, all earlier passkeys and sessions end.",
    ],
    RE_ENROLMENT_ISSUED: [
      `A link by which ${whom} can make a new passkey was issued. It can be used once, within 24 hours.`,
      "When it is used, all earlier passkeys and sessions end.",
    ],
    RE_ENROLLED: [
      `A new passkey took the place of all that ${isOwn ? "you had" : `${whom} had`}. All sessions have ended.`,
      "For 24 hours it approves nothing.",
    ],
    FIRST_PASSKEY: [
      `A first passkey was added for ${whom}, under a sign-in at an identity provider.`,
      "For 24 hours it approves nothing. Somebody who administers the identity provider could have signed in.",
    ],
    COUNTER_BACK: [
      `A passkey of ${isOwn ? "yours" : whom} was refused: its counter went back, as it does when a copy is used.`,
      "Delete the passkey and add another one, unless you know why.",
    ],
    ISSUER_ASKED: [
      `${isOwn ? "You asked" : `${nameOf(person)} asked`} for a change of single sign-on by which more people may come in.`,
      "It waits for another owner. The identity provider that it names would vouch for every person of the workspace.",
    ],
    ISSUER_SET: [
      `A change of single sign-on that ${isOwn ? "you" : nameOf(person)} asked for was made. More people may come in by it.`,
      "An identity provider vouches for every person of the workspace.",
    ],
    OWNER_CHANGE_ASKED: [
      `The suspension, removal, reinstatement or a loss of roles of ${whom} was asked for.`,
      "It waits for another owner. What it is and who asked stands under Approvals.",
    ],
    OWNER_CHANGE_TIMED: [
      `The suspension, removal or a loss of roles of ${whom} was asked for, and takes effect in 24 hours.`,
      `Until then nothing changes, and ${isOwn ? "you" : "that person"} can reject it as an owner. What it is and who asked stands under Approvals.`,
    ],
    OWNER_CHANGED: [
      `The suspension, removal, reinstatement or a loss of roles of ${whom} has taken effect.`,
      "The people of the workspace stand under Team.",
    ],
  };
  return {
    subject: SUBJECTS[about],
    text: [
      `Workspace: ${cut(workspaceName)}`,
      ...said[about],
      "If you did not expect this, tell an owner of the workspace now. The audit log says who did it and from where.",
      "",
    ].join("\n\n"),
  };
}

function nameOf({ name, email }: PersonMail["person"]): string {
  return `${cut(name)} (${cut(email)})`;
}

function cut(text: string): string {
  return oneLine(text).slice(0, LONGEST_NAME);
}
