import { useParams } from "@tanstack/react-router";
import { Blocked } from "../../../act/approval-note.tsx";
import type { OwnApproval } from "../../../api/approval-operations.ts";
import { useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink, IdText } from "../../../ui/place-link.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";
import { Content } from "./content.tsx";
import { ApprovalActs } from "./decisions.tsx";
import { PlatformName, useIsHere, Who } from "./people.tsx";

export function ApprovalDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const isHere = useIsHere();
  const reading = useRead<"getWorkspaceApproval">({
    method: "GET",
    path: ["workspace", "approvals", id],
  });
  return (
    <DetailOf reading={reading}>
      {(approval) => (
        <Detail
          kind={t("kind.Approval")}
          lead={wordOf("approvalKind", approval.kind)}
          under={<span className="break-words">{approval.summary}</span>}
          state={<StatePill state={approval.state} />}
          id={approval.id}
          acts={<ApprovalActs approval={approval} />}
          json={approval}
          {...(isHere(approval.platformId) ? { path: `/approvals/${approval.id}` } : {})}
          tabs={[
            {
              id: "overview",
              title: t("detail.overview"),
              content: <Overview approval={approval} />,
            },
          ]}
        />
      )}
    </DetailOf>
  );
}

function Overview({ approval }: { readonly approval: OwnApproval }) {
  const { platformId, requestedBy, requestedAt, expiresAt, approvalsNeeded, resultId } = approval;
  const isHere = useIsHere()(platformId);
  return (
    <>
      <Standing approval={approval} />
      <Facts
        facts={[
          [t("approvals.askedBy"), <Who key="by" id={requestedBy} />],
          [t("approvals.askedAt"), <Time key="at" at={requestedAt} isExact />],
          [t("approvals.place"), <PlatformName key="place" id={platformId} />],
          [t("approvals.needed"), String(approvalsNeeded)],
          approval.state === "PENDING" && [
            t(approvalsNeeded === 0 ? "approvals.takesEffect" : "column.expires"),
            <Time key="expires" at={expiresAt} isExact />,
          ],
          resultId !== undefined && [
            t("approvals.result"),
            isHere ? <IdLink key="result" id={resultId} /> : <IdText key="result" id={resultId} />,
          ],
        ]}
      />
      <Section title={t("approvals.asked")}>
        <Content approval={approval} />
      </Section>
      <Section title={t("approvals.decisions")}>
        <Decisions approval={approval} />
      </Section>
    </>
  );
}

/** Why the approval failed, why no person can decide it, or why this person may not. */
function Standing({ approval }: { readonly approval: OwnApproval }) {
  const { failure, blockedBecause, rule } = approval;
  if (failure === undefined && blockedBecause === undefined && rule === undefined) return null;
  const tint = failure === undefined ? "tint-wait" : "tint-bad";
  return (
    <div role="status" className={`${tint} mb-4 rounded-control p-3 text-form`}>
      {failure !== undefined && (
        <>
          <p>{failure.message}</p>
          <p className="font-mono text-caption">{failure.code}</p>
        </>
      )}
      {rule !== undefined && <p>{wordOf("approvals.rule", rule)}</p>}
      {blockedBecause !== undefined && <Blocked />}
    </div>
  );
}

function Decisions({ approval: { decisions } }: { readonly approval: OwnApproval }) {
  if (decisions.length === 0) return <p className="text-soft">{t("approvals.undecided")}</p>;
  return (
    <ul>
      {decisions.map(({ by, at, outcome, note, isOwn }) => (
        <li key={`${by} ${at}`} className="border-line border-b py-2">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatePill state={outcome} />
            <Who id={by} />
            <span className="text-caption text-soft">
              <Time at={at} isExact />
            </span>
          </div>
          {isOwn === true && <p className="text-caption text-soft">{t("approvals.isOwn")}</p>}
          {note !== undefined && (
            <p className="text-form">
              <OutsideText text={note} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
