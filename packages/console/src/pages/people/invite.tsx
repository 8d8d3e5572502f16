import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { LinkForPerson } from "../../act/person-link.tsx";
import { t } from "../../text/messages.ts";
import { ROLE_CHOICES } from "./roles.ts";

/** Creates an invitation link for another person. */
export function Invite() {
  return (
    <ActButton spec={invite} weight="primary">
      {t("team.invite")}
    </ActButton>
  );
}

export const invite: ActSpec<"createInvite"> = {
  title: t("team.invite"),
  verb: t("team.makeLink"),
  fields: [
    { name: "name", label: "column.name", kind: "text" },
    { name: "email", label: "customers.email", kind: "email" },
    {
      name: "role",
      field: "roles.0.roles.0",
      label: "team.role",
      kind: "choice",
      hint: t("team.roleHint"),
      choices: ROLE_CHOICES,
    },
  ],
  toCall: ({ name = "", email = "", role = "" }) => ({
    method: "POST",
    path: ["workspace", "invites"],
    body: { name, email, roles: [{ platformId: null, roles: [role] }] },
  }),
  after: ({ url }) => <LinkForPerson url={url} />,
};
