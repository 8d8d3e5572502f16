import Type from "typebox";
import { findLink, hasOwner } from "../../../../domain/people/person.sql.ts";
import { hashLinkCode } from "../../../../domain/people/person-link.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";

const linkStates = ["OPEN", "USED", "EXPIRED", "UNKNOWN"] as const;

const LinkStateSchema = Type.Object({ state: Type.Enum([...linkStates]) }, { $id: "LinkState" });

const lookAtLink = defineOperation({
  id: "lookAtLink",
  ...route("POST /links", "PUBLIC"),
  ignoresKey: true,
  tag: "Sign-in",
  summary: "Look at a link",
  description:
    "Whether the link of this code can still be used. `USED` also stands for a link that another one has replaced. The code is in the " +
    "body, so that it is in no address. The answer tells nothing else about the link.",
  body: Type.Object({
    code: Type.String({
      minLength: 1,
      maxLength: 128,
      description: "From the fragment of the link.",
    }),
  }),
  requestExample: { code: "mUHlRjFM…" },
  answers: {
    200: {
      description: "The state of the link.",
      schema: LinkStateSchema,
      example: { state: "USED" },
    },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ body }, services: Services) {
    const state = await stateOf(hashLinkCode(body.code), services);
    return { status: 200, body: JSON.stringify({ state }) };
  },
});

async function stateOf(
  codeHash: string,
  { reads, clock }: Pick<Services, "reads" | "clock">,
): Promise<(typeof linkStates)[number]> {
  const found = await findLink(reads, codeHash);
  if (found === undefined) return "UNKNOWN";
  const { link, workspaceId } = found;
  if (link.endedAt !== null) return "USED";
  if (link.kind === "START" && (await hasOwner(reads, workspaceId))) return "USED";
  return clock.now() < link.expiresAt ? "OPEN" : "EXPIRED";
}

export const linkOperations = [lookAtLink];
