/** Says before a payment is sent whether it will wait for other people, and by which rule. */

import { Blocked } from "../../../act/approval-note.tsx";
import type { PaymentWait } from "../../../api/payment-operations.ts";
import { useRead } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { amountLine } from "../../../text/money.ts";

export interface SentAmount {
  readonly currency: string;
  readonly minor: bigint;
}

export function WaitNote({ sent: { currency, minor } }: { readonly sent: SentAmount }) {
  const { data } = useRead<"getPaymentWait">({
    method: "GET",
    path: ["payment-wait"],
    query: { currency, amount: String(minor) },
  });
  if (data === undefined) return undefined;
  const { approvalsNeeded: count } = data;
  if (count === 0)
    return (
      <p role="status" className="text-body text-soft">
        {data.above === undefined
          ? t("payments.wait.off")
          : t("payments.wait.below", { amount: amountLine(data.above) })}
      </p>
    );
  return (
    <div role="status" className="tint-wait flex flex-col gap-1 rounded-control p-3 text-form">
      <p>{t("approvals.waits", { count })}</p>
      <p className="text-body">{ruleText(data)}</p>
      {data.isBlocked && <Blocked />}
    </div>
  );
}

function ruleText({ approvalsNeeded, above, twoAbove }: PaymentWait): string {
  if (approvalsNeeded > 1 && twoAbove !== undefined)
    return t("payments.wait.two", { amount: amountLine(twoAbove) });
  return above === undefined || above.amount === 0
    ? t("payments.wait.each")
    : t("payments.wait.above", { amount: amountLine(above) });
}
