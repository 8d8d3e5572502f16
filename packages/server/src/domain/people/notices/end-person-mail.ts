import type { Command } from "../../../engine/command.ts";
import { personLinks } from "../person-link.ts";

export interface EndPersonMailInput {
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
