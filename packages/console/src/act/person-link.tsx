import { t } from "../text/messages.ts";
import { CodeBlock } from "../ui/code-block.tsx";

/** The link for a person, shown once. Without a URL, the person gets the link by mail. */
export function LinkForPerson({ url }: { readonly url: string | undefined }) {
  if (url === undefined) return <p className="text-form">{t("team.linkMailed")}</p>;
  return (
    <>
      <p className="text-form">{t("team.linkOnce")}</p>
      <CodeBlock code={url} what={t("team.link")} />
    </>
  );
}
