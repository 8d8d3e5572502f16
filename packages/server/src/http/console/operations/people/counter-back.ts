import { noteCounterBack } from "../../../../domain/people/sessions/note-refused-sign-in.ts";
import { toWireId } from "../../../../std/ids.ts";
import type { PersonPrincipal } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { submitForCaller } from "../../../request/submit-for-caller.ts";

/** Records in the log of the workspace that the signature counter of a person's passkey went back. */
export async function noteCopied(
  { engine }: Pick<Services, "engine">,
  { act, ...principal }: PersonPrincipal,
  passkeyId: string,
): Promise<void> {
  const target = toWireId("Passkey", passkeyId);
  const caller = { ...principal, platformId: principal.workspaceId, act: { ...act, target } };
  await submitForCaller(engine, caller, {
    command: noteCounterBack,
    input: { passkeyId },
    toAnswer: () => ({ status: 200, body: "" }),
  });
}
