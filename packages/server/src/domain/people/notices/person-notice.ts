/**
 * Mails to people: links, and news of their passkeys and of who may come in. Each is a job of the workspace, scheduled by the commit that it tells of, so no crash loses it. Without a mail
 * server the job ends without a mail; the audit log has the act in any case.
 */
import type { Command, World } from "../../../engine/command.ts";
import { type NoticeAbout, scheduleJob } from "../../job-kinds.ts";
import { personLinks } from "../person-link.ts";

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

interface EndPersonMailInput {
  readonly jobId: string;
  readonly linkId?: string | undefined;
}

/** Ends the job of a mail that was sent, or that no longer can be, and forgets the link that it brought. Refuses nothing. */
export const endPersonMail: Command<EndPersonMailInput, undefined> = {
  name: "end-person-mail",
  needs: (_world, { linkId }) => (linkId === undefined ? [] : [personLinks.ref(linkId)]),
  decide(world, { jobId, linkId }) {
    const link = linkId === undefined ? undefined : world.find(personLinks.ref(linkId));
    if (link !== undefined && link.urlSealed !== null)
      world.put(personLinks, { ...link, urlSealed: null });
    world.cancel(jobId);
    return undefined;
  },
};
