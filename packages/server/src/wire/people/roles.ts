/** The matrix of roles and capabilities, as it holds in a workspace. */
import Type from "typebox";
import {
  capabilities,
  markOf,
  needsProof,
  OPERATOR_CAPABILITIES,
  type RoleSwitches,
  roles,
} from "../../domain/people/role.ts";

const marks = ["ALWAYS", "IN_SANDBOXES", "NEVER"] as const;

const rolesField = (description: string) => Type.Array(Type.Enum([...roles]), { description });

export const RoleMatrixSchema = Type.Object(
  {
    adminsReadDocuments: Type.Boolean({
      description: "Whether an owner has given `documents.read` to the role ADMIN.",
    }),
    roles: rolesField("The order of the marks."),
    capabilities: Type.Array(
      Type.Object({
        capability: Type.String(),
        needsProof: Type.Boolean({
          description: "A change asks for a passkey, or a fresh sign-in at the issuer.",
        }),
        marks: Type.Array(Type.Enum([...marks]), { description: "One for each role." }),
        switchable: rolesField("The roles to which an owner may give it or not."),
      }),
    ),
  },
  { $id: "RoleMatrix" },
);

export const roleMatrixExample = {
  adminsReadDocuments: false,
  roles: [...roles],
  capabilities: [
    {
      capability: "documents.read",
      needsProof: false,
      marks: ["ALWAYS", "NEVER", "NEVER", "NEVER", "NEVER", "ALWAYS", "NEVER", "NEVER"],
      switchable: ["ADMIN"],
    },
  ],
};

export function roleMatrixJson({ adminsReadDocuments }: RoleSwitches): string {
  const rows = capabilities
    .filter((capability) => !OPERATOR_CAPABILITIES.includes(capability))
    .map((capability) => ({
      capability,
      needsProof: needsProof(capability),
      marks: roles.map((role) => markOf(role, capability, { adminsReadDocuments })),
      switchable: roles.filter((role) => markOf(role, capability) === "SWITCHED"),
    }));
  return JSON.stringify({ adminsReadDocuments, roles, capabilities: rows });
}
