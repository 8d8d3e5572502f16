/** Orders of agents, each with the buttons that decide it. */
import type { AgentAction } from "@florin/client";
import { wordOf } from "../../text/messages.ts";
import { IdLink } from "../../ui/place-link.tsx";
import { Amount, Time } from "../../ui/values.tsx";
import { ActionDecision, actionAmount } from "./action-acts.tsx";
import { whyOf } from "./order-list.tsx";

export function Orders({ orders }: { readonly orders: readonly AgentAction[] }) {
  return (
    <ul>
      {orders.map((order) => {
        const amount = actionAmount(order);
        return (
          <li
            key={order.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b px-3 py-2 last:border-b-0"
          >
            <div className="min-w-0 flex-1 basis-48">
              <div className="text-section font-semibold">
                {amount === undefined ? (
                  wordOf("actionType", order.type)
                ) : (
                  <Amount amount={amount} isStrong />
                )}
              </div>
              <div className="text-caption text-soft">
                {wordOf("actionType", order.type)} {"\u00b7"} <Time at={order.createdAt} />
                {order.approvalReason !== undefined && ` \u00b7 ${whyOf(order)}`}
              </div>
            </div>
            <IdLink id={order.agentId} />
            <ActionDecision order={order} />
          </li>
        );
      })}
    </ul>
  );
}
