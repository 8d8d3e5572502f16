/** Sign-in at an identity provider: a workspace name or a mail address finds the providers, each with a link to it. */
import { Building2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { own } from "../../../api/session.ts";
import type { SsoChoices } from "../../../api/sso-operations.ts";
import { t } from "../../../text/messages.ts";
import { Button, buttonLook } from "../../../ui/button.tsx";
import { TextInput } from "../../../ui/fields.tsx";
import { Fault, useAttempt } from "./attempt.tsx";

export function IssuerSignIn() {
  const [workspace, setWorkspace] = useState("");
  const [found, setFound] = useState<SsoChoices>();
  const attempt = useAttempt(async () => {
    const body = { workspace };
    setFound(await own<SsoChoices>({ method: "POST", path: ["sign-in", "sso"], body }));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFound(undefined);
    attempt.go();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 border-line border-t pt-5" noValidate>
      <TextInput
        label={t("signIn.workspace")}
        hint={t("signIn.workspaceHint")}
        value={workspace}
        onChange={setWorkspace}
        autoComplete="username"
      />
      <Fault error={attempt.error} />
      {found === undefined ? (
        <Button type="submit" isDisabled={attempt.isBusy || workspace.trim() === ""}>
          <Building2 size={16} aria-hidden />
          {t("signIn.find")}
        </Button>
      ) : (
        <Choices found={found} />
      )}
    </form>
  );
}

/** A name may belong to somebody else's workspace, so the page shows the workspace and each link's host. */
function Choices({ found: { workspace, issuers } }: { readonly found: SsoChoices }) {
  return (
    <>
      <p className="text-form">{t("signIn.found", { workspace })}</p>
      {issuers.map(({ id, name, host, url }) => (
        <div key={id} className="flex flex-col gap-1">
          <a href={url} className={buttonLook("primary")}>
            {t("signIn.with", { name })}
          </a>
          <span className="text-caption text-soft">{t("signIn.leadsTo", { host })}</span>
        </div>
      ))}
    </>
  );
}
