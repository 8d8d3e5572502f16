/** What a platform has set up for UMA: its domains, its keys, and what it wants of other institutions. */
import { t } from "../../text/messages.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Domains } from "./domains.tsx";
import { Keys } from "./keys.tsx";
import { Policy } from "./policy.tsx";
import { UmaTabs } from "./uma-tabs.tsx";

export function UmaPage() {
  return (
    <>
      <PageHead title={t("uma.title")} />
      <UmaTabs />
      <div className="max-w-2xl">
        <Domains />
        <Keys />
        <Policy />
      </div>
    </>
  );
}
