import type { Reads } from "../../../postgres/database.ts";
import {
  type ListPage,
  type ListQuery,
  type ListSource,
  listPage,
  listRows,
} from "../../../tables/list-query.ts";
import { quotes } from "../../payments/quotes/quote.ts";
import { transactions } from "../../payments/transactions/transaction.ts";
import { type Agent, agents } from "../agent.ts";
import { type AgentActionSubject, agentActionSubject, agentActions } from "./agent-action.ts";

const FROM =
  "agent_actions t left join transactions x on x.platform_id = t.platform_id and x.id = t.transaction_id " +
  "left join quotes q on q.platform_id = t.platform_id and q.id = t.quote_id";

const source: ListSource<AgentActionSubject> = {
  selectList: `${agentActions.selectList("t")}, ${transactions.selectList("x")}, ${quotes.selectList("q")}`,
  from: FROM,
  decode(cells) {
    const action = agentActions.decode(cells);
    const from = agentActions.columns.length;
    const beyond = from + transactions.columns.length;
    return agentActionSubject(action, {
      transaction: action.transactionId === null ? null : transactions.decode(cells, from),
      quote: action.quoteId === null ? null : quotes.decode(cells, beyond),
    });
  },
};

export function listAgentActions(
  reads: Reads,
  query: ListQuery,
): Promise<ListPage<AgentActionSubject>> {
  return listPage(reads, source, query);
}

const ofAgent = {
  name: "agent_actions/get",
  text:
    `select ${source.selectList} from ${FROM} ` +
    "where t.platform_id = $1::uuid and t.agent_id = $2::uuid and t.id = $3::uuid",
};

export async function findAgentAction(
  reads: Reads,
  platformId: string,
  { agentId, actionId }: { readonly agentId: string; readonly actionId: string },
): Promise<AgentActionSubject | undefined> {
  const [cells] = await reads.cells(ofAgent, [platformId, agentId, actionId]);
  return cells === undefined ? undefined : source.decode(cells);
}

/** An order that waits or waited for a person, with the agent `g` that submitted it. */
export interface AgentOrder {
  readonly subject: AgentActionSubject;
  readonly agent: Agent;
}

const orders: ListSource<AgentOrder> = {
  selectList: `${source.selectList}, ${agents.selectList("g")}`,
  from: `${FROM} join agents g on g.platform_id = t.platform_id and g.id = t.agent_id`,
  decode(cells) {
    const from = agentActions.columns.length + transactions.columns.length + quotes.columns.length;
    return { subject: source.decode(cells), agent: agents.decode(cells, from) };
  },
};

/** A page without a count, for a list over several platforms. */
export function agentOrderRows(
  reads: Reads,
  query: ListQuery,
): Promise<Omit<ListPage<AgentOrder>, "totalCount">> {
  return listRows(reads, orders, query);
}
