/** One case: the submitted data on the left, its errors in the middle, the documents on the right. */
import { useParams } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ActButton } from "../../../act/act-dialog.tsx";
import type { VerificationCase } from "../../../api/own-operations.ts";
import { useAct, useMay, useRead } from "../../../api/platform.ts";
import { useOwnId } from "../../../api/session.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { newKey } from "../../../std/host.ts";
import { t, wordOf } from "../../../text/messages.ts";
import { Button } from "../../../ui/button.tsx";
import { Pill, StatePill } from "../../../ui/pill.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Problem, Waiting } from "../../../ui/states.tsx";
import { OutsideText, OutsideWord, Time } from "../../../ui/values.tsx";
import { DocumentBench } from "../documents/document-bench.tsx";
import { Owners, OwnersOf } from "../owners.tsx";
import { useCasePlace, useDocumentsOf } from "./case-place.ts";
import { type Decision, Decisions, override } from "./decisions.tsx";
import { ownersIn, Submitted } from "./submitted.tsx";

export function CasePage() {
  const place = useCasePlace();
  const { id = "", platform = "" }: CaseParams = useParams({ strict: false });
  const root = place.rootOf({ id, platform: { id: platform, name: "", environment: "" } });
  const reading = useRead<"getVerificationCase">({ method: "GET", path: [...root, "case"] });
  return <DetailOf reading={reading}>{(found) => <Case key={found.id} found={found} />}</DetailOf>;
}

interface CaseParams {
  readonly id?: string;
  /** The case's platform, when operators decide the case. */
  readonly platform?: string;
}

const OPEN = new Set(["IN_PROGRESS", "PENDING_MANUAL_REVIEW"]);

function Case({ found }: { readonly found: VerificationCase }) {
  const { isForeign } = useCasePlace();
  return (
    <Detail
      kind={t("kind.Verification")}
      lead={
        <OutsideText text={found.customerName === "" ? found.customerId : found.customerName} />
      }
      under={
        <span className="flex flex-wrap gap-x-3">
          {found.platform !== undefined && (
            <>
              <OutsideText text={found.platform.name} />
              {wordOf("environment", found.platform.environment.toLowerCase())}
            </>
          )}
          {wordOf("customerType", found.customerType)}
          <IdLink id={found.customerId} />
          <span>
            {t("cases.waiting")} <Time at={found.createdAt} />
          </span>
        </span>
      }
      state={<StatePill state={found.verificationStatus} />}
      id={found.id}
      acts={<Acts found={found} />}
      json={found}
      {...(isForeign ? {} : { path: `/verifications/${found.id}` })}
      tabs={[{ id: "case", title: t("cases.case"), content: <Bench found={found} /> }]}
    />
  );
}

/** Renews the case's lease of ten minutes well before it expires. */
const RENEW_MS = 4 * 60_000;

function Acts({ found }: { readonly found: VerificationCase }) {
  const { capability, rootOf, isForeign } = useCasePlace();
  const may = useMay(capability);
  const ownId = useOwnId();
  const act = useAct<"takeVerification">();
  // Kept in this component, so that the dialog stays open after the decision closes the case.
  const [decision, setDecision] = useState<Decision>();
  const { takenBy, verificationStatus } = found;
  const root = rootOf(found);
  const isOpen = OPEN.has(verificationStatus);
  const isMine = isOpen && takenBy !== undefined && takenBy.id === ownId;
  const take = useRef(() => {});
  take.current = () =>
    act.mutate({ call: { method: "POST", path: [...root, "take"] }, key: newKey() });
  useEffect(() => {
    if (!isMine) return undefined;
    const timer = setInterval(() => take.current(), RENEW_MS);
    return () => clearInterval(timer);
  }, [isMine]);
  if (!may) return undefined;
  if (isMine || decision !== undefined)
    return <Decisions found={found} isMine={isMine} open={decision} onOpen={setDecision} />;
  if (verificationStatus === "REJECTED" && !isForeign)
    return <ActButton spec={override({ found, root })}>{t("cases.override")}</ActButton>;
  if (!isOpen) return undefined;
  return (
    <div className="flex flex-col items-start gap-2">
      {takenBy === undefined ? (
        <Button weight="primary" isDisabled={act.isPending} onPress={() => take.current()}>
          {t("cases.take")}
        </Button>
      ) : (
        <p role="status" className="tint-wait rounded-control px-3 py-2 text-form">
          <OutsideWord text={t("cases.takenBy", { name: takenBy.name })} />{" "}
          <Time at={takenBy.until} isExact />
        </p>
      )}
      {act.error !== null && <Problem error={act.error} />}
    </div>
  );
}

function Bench({ found }: { readonly found: VerificationCase }) {
  const { isForeign } = useCasePlace();
  const documentsOf = useDocumentsOf(found);
  return (
    <div className="grid items-start gap-8 wide:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
      <div className="min-w-0">
        <Requirements found={found} />
        <Submitted found={found} />
        {found.customerType === "BUSINESS" && (
          <Section title={t("customers.owners")}>
            {isForeign ? (
              <Owners owners={ownersIn(found)} />
            ) : (
              <OwnersOf customerId={found.customerId} />
            )}
          </Section>
        )}
        {!isForeign && (
          <Section title={t("cases.before")}>
            <Before found={found} />
          </Section>
        )}
      </div>
      <div className="min-w-0">
        <DocumentBench of={documentsOf} isPair />
      </div>
    </div>
  );
}

function Requirements({ found }: { readonly found: VerificationCase }) {
  const { unmet, decision } = found;
  return (
    <>
      {decision !== undefined && (
        <Facts
          facts={[
            [t("cases.decidedBy"), <IdLink key="by" id={decision.by} />],
            decision.reasonCode !== undefined && [
              t("column.reason"),
              wordOf("verificationError", decision.reasonCode),
            ],
            decision.note !== undefined && [
              t("form.note"),
              <OutsideText key="note" text={decision.note} />,
            ],
          ]}
        />
      )}
      {unmet !== undefined && (
        <Section title={t("cases.requirements")}>
          {unmet.length === 0 ? (
            <Pill word={t("cases.allMet")} tone="good" />
          ) : (
            <ul>
              {unmet.map((error) => (
                <li
                  key={`${error.resourceId} ${error.type} ${error.field ?? ""}`}
                  className="flex flex-col gap-1 border-line border-b py-2"
                >
                  <span className="flex flex-wrap items-center gap-2">
                    <Pill word={wordOf("verificationError", error.type)} tone="bad" />
                    {error.resourceId !== found.customerId && <IdLink id={error.resourceId} />}
                  </span>
                  <span className="text-soft">
                    <OutsideText text={error.reason} />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Section>
      )}
    </>
  );
}

/** The customer's other verifications, and the errors found in them. */
function Before({ found }: { readonly found: VerificationCase }) {
  const reading = useRead<"listVerifications">({
    method: "GET",
    path: ["verifications"],
    query: { customerId: found.customerId, limit: 20 },
  });
  return (
    <Waiting reading={reading}>
      {({ data }) => {
        const others = data.filter(({ id }) => id !== found.id);
        if (others.length === 0) return <p className="text-soft">{t("cases.first")}</p>;
        return (
          <ul>
            {others.map((one) => (
              <li key={one.id} className="border-line border-b py-2">
                <span className="flex items-center justify-between gap-3">
                  <IdLink id={one.id} />
                  <StatePill state={one.verificationStatus} />
                  <Time at={one.updatedAt} />
                </span>
                {one.errors.map((error) => (
                  <p
                    key={`${error.resourceId} ${error.type} ${error.field ?? ""}`}
                    className="pt-1 text-caption text-soft"
                  >
                    <OutsideText text={error.reason} />
                  </p>
                ))}
              </li>
            ))}
          </ul>
        );
      }}
    </Waiting>
  );
}
