/** Shown after an act that needs the approval of other people. Nothing has been done yet. */
import type { Approval } from "@florin/client";
import { t } from "../text/messages.ts";
import { IdLink, PlaceLink } from "../ui/place-link.tsx";
import { Time } from "../ui/values.tsx";

/** The approval in the answer to an act; undefined when the act was done at once. */
export function waitingApproval(answer: unknown): Approval | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { id, state } = answer as Partial<Approval>;
  const isWaiting = id?.startsWith("Approval:") === true && state === "PENDING";
  return isWaiting ? (answer as Approval) : undefined;
}

export function ApprovalNote({ approval }: { readonly approval: Approval }) {
  const { id, approvalsNeeded, decisions, expiresAt, blockedBecause, issued } = approval;
  const count = approvalsNeeded - decisions.length;
  return (
    <div role="status" className="tint-wait flex flex-col gap-2 rounded-control p-3 text-form">
      <p>{approvalsNeeded === 0 ? t("approvals.timed") : t("approvals.waits", { count })}</p>
      {blockedBecause !== undefined && <Blocked />}
      {issued !== undefined && <p>{t("approvals.issued")}</p>}
      <p className="flex flex-wrap items-center gap-x-3">
        <IdLink id={id}>{t("approvals.show")}</IdLink>
        <span>
          {t(approvalsNeeded === 0 ? "approvals.takesEffect" : "approvals.until")}{" "}
          <Time at={expiresAt} isExact />
        </span>
      </p>
    </div>
  );
}

export function Blocked() {
  return (
    <p>
      {t("approvals.blocked")}{" "}
      <PlaceLink place="team" className="text-accent hover:underline">
        {t("team.title")}
      </PlaceLink>
    </p>
  );
}
