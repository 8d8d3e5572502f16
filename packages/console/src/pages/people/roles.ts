import type { Person } from "../../api/own-operations.ts";
import { wordOf } from "../../text/messages.ts";
import type { Choice } from "../../ui/fields.tsx";

const ROLES = [
  "OWNER",
  "ADMIN",
  "DEVELOPER",
  "FINANCE",
  "APPROVER",
  "COMPLIANCE",
  "SUPPORT",
  "VIEWER",
] as const;

export const ROLE_CHOICES: readonly Choice[] = ROLES.map((value) => ({
  value,
  label: wordOf("role", value),
}));

/** The roles on all platforms, without duplicates. */
export function rolesText({ roles }: Person): string {
  const held = new Set(roles.flatMap((grant) => grant.roles));
  return ROLES.filter((role) => held.has(role))
    .map((role) => wordOf("role", role))
    .join(", ");
}
