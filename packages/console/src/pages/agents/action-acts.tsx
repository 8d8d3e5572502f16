/** Approves or rejects an order of an agent. */
import type { AgentAction } from "@florin/client";
import { ActButton } from "../../act/act-dialog.tsx";
import type { ActSpec } from "../../act/act-spec.ts";
import { useMay, useRead } from "../../api/platform.ts";
import { DetailOf } from "../../detail/detail.tsx";
import { t } from "../../text/messages.ts";
import { type AmountLike, amountLine, decimalsFor } from "../../text/money.ts";
import { StatePill } from "../../ui/pill.tsx";
import { ShownFacts, ShownLead, ShownSummary, Warnings } from "../people/approvals/shown.tsx";

export function actionAmount({ quote, transferDetails }: AgentAction): AmountLike | undefined {
  if (quote !== undefined) {
    return { amount: quote.totalSendingAmount, currency: quote.sendingCurrency };
  }
  if (transferDetails === undefined) return undefined;
  const { amount, currency: code } = transferDetails;
  return { amount, currency: { code, decimals: decimalsFor(code) } };
}

export function ActionDecision({ order }: { readonly order: AgentAction }) {
  const may = useMay("payments.approve");
  if (order.status !== "PENDING_APPROVAL" || !may) return <StatePill state={order.status} />;
  return (
    <div className="flex gap-2">
      <ActButton spec={approve(order)} weight="primary">
        {t("act.approve")}
      </ActButton>
      <ActButton spec={reject(order)} weight="danger">
        {t("act.reject")}
      </ActButton>
    </div>
  );
}

/** The facts and warnings that approvals show, as they are now. */
function ShownOrder({ order: { id, agentId } }: { readonly order: AgentAction }) {
  const reading = useRead<"getShownAgentAction">({
    method: "GET",
    path: ["agents", agentId, "actions", id, "shown"],
  });
  return (
    <DetailOf reading={reading}>
      {(shown) => (
        <div className="pt-2">
          <p className="text-amount font-semibold break-words text-ink">
            <ShownLead shown={shown} />
          </p>
          <ShownSummary shown={shown} />
          <div className="pt-3">
            <Warnings shown={shown} />
          </div>
          <ShownFacts shown={shown} isHere />
        </div>
      )}
    </DetailOf>
  );
}

function approve(order: AgentAction): ActSpec<"approveAgentAction"> {
  const amount = actionAmount(order);
  return {
    title: t("agents.approve"),
    verb: t("act.approve"),
    intro: (
      <>
        {amount !== undefined && <p>{t("agents.approveIntro", { amount: amountLine(amount) })}</p>}
        <ShownOrder order={order} />
      </>
    ),
    fields: [],
    toCall: () => ({
      method: "POST",
      path: ["agents", order.agentId, "actions", order.id, "approve"],
    }),
  };
}

function reject(order: AgentAction): ActSpec<"rejectAgentAction"> {
  return {
    title: t("agents.reject"),
    verb: t("act.reject"),
    isDanger: true,
    fields: [{ name: "reason", label: "column.reason", kind: "text", isOptional: true }],
    toCall: ({ reason = "" }) => ({
      method: "POST",
      path: ["agents", order.agentId, "actions", order.id, "reject"],
      body: reason === "" ? {} : { reason },
    }),
  };
}
