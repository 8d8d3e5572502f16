/** Shows whether the workspace's admins may read documents, and lets an owner change that. */
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import type { RoleMatrix } from "../../api/own-operations.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { Facts, Section } from "../../detail/facts.tsx";
import { t } from "../../text/messages.ts";
import { Waiting } from "../../ui/states.tsx";

function turn(isOn: boolean): ActSpec<"updateRoleMatrix"> {
  return {
    title: t(isOn ? "roles.turnOff" : "roles.turnOn"),
    verb: t(isOn ? "roles.off" : "roles.on"),
    intro: t(isOn ? "roles.turnOffIntro" : "roles.turnOnIntro"),
    fields: [],
    toCall: () => ({
      method: "PATCH",
      path: ["workspace", "roles"],
      body: { adminsReadDocuments: !isOn },
    }),
  };
}

export function useRoleMatrix() {
  return useRead<"getRoleMatrix">({ method: "GET", path: ["workspace", "roles"] });
}

/** A section of the settings page, hidden from people who may not see the workspace's people. */
export function RoleSwitchSection() {
  return useMay("people.read") ? <ReadSection /> : undefined;
}

function ReadSection() {
  const reading = useRoleMatrix();
  return (
    <Section title={t("roles.title")}>
      <Waiting reading={reading} rows={1}>
        {(matrix) => <RoleSwitch matrix={matrix} />}
      </Waiting>
    </Section>
  );
}

export function RoleSwitch({
  matrix: { adminsReadDocuments },
}: {
  readonly matrix: Pick<RoleMatrix, "adminsReadDocuments">;
}) {
  const may = useMay("workspace.write");
  return (
    <Facts
      facts={[
        [
          t("roles.adminsReadDocuments"),
          <span key="switch" className="flex flex-wrap items-center justify-end gap-x-3">
            <span>{t(adminsReadDocuments ? "word.yes" : "word.no")}</span>
            {may && (
              <ActButton spec={turn(adminsReadDocuments)} weight="quiet">
                {t(adminsReadDocuments ? "roles.off" : "roles.on")}
              </ActButton>
            )}
          </span>,
        ],
      ]}
    />
  );
}
