/** What a platform has set up for UMA: its domains, its keys, and what it wants of other institutions. */
import { useRead } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { PageHead } from "../../ui/page-head.tsx";
import { Waiting } from "../../ui/states.tsx";
import { Domains } from "./domains.tsx";
import { Faults } from "./faults.tsx";
import { Keys } from "./keys.tsx";
import { Policy } from "./policy.tsx";
import { UmaTabs } from "./uma-tabs.tsx";

/** Who may read one of the parts may read all of them, so a person is refused once. */
export function UmaPage() {
  const reading = useRead<"getUmaPolicy">({ method: "GET", path: ["uma", "policy"] });
  return (
    <>
      <PageHead title={t("uma.title")} />
      <UmaTabs />
      <div className="max-w-2xl">
        <Waiting reading={reading} rows={10}>
          {(policy) => (
            <>
              <Domains />
              <Keys />
              <Policy policy={policy} />
              {policy.network !== undefined && <Faults />}
            </>
          )}
        </Waiting>
      </div>
    </>
  );
}
