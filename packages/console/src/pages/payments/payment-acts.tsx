/** Acts on a payment: refund it, make it again, and answer an incoming payment that needs a decision. */
import type { Transaction } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { SendAgain } from "./new-payment.tsx";
import { RefundButton } from "./refund.tsx";
import { refundableOf } from "./refundable.ts";

export function PaymentActs({ payment }: { readonly payment: Transaction }) {
  const mayCreate = useMay("payments.create");
  const mayApprove = useMay("payments.approve");
  const isRefundable = mayCreate && refundableOf(payment) !== undefined;
  const isAsking = payment.type === "INCOMING" && payment.status === "PENDING" && mayApprove;
  const isRepeatable = payment.type === "OUTGOING" && mayCreate;
  if (!isRefundable && !isAsking && !isRepeatable) return undefined;
  return (
    <>
      {isRepeatable && <SendAgain payment={payment} />}
      {isRefundable && <RefundButton payment={payment} />}
      {isAsking && (
        <>
          <ActButton spec={approve(payment)} weight="primary">
            {t("act.approve")}
          </ActButton>
          <ActButton spec={reject(payment)} weight="danger">
            {t("act.reject")}
          </ActButton>
        </>
      )}
    </>
  );
}

function approve({ id }: Transaction): ActSpec<"approveTransaction"> {
  return {
    title: t("payments.approve"),
    verb: t("act.approve"),
    intro: t("payments.approveIntro"),
    fields: [],
    toCall: () => ({ method: "POST", path: ["transactions", id, "approve"], body: {} }),
  };
}

function reject({ id }: Transaction): ActSpec<"rejectTransaction"> {
  return {
    title: t("payments.reject"),
    verb: t("act.reject"),
    isDanger: true,
    fields: [{ name: "reason", label: "column.reason", kind: "text", isOptional: true }],
    toCall: ({ reason = "" }) => ({
      method: "POST",
      path: ["transactions", id, "reject"],
      body: reason === "" ? {} : { reason },
    }),
  };
}
