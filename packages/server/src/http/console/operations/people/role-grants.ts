import Type, { type Static } from "typebox";
import type { RoleGrant } from "../../../../domain/people/person.ts";
import { platformsOfWorkspace } from "../../../../domain/people/workspaces/workspace.sql.ts";
import { toPlatformConfigId } from "../../../../domain/platform.ts";
import { type FieldError, invalidFields } from "../../../../engine/refusal.ts";
import type { Reads } from "../../../../postgres/database.ts";
import { RoleSchema } from "../../../../wire/people/person.ts";

/** Roles in a request. Platforms are checked against those of the workspace; a platform never leaves its workspace. */
export const grantsField = Type.Array(
  Type.Object({
    platformId: Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
      description: "Null for every platform of the workspace, also those that come later.",
    }),
    roles: Type.Array(RoleSchema, { minItems: 1, maxItems: 8, uniqueItems: true }),
  }),
  {
    maxItems: 21,
    description: "A platform stands in it once. An owner is one of the whole workspace.",
  },
);

/** Refuses a platform outside the workspace, a platform that is named twice, and the role OWNER on a single platform. */
export async function requireGrants(
  reads: Reads,
  workspaceId: string,
  sent: Static<typeof grantsField>,
): Promise<readonly RoleGrant[]> {
  const platforms = await platformsOfWorkspace(reads, workspaceId);
  const byId = new Map(platforms.map(({ id }) => [toPlatformConfigId(id), id]));
  const errors: FieldError[] = [];
  const seen = new Set<string | null>();
  const grants = sent.map(({ platformId, roles }, index) => {
    const id = platformId === null ? null : byId.get(platformId);
    const field = `roles.${index}.platformId`;
    if (id === undefined) errors.push({ field, message: "must be a platform of the workspace" });
    else if (seen.has(id)) errors.push({ field, message: "names a platform a second time" });
    if (platformId !== null && roles.includes("OWNER"))
      errors.push({ field: `roles.${index}.roles`, message: "an OWNER needs platformId null" });
    seen.add(id ?? null);
    return { platformId: id ?? null, roles };
  });
  if (errors.length > 0) throw invalidFields(errors);
  return grants;
}
