/** Acts on an order that needs approval: approve with a passkey, reject, withdraw. */

import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec, FormField } from "../../../act/act-spec.ts";
import { LinkForPerson } from "../../../act/person-link.tsx";
import type { DetailedApproval, Shown } from "../../../api/approval-operations.ts";
import { proveAgreement } from "../../../api/passkeys.ts";
import { t } from "../../../text/messages.ts";
import { useIsHere } from "./people.tsx";
import { hasAmount, ShownFacts, ShownLead, ShownSummary, Warnings } from "./shown.tsx";

export function ApprovalActs({ approval }: { readonly approval: DetailedApproval }) {
  const { kind, platformId, mayDecide, mayReject, mayCancel } = approval;
  const isHere = useIsHere()(platformId);
  if (!mayDecide && !mayReject && !mayCancel) return undefined;
  const isOrder = kind === "AGENT_ORDER";
  if (isOrder && !isHere) return <p className="text-soft">{t("approvals.decideThere")}</p>;
  return (
    <>
      {mayDecide &&
        (isOrder ? (
          <ActButton spec={approveOrder(approval)} weight="primary">
            {t("act.approve")}
          </ActButton>
        ) : (
          <ActButton spec={approve(approval)} weight="primary">
            {t("act.approve")}
          </ActButton>
        ))}
      {mayReject &&
        (isOrder ? (
          <ActButton spec={rejectOrder(approval)} weight="danger">
            {t("act.reject")}
          </ActButton>
        ) : (
          <ActButton spec={reject(approval)} weight="danger">
            {t("act.reject")}
          </ActButton>
        ))}
      {mayCancel && <ActButton spec={takeBack(approval)}>{t("approvals.takeBack")}</ActButton>}
    </>
  );
}

const note: FormField = { name: "note", label: "form.note", kind: "long", isOptional: true };

/** All facts, as on the page. */
function Whole({ shown }: { readonly shown: Shown }) {
  return (
    <>
      <p
        className={`font-semibold break-words text-ink ${hasAmount(shown) ? "text-amount" : "text-title"}`}
      >
        <ShownLead shown={shown} />
      </p>
      <ShownSummary shown={shown} />
      <div className="pt-3">
        <Warnings shown={shown} />
      </div>
      <ShownFacts shown={shown} isHere={false} />
    </>
  );
}

/** The dialog repeats all facts, because the passkey signs them. */
function approve({ id, shown }: DetailedApproval): ActSpec<"decideApproval"> {
  return {
    title: t("approvals.approve"),
    verb: t("approvals.withPasskey"),
    intro: <Whole shown={shown} />,
    fields: [note],
    async toCall({ note: words = "" }) {
      const seen = { outcome: "APPROVED", shown: shown.sealed ?? "" } as const;
      const assertion = await proveAgreement(id, seen);
      const body = {
        ...seen,
        assertion,
        ...(words === "" ? {} : { note: words }),
      } as const;
      return { method: "POST", path: ["workspace", "approvals", id, "decide"], body };
    },
    after: ({ issued: { url } = {} }) =>
      url === undefined ? undefined : <LinkForPerson url={url} />,
  };
}

function Brief({ shown }: { readonly shown: Shown }) {
  return (
    <>
      <p className="font-medium break-words text-ink">
        <ShownLead shown={shown} />
      </p>
      <ShownSummary shown={shown} />
    </>
  );
}

function reject({ id, shown }: DetailedApproval): ActSpec<"decideApproval"> {
  return {
    title: t("approvals.reject"),
    verb: t("act.reject"),
    intro: <Brief shown={shown} />,
    isDanger: true,
    fields: [note],
    toCall: ({ note: words = "" }) => ({
      method: "POST",
      path: ["workspace", "approvals", id, "decide"],
      body: { outcome: "REJECTED", ...(words === "" ? {} : { note: words }) },
    }),
  };
}

function takeBack({ id, shown }: DetailedApproval): ActSpec<"cancelApproval"> {
  return {
    title: t("approvals.takeBack"),
    verb: t("approvals.takeBack"),
    intro: <Brief shown={shown} />,
    fields: [],
    toCall: () => ({ method: "POST", path: ["workspace", "approvals", id, "cancel"] }),
  };
}

/** An order of an agent is decided about in a session with a recent passkey, by the operations of agents. */
function approveOrder({ id, requestedBy, shown }: DetailedApproval): ActSpec<"approveAgentAction"> {
  return {
    title: t("agents.approve"),
    verb: t("act.approve"),
    intro: <Whole shown={shown} />,
    fields: [],
    toCall: () => ({ method: "POST", path: ["agents", requestedBy, "actions", id, "approve"] }),
  };
}

function rejectOrder({ id, requestedBy, shown }: DetailedApproval): ActSpec<"rejectAgentAction"> {
  return {
    title: t("agents.reject"),
    verb: t("act.reject"),
    intro: <Brief shown={shown} />,
    isDanger: true,
    fields: [{ name: "reason", label: "column.reason", kind: "text", isOptional: true }],
    toCall: ({ reason = "" }) => ({
      method: "POST",
      path: ["agents", requestedBy, "actions", id, "reject"],
      body: reason === "" ? {} : { reason },
    }),
  };
}
