/** Acts on an order that needs approval: approve with a passkey, reject, withdraw. */

import { ActButton } from "../../../act/act-dialog.tsx";
import type { ActSpec, FormField } from "../../../act/act-spec.ts";
import { LinkForPerson } from "../../../act/person-link.tsx";
import type { OwnApproval } from "../../../api/approval-operations.ts";
import { proveAgreement } from "../../../api/passkeys.ts";
import { t } from "../../../text/messages.ts";
import { Content } from "./content.tsx";

export function ApprovalActs({ approval }: { readonly approval: OwnApproval }) {
  const { mayDecide, mayReject, mayCancel } = approval;
  if (!mayDecide && !mayReject && !mayCancel) return undefined;
  return (
    <>
      {mayDecide && (
        <ActButton spec={approve(approval)} weight="primary">
          {t("act.approve")}
        </ActButton>
      )}
      {mayReject && (
        <ActButton spec={reject(approval)} weight="danger">
          {t("act.reject")}
        </ActButton>
      )}
      {mayCancel && <ActButton spec={takeBack(approval)}>{t("approvals.takeBack")}</ActButton>}
    </>
  );
}

const note: FormField = { name: "note", label: "form.note", kind: "long", isOptional: true };

/** The dialog repeats the order's content, because the passkey signs it. */
function approve(approval: OwnApproval): ActSpec<"decideApproval"> {
  const { id, summary } = approval;
  return {
    title: t("approvals.approve"),
    verb: t("approvals.withPasskey"),
    intro: (
      <>
        <p className="pb-2 font-medium break-words text-ink">{summary}</p>
        <Content approval={approval} />
      </>
    ),
    fields: [note],
    async toCall({ note: words = "" }) {
      const assertion = await proveAgreement(id);
      const body = {
        outcome: "APPROVED",
        assertion,
        ...(words === "" ? {} : { note: words }),
      } as const;
      return { method: "POST", path: ["workspace", "approvals", id, "decide"], body };
    },
    after: ({ issued: { url } = {} }) =>
      url === undefined ? undefined : <LinkForPerson url={url} />,
  };
}

function reject({ id, summary }: OwnApproval): ActSpec<"decideApproval"> {
  return {
    title: t("approvals.reject"),
    verb: t("act.reject"),
    intro: <p className="break-words">{summary}</p>,
    isDanger: true,
    fields: [note],
    toCall: ({ note: words = "" }) => ({
      method: "POST",
      path: ["workspace", "approvals", id, "decide"],
      body: { outcome: "REJECTED", ...(words === "" ? {} : { note: words }) },
    }),
  };
}

function takeBack({ id, summary }: OwnApproval): ActSpec<"cancelApproval"> {
  return {
    title: t("approvals.takeBack"),
    verb: t("approvals.takeBack"),
    intro: <p className="break-words">{summary}</p>,
    fields: [],
    toCall: () => ({ method: "POST", path: ["workspace", "approvals", id, "cancel"] }),
  };
}
