import { t } from "../text/messages.ts";
import { CodeBlock } from "../ui/code-block.tsx";

/** The first token of a new platform. Its secret is shown once. */
export function FirstKey({
  made: { clientId, clientSecret },
}: {
  readonly made: { readonly clientId: string; readonly clientSecret: string };
}) {
  return (
    <>
      <p className="text-form">{t("system.tokenOnce")}</p>
      <CodeBlock
        code={`FLORIN_CLIENT_ID=${clientId}\nFLORIN_CLIENT_SECRET=${clientSecret}`}
        what={t("keys.title")}
      />
    </>
  );
}
