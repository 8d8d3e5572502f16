/** Incoming payments that the platform must accept. */
import type { Transaction } from "@florin/client";
import type { ReactNode } from "react";
import { useRead } from "../../../api/platform.ts";
import { t } from "../../../text/messages.ts";
import { PartyName } from "../../../ui/party.tsx";
import { IdLink } from "../../../ui/place-link.tsx";
import { Time } from "../../../ui/values.tsx";
import { PaymentActs } from "../../payments/payment-acts.tsx";
import { PaymentAmount } from "../../payments/payment-parts.tsx";

/** One page is enough, because deadlines end the oldest ones. */
const SHOWN = 20;

export function IncomingPayments() {
  const reading = useRead<"listTransactions">({
    method: "GET",
    path: ["transactions"],
    query: { type: "INCOMING", status: "PENDING", limit: SHOWN, expand: "parties" },
  });
  const payments = reading.data?.data ?? [];
  if (payments.length === 0) return null;
  return (
    <Panel title={t("approvals.incoming")}>
      <ul>
        {payments.map((payment) => (
          <IncomingPayment key={payment.id} payment={payment} />
        ))}
      </ul>
    </Panel>
  );
}

function IncomingPayment({ payment }: { readonly payment: Transaction }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b px-3 py-2 last:border-b-0">
      <div className="min-w-0 flex-1 basis-48">
        <div className="text-section">
          <PaymentAmount payment={payment} isStrong />
        </div>
        <div className="flex flex-wrap gap-x-2 text-caption text-soft">
          <PartyName party={payment.parties?.from} />
          {"\u2192"}
          <PartyName party={payment.parties?.to} />
          <Time at={payment.createdAt} />
        </div>
      </div>
      <IdLink id={payment.id} />
      <div className="flex gap-2">
        <PaymentActs payment={payment} />
      </div>
    </li>
  );
}

function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="mb-5 rounded-panel border border-line">
      <h2 className="border-line border-b px-3 py-2 text-form font-semibold">{title}</h2>
      {children}
    </section>
  );
}
