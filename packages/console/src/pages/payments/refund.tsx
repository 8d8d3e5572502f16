/** The refund of an incoming payment: whether it is possible, how much is left, and its dialog. */
import type { Transaction } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import { type ActSpec, FormProblem } from "../../act/act-spec.ts";
import { useMay } from "../../api/platform.ts";
import { t } from "../../text/messages.ts";
import { amountLine, minorText, readAmount } from "../../text/money.ts";
import { stateChoices } from "../../ui/choices.ts";
import { Pill } from "../../ui/pill.tsx";
import { type Refundable, refundableOf, summaryOf } from "./refundable.ts";

export function RefundButton({ payment }: { readonly payment: Transaction }) {
  const mayCreate = useMay("payments.create");
  const left = refundableOf(payment);
  if (!mayCreate || left === undefined) return undefined;
  return (
    <ActButton spec={refund(payment, left)} act="refund">
      {t("payments.refundAmount", { amount: amountLine(left) })}
    </ActButton>
  );
}

/** Tells a refund, and a payment of which a part was given back, from others in a list. */
export function RefundMark({ payment }: { readonly payment: Transaction }) {
  if (payment.refundOf !== undefined) return <Pill word={t("payments.isRefund")} tone="note" />;
  const isPart = (payment.refundedAmount?.amount ?? 0) > 0 && payment.status === "COMPLETED";
  return isPart ? <Pill word={t("payments.partRefunded")} tone="note" /> : null;
}

const REASONS = ["REQUESTED_BY_PAYER", "DUPLICATE", "WRONG_AMOUNT", "FRAUD", "OTHER"];

function refund(payment: Transaction, left: Refundable): ActSpec<"refundTransaction"> {
  const { decimals } = left.currency;
  const minorIn = (text: string | undefined) => readAmount(text ?? "", decimals);
  return {
    title: t("payments.refund"),
    verb: t("payments.refund"),
    verbFor({ amount }) {
      const minor = minorIn(amount);
      const line = { amount: Number(minor ?? 0), currency: left.currency };
      return minor === undefined
        ? t("payments.refund")
        : t("payments.refundAmount", { amount: amountLine(line) });
    },
    intro: t("payments.refundIntro"),
    fields: [
      {
        name: "amount",
        label: "column.amount",
        kind: "amount",
        initial: minorText(BigInt(left.amount), decimals),
        hint: t("payments.refundHint", { amount: amountLine(left) }),
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
    preview: ({ amount }) => <Preview payment={payment} left={left} minor={minorIn(amount)} />,
    isTriedOut: true,
    toCall({ amount = "", reason = "", note = "" }) {
      const minor = minorIn(amount);
      if (minor === undefined || minor === 0n) {
        throw new FormProblem({ amount: t("form.noAmount") });
      }
      if (minor > BigInt(left.amount)) {
        const most = amountLine(left);
        throw new FormProblem({ amount: t("payments.refundTooMuch", { amount: most }) });
      }
      const body = { amount: Number(minor), reason, ...(note === "" ? {} : { note }) };
      return { method: "POST", path: ["transactions", payment.id, "refund"], body: body as never };
    },
  };
}

function Preview({
  payment,
  left,
  minor,
}: {
  readonly payment: Transaction;
  readonly left: Refundable;
  readonly minor: bigint | undefined;
}) {
  const lines = summaryOf(payment, left, minor);
  if (lines === undefined) return undefined;
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 rounded-panel bg-panel p-3 text-body">
      {lines.map(([name, amount]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{t(name)}</dt>
          <dd className="text-end tabular-nums">{amountLine(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
