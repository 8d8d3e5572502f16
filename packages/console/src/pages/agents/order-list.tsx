/** The orders of one agent in every state, each with the verdict and the rule behind it. */
import type { AgentAction } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { wordOf } from "../../text/messages.ts";
import { stateChoices } from "../../ui/choices.ts";
import { StatePill } from "../../ui/pill.tsx";
import { Amount, Missing, OutsideText, Time } from "../../ui/values.tsx";
import { actionAmount } from "./action-acts.tsx";

const STATES = ["PENDING_APPROVAL", "APPROVED", "REJECTED", "FAILED"];

/** Why the order failed or was rejected, or else why it needed approval. */
export function whyOf(order: AgentAction): string | undefined {
  const reason = order.failureReason ?? order.approvalReason;
  return reason === undefined ? undefined : wordOf("orderReason", reason);
}

function OrderAmount({ order }: { readonly order: AgentAction }) {
  const amount = actionAmount(order);
  return amount === undefined ? <Missing /> : <Amount amount={amount} isStrong />;
}

function Why({ order }: { readonly order: AgentAction }) {
  const why = order.rejectionReason ?? whyOf(order);
  return why === undefined ? <Missing /> : <OutsideText text={why} isLine />;
}

export function orderList(agentId: string): ListSpec<"listAgentActions"> {
  return {
    name: "agent-orders",
    title: "agents.orders",
    call: (query) =>
      ({
        method: "GET",
        path: ["agents", agentId, "actions"],
        query,
      }) as Call<"listAgentActions">,
    rowId: ({ id }) => id,
    place({ transaction, quote }) {
      if (transaction !== undefined) return `payments/${transaction.id}`;
      return quote === undefined ? `agents/${agentId}` : `quotes/${quote.id}`;
    },
    columns: [
      { id: "amount", title: "column.amount", cell: (row) => <OrderAmount order={row} /> },
      { id: "state", title: "column.status", cell: ({ status }) => <StatePill state={status} /> },
      { id: "why", title: "agents.why", cell: (row) => <Why order={row} /> },
      {
        id: "created",
        title: "column.created",
        isEnd: true,
        cell: ({ createdAt }) => <Time at={createdAt} />,
      },
      {
        id: "type",
        title: "column.type",
        isExtra: true,
        cell: ({ type }) => wordOf("actionType", type),
      },
    ],
    filters: [
      {
        name: "status",
        label: "column.status",
        kind: "choice",
        choices: stateChoices(STATES),
      },
    ],
    card: (row) => ({
      lead: <OrderAmount order={row} />,
      under: <Why order={row} />,
      end: <StatePill state={row.status} />,
      endUnder: <Time at={row.createdAt} />,
    }),
    empty: "agents.noOrders",
  };
}
