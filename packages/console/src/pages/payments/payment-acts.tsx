/** Acts on a payment: refund it, make it again, and answer an incoming payment that needs a decision. */
import type { Transaction } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import { useMay } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { amountLine, readAmount } from "../../text/money.ts";
import { stateChoices } from "../../ui/choices.ts";
import { SendAgain } from "./new-payment.tsx";

export function PaymentActs({ payment }: { readonly payment: Transaction }) {
  const mayCreate = useMay("payments.create");
  const mayApprove = useMay("payments.approve");
  const isRefundable = payment.type === "INCOMING" && payment.status === "COMPLETED" && mayCreate;
  const isAsking = payment.type === "INCOMING" && payment.status === "PENDING" && mayApprove;
  const isRepeatable = payment.type === "OUTGOING" && mayCreate;
  if (!isRefundable && !isAsking && !isRepeatable) return undefined;
  return (
    <>
      {isRepeatable && <SendAgain payment={payment} />}
      {isRefundable && <ActButton spec={refund(payment)}>{t("payments.refund")}</ActButton>}
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

const REASONS = ["REQUESTED_BY_PAYER", "DUPLICATE", "WRONG_AMOUNT", "FRAUD", "OTHER"];

function refund(payment: Transaction): ActSpec<"refundTransaction"> {
  const whole = payment.receivedAmount;
  return {
    title: t("payments.refund"),
    verb: t("payments.refund"),
    intro:
      whole === undefined ? undefined : t("payments.refundIntro", { whole: amountLine(whole) }),
    fields: [
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        isOptional: true,
        hint: t("payments.refundHint"),
      },
      {
        name: "reason",
        label: "column.reason",
        kind: "choice",
        initial: REASONS[0],
        choices: stateChoices(REASONS, "refundReason"),
      },
      { name: "note", label: "form.note", kind: "long", isOptional: true },
    ],
    toCall({ amount = "", reason = "", note = "" }) {
      const minor = amount === "" ? undefined : readAmount(amount, whole?.currency.decimals ?? 2);
      if (amount !== "" && minor === undefined) {
        throw new FormProblem({ amount: t("form.noAmount") });
      }
      const body = {
        reason,
        ...(minor === undefined ? {} : { amount: Number(minor) }),
        ...(note === "" ? {} : { note }),
      };
      return { method: "POST", path: ["transactions", payment.id, "refund"], body: body as never };
    },
  };
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
