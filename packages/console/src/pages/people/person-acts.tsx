/** Acts on a person. The server refuses an act that would leave the workspace without an owner. */
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { LinkForPerson } from "../../act/person-link.tsx";
import type { Person } from "../../api/own-operations.ts";
import { useMay } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { ROLE_CHOICES } from "./roles.ts";

export function PersonActs({ person }: { readonly person: Person }) {
  const may = useMay("people.write");
  if (!may || person.state === "REMOVED") return undefined;
  return (
    <>
      <ActButton spec={changeRoles(person)}>{t("team.changeRoles")}</ActButton>
      <ActButton spec={reEnrol(person)}>{t("team.reEnrol")}</ActButton>
      <ActButton spec={endSessions(person)}>{t("team.endSessions")}</ActButton>
      <ActButton spec={endIdentities(person)}>{t("team.endIdentities")}</ActButton>
      <ActButton spec={suspend(person)} weight="danger">
        {t(person.state === "SUSPENDED" ? "team.resume" : "team.suspend")}
      </ActButton>
      <ActButton spec={remove(person)} weight="danger">
        {t("team.remove")}
      </ActButton>
    </>
  );
}

function changeRoles({ id, roles }: Person): ActSpec<"updatePerson"> {
  const everywhere = roles.find(({ platformId }) => platformId === null);
  return {
    title: t("team.changeRoles"),
    verb: t("act.save"),
    intro: t("team.rolesIntro"),
    fields: [
      {
        name: "roles",
        label: "team.roles",
        kind: "checks",
        initial: everywhere?.roles.join(",") ?? "",
        choices: ROLE_CHOICES,
      },
      { name: "reason", label: "column.reason", kind: "text", isOptional: true },
    ],
    toCall({ roles: chosen = "", reason = "" }) {
      const others = roles.filter(({ platformId }) => platformId !== null);
      const body = {
        roles: [...others, { platformId: null, roles: chosen.split(",") }],
        ...(reason === "" ? {} : { reason }),
      };
      return { method: "PATCH", path: ["workspace", "people", id], body };
    },
  };
}

function suspend({ id, name, state }: Person): ActSpec<"updatePerson"> {
  const isSuspended = state === "SUSPENDED";
  const verb = t(isSuspended ? "team.resume" : "team.suspend");
  return {
    title: verb,
    verb,
    intro: t(isSuspended ? "team.resumeIntro" : "team.suspendIntro", { name }),
    isDanger: !isSuspended,
    fields: [{ name: "reason", label: "column.reason", kind: "text", isOptional: true }],
    toCall: ({ reason = "" }) => ({
      method: "PATCH",
      path: ["workspace", "people", id],
      body: { isSuspended: !isSuspended, ...(reason === "" ? {} : { reason }) },
    }),
  };
}

function reEnrol({ id, name }: Person): ActSpec<"reEnrolPerson"> {
  return {
    title: t("team.reEnrol"),
    verb: t("team.makeLink"),
    intro: t("team.reEnrolIntro", { name }),
    fields: [],
    toCall: () => ({ method: "POST", path: ["workspace", "people", id, "re-enrol"] }),
    after: ({ url }) => <LinkForPerson url={url} />,
  };
}

function endSessions({ id, name }: Person): ActSpec<"endPersonSessions"> {
  return {
    title: t("team.endSessions"),
    verb: t("team.endSessions"),
    intro: t("team.endSessionsIntro", { name }),
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["workspace", "people", id, "sessions"] }),
  };
}

function endIdentities({ id, name }: Person): ActSpec<"endPersonIdentities"> {
  return {
    title: t("team.endIdentities"),
    verb: t("team.endIdentities"),
    intro: t("team.endIdentitiesIntro", { name }),
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["workspace", "people", id, "identities"] }),
  };
}

function remove({ id, name }: Person): ActSpec<"removePerson"> {
  return {
    title: t("team.remove"),
    verb: t("team.remove"),
    intro: t("team.removeIntro", { name }),
    isDanger: true,
    typedName: name,
    fields: [],
    toCall: () => ({ method: "DELETE", path: ["workspace", "people", id] }),
  };
}
