/** Agents as rows, each with the amount that it has spent and its limit. */
import type { Agent } from "@florin/client";
import type { Call } from "../../api/operations.ts";
import type { ListSpec } from "../../list/list-spec.ts";
import { t, wordOf } from "../../text/messages.ts";
import { type AmountLike, decimalsFor } from "../../text/money.ts";
import { Pill } from "../../ui/pill.tsx";
import { IdLink, IdText } from "../../ui/place-link.tsx";
import { Amount, Missing, OutsideText, Time } from "../../ui/values.tsx";

export function AgentState({ agent }: { readonly agent: Agent }) {
  if (agent.isPaused) return <Pill word={wordOf("state", "PAUSED")} tone="note" />;
  return agent.isConnected ? (
    <Pill word={wordOf("state", "CONNECTED")} tone="good" />
  ) : (
    <Pill word={t("agents.notConnected")} tone="plain" />
  );
}

export function money(agent: Agent, amount: number): AmountLike {
  const code = agent.policy.spendingLimits.currency;
  return { amount, currency: { code, decimals: decimalsFor(code) } };
}

/** Shows the spent part of a limit as figures and a bar. */
export function Use({
  agent,
  spent,
  limit,
}: {
  agent: Agent;
  spent: number;
  limit: number | null | undefined;
}) {
  const isLimited = typeof limit === "number" && limit > 0;
  const share = isLimited ? Math.min(100, Math.round((spent / limit) * 100)) : 0;
  return (
    <span className="inline-flex flex-col items-end gap-1">
      <span className="flex gap-1">
        <Amount amount={money(agent, spent)} />
        {isLimited && (
          <span className="text-soft">
            {t("agents.of")} <Amount amount={money(agent, limit)} />
          </span>
        )}
      </span>
      {isLimited && (
        <span className="h-1 w-24 overflow-hidden rounded-full bg-line" aria-hidden>
          <span
            className={`block h-full ${share >= 90 ? "bg-bad" : "bg-accent"}`}
            style={{ width: `${share}%` }}
          />
        </span>
      )}
    </span>
  );
}

const columns: ListSpec<"listAgents">["columns"] = [
  {
    id: "name",
    title: "column.name",
    cell: ({ name }) => (
      <span className="font-medium">
        <OutsideText text={name} isLine />
      </span>
    ),
  },
  { id: "state", title: "column.status", cell: (row) => <AgentState agent={row} /> },
  {
    id: "customer",
    title: "column.customer",
    cell: ({ customerId }) => <IdLink id={customerId} />,
  },
  {
    id: "day",
    title: "agents.today",
    isEnd: true,
    cell: (row) => (
      <Use agent={row} spent={row.usage.dailySpend} limit={row.policy.spendingLimits.dailyLimit} />
    ),
  },
  {
    id: "month",
    title: "agents.month",
    isEnd: true,
    cell: (row) => (
      <Use
        agent={row}
        spent={row.usage.monthlySpend}
        limit={row.policy.spendingLimits.monthlyLimit}
      />
    ),
  },
  {
    id: "pending",
    title: "agents.pending",
    isEnd: true,
    cell: ({ pendingActions }) =>
      pendingActions === 0 ? <Missing /> : <Pill word={String(pendingActions)} tone="wait" />,
  },
  {
    id: "last",
    title: "agents.lastAct",
    isEnd: true,
    cell: ({ lastActionAt }) =>
      lastActionAt === undefined ? <Missing /> : <Time at={lastActionAt} />,
  },
  { id: "id", title: "column.id", isExtra: true, cell: ({ id }) => <IdText id={id} /> },
  {
    id: "created",
    title: "column.created",
    isEnd: true,
    isExtra: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** Agents of all customers, or of one. */
export function agentList(fixed: Readonly<Record<string, string>> = {}): ListSpec<"listAgents"> {
  return {
    name: "agents",
    title: "agents.title",
    call: (query) =>
      ({ method: "GET", path: ["agents"], query: { ...query, ...fixed } }) as Call<"listAgents">,
    rowId: ({ id }) => id,
    place: ({ id }) => `agents/${id}`,
    columns,
    filters: [
      { name: "customerId", label: "column.customer", kind: "text", placeholder: "Customer:" },
      {
        name: "isPaused",
        label: "agents.paused",
        kind: "choice",
        choices: [
          { value: "true", label: t("word.yes") },
          { value: "false", label: t("word.no") },
        ],
      },
    ],
    card: (row) => ({
      lead: (
        <span className="font-medium text-ink">
          <OutsideText text={row.name} isLine />
        </span>
      ),
      under: <Amount amount={money(row, row.usage.dailySpend)} />,
      end: <AgentState agent={row} />,
    }),
    empty: "agents.empty",
    curl: "/agents",
  };
}
