import { endIdentities } from "../../../../../domain/people/single-sign-on/end-identities.ts";
import { defineOperation } from "../../../../request/operation.ts";
import type { Services } from "../../../../request/services.ts";
import { submitForCaller } from "../../../../request/submit-for-caller.ts";
import { personInPath, requirePersonId } from "../change-person.ts";

export const deletePersonIdentities = defineOperation({
  id: "deletePersonIdentities",
  method: "DELETE",
  path: "/workspace/people/{personId}/identities",
  access: "PERSON",
  capability: "people.write",
  tag: "People",
  summary: "End the bindings of a person to issuers",
  description:
    "For a person whose account at an issuer was made anew. All sessions of the person end; the next sign-in binds by the verified " +
    "address again.",
  params: personInPath,
  answers: { 204: { description: "Ended." } },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, { engine, people }: Services) {
    const answered = await submitForCaller(engine, principal, {
      command: endIdentities,
      input: { personId: requirePersonId(params), by: principal.personId },
      toAnswer: () => ({ status: 204, body: "" }),
    });
    people.sessions.forget();
    return answered;
  },
});
