import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec } from "../../../act/act-spec.ts";
import { FirstKey } from "../../../act/first-key.tsx";
import { useMay } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";

const newSandbox: ActSpec<"createWorkspacePlatform"> = {
  title: t("settings.newSandbox"),
  verb: t("system.make"),
  intro: t("settings.newSandboxIntro"),
  fields: [
    { name: "name", label: "column.name", kind: "text", placeholder: "trial" },
    { name: "umaDomain", label: "settings.uma", kind: "text", placeholder: "trial.example" },
  ],
  toCall: ({ name = "", umaDomain = "" }) => ({
    method: "POST",
    path: ["workspace", "platforms"],
    body: { name: name.trim(), umaDomain: umaDomain.trim() },
  }),
  after: (made) => <FirstKey made={made} />,
};

export function NewSandbox() {
  if (!useMay("workspace.write")) return undefined;
  return <ActButton spec={newSandbox}>{t("settings.newSandbox")}</ActButton>;
}
