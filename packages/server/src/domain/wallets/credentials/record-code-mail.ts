import type { Command } from "../../../engine/command.ts";
import { type Credential, credentials } from "./credential.ts";

export interface RecordCodeMailInput {
  readonly credentialId: string;
  readonly codeId: string;
  readonly jobId: string;
}

/**
 * Ends the job of a code's mail: it was sent, permanently refused, or its code was replaced. The sealed code is deleted; its
 * hash stays. Refuses nothing.
 */
export const recordCodeMail: Command<RecordCodeMailInput, Credential | undefined> = {
  name: "record-code-mail",
  needs: (_world, { credentialId }) => [credentials.ref(credentialId)],
  decide(world, { credentialId, codeId, jobId }) {
    const credential = world.find(credentials.ref(credentialId));
    world.cancel(jobId);
    if (credential?.code?.id !== codeId) return credential;
    return world.put(credentials, { ...credential, codeSealed: null });
  },
};
