import { useParams } from "@tanstack/react-router";
import { Blocked } from "../../../act/approval-note.tsx";
import type { DetailedApproval, OwnApproval } from "../../../api/approval-operations.ts";
import { useRead } from "../../../api/platform.ts";
import { Detail, DetailOf } from "../../../detail/detail.tsx";
import { Facts, Section } from "../../../detail/facts.tsx";
import { t, wordOf } from "../../../text/messages.ts";
import { StatePill } from "../../../ui/pill.tsx";
import { IdLink, IdText } from "../../../ui/place-link.tsx";
import { OutsideText, Time } from "../../../ui/values.tsx";
import { Comments } from "./comments.tsx";
import { ApprovalActs } from "./decisions.tsx";
import { PlatformName, useIsHere, Who } from "./people.tsx";
import { hasAmount, ShownFacts, ShownLead, ShownSummary, Warnings } from "./shown.tsx";

/** What is shown can be agreed to for 15 minutes. */
const READ_AGAIN_MS = 5 * 60_000;

export function ApprovalDetail() {
  const { id = "" }: { readonly id?: string } = useParams({ strict: false });
  const isHere = useIsHere();
  const reading = useRead<"getWorkspaceApproval">(
    { method: "GET", path: ["workspace", "approvals", id] },
    { everyMs: READ_AGAIN_MS },
  );
  return (
    <DetailOf reading={reading}>
      {(approval) => (
        <Detail
          kind={t("kind.Approval")}
          lead={<ShownLead shown={approval.shown} />}
          isAmount={hasAmount(approval.shown)}
          under={<ShownSummary shown={approval.shown} />}
          state={<StatePill state={approval.state} />}
          id={approval.id}
          acts={<ApprovalActs approval={approval} />}
          json={withoutSeal(approval)}
          {...(isHere(approval.platformId) && approval.kind !== "AGENT_ORDER"
            ? { path: `/approvals/${approval.id}` }
            : {})}
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

/** The sealed facts say nothing to a reader, and are for an agreement alone. */
function withoutSeal({ shown: { sealed: _, ...shown }, ...approval }: DetailedApproval) {
  return { ...approval, shown };
}

function Overview({ approval }: { readonly approval: DetailedApproval }) {
  const { platformId, expiresAt, approvalsNeeded, resultId } = approval;
  const isHere = useIsHere()(platformId);
  return (
    <>
      <Standing approval={approval} />
      <Warnings shown={approval.shown} />
      <ShownFacts shown={approval.shown} isHere={isHere} />
      <Section title={t("approvals.standing")}>
        <Facts
          facts={[
            [t("column.type"), wordOf("approvalKind", approval.kind)],
            [t("approvals.place"), <PlatformName key="place" id={platformId} />],
            [t("approvals.needed"), String(approvalsNeeded)],
            approval.state === "PENDING" && [
              t(approvalsNeeded === 0 ? "approvals.takesEffect" : "column.expires"),
              <Time key="expires" at={expiresAt} isExact />,
            ],
            resultId !== undefined && [
              t("approvals.result"),
              isHere ? (
                <IdLink key="result" id={resultId} />
              ) : (
                <IdText key="result" id={resultId} />
              ),
            ],
          ]}
        />
      </Section>
      {approval.kind !== "AGENT_ORDER" && (
        <>
          <Section title={t("approvals.decisions")}>
            <Decisions approval={approval} />
          </Section>
          <Comments approval={approval} />
        </>
      )}
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
