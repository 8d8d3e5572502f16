/**
 * Mails to people: links, and notices about passkeys and access. Each mail is a job of the workspace, scheduled in the commit that it
 * reports, so that no crash loses it. Without a mail server the job ends without a mail; the audit log has the act in any case.
 */
import type { Command, World } from "../../../engine/command.ts";
import { type NoticeAbout, scheduleJob } from "../../job-kinds.ts";
import { personLinks } from "../person-link.ts";

/** A mail is retried for this long while the mail server does not accept it. */
const TRIED_FOR_MS = 24 * 60 * 60 * 1000;

/** Mails each recipient about the person with the id `personId`. */
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
    /** The link that the mail contains. */
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

/** Ends the job of a mail that was sent or can no longer be sent, and deletes the sealed link. Refuses nothing. */
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
