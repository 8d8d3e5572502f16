/**
 * What people, agents and banks did about a payment beside the commands that emitted its events: the order of an agent, the approval of a
 * person, the course of the payment at a bank, its recall. And how often payments to the same payee failed for the same reason.
 */
import type { ReadCells, Reads } from "../../postgres/database.ts";
import { agentActions } from "../agents/actions/agent-action.ts";
import type { Transaction } from "../payments/transactions/transaction.ts";
import { approvals } from "../people/approvals/approval.ts";
import { type RailPayment, railPayments, toRailPaymentId } from "../rails/orders/rail-payment.ts";
import { type Alike, PAYMENTS_LOOKED_AT, stepsOf, type TimelineStep } from "./timeline-steps.ts";

export interface TimelineStory {
  readonly steps: readonly TimelineStep[];
  /** Undefined for a payment that has not failed, or whose payee is no account. */
  readonly alike: Alike | undefined;
}

/** A payment has one order at a bank, and those that give it back; more are left out. */
const MOST_ORDERS = 20;

const railOf = {
  name: "timeline/rail-payments",
  text:
    `select ${railPayments.selectList("t")}, c.name from rail_payments t join rail_connections c on c.platform_id = t.platform_id ` +
    `and c.id = t.connection_id where t.platform_id = $1::uuid and t.transaction_id = $2::uuid order by t.id limit ${MOST_ORDERS}`,
};

const recallsOf = {
  name: "timeline/recalls",
  text:
    "select k.id, a.actor_kind, a.actor_id from unnest($2::text[]) k(id), lateral (select t.actor_kind, t.actor_id from audit_entries t " +
    "where t.platform_id = $1::uuid and t.target_id = k.id and t.act = 'recall-rail-payment' order by t.command_seq desc limit 1) a",
};

const actionOf = {
  name: "timeline/agent-action",
  text:
    `select ${agentActions.selectList("t")} from agent_actions t where t.platform_id = $1::uuid ` +
    "and t.transaction_id = $2::uuid limit 1",
};

const approvalsOf = {
  name: "timeline/approvals",
  text:
    `select ${approvals.selectList("q")} from audit_entries t join approvals q on q.platform_id = t.platform_id and q.id = t.approval_id ` +
    "where t.platform_id = $1::uuid and t.command_seq = any ($2::int8[]) limit 5",
};

/** The newest payments with the same account at the other end. */
const alikeBy = (column: "source_account_id" | "destination_account_id") => ({
  name: `timeline/alike-by-${column}`,
  text:
    "select count(*) filter (where n.code = $3::text), count(*) from (select t.failure ->> 'code' as code from transactions t " +
    `where t.platform_id = $1::uuid and t.${column} = $2::uuid order by t.id desc limit ${PAYMENTS_LOOKED_AT}) n`,
});

const alikeTo = alikeBy("destination_account_id");
const alikeFrom = alikeBy("source_account_id");

export function readTimelineStory(
  reads: Reads,
  platformId: string,
  {
    transaction,
    commandSeqs,
  }: {
    readonly transaction: Transaction;
    /** Of the commands that emitted its events. */
    readonly commandSeqs: readonly bigint[];
  },
): Promise<TimelineStory> {
  return reads.withPermit(platformId, async (cells) => {
    const about = [platformId, transaction.id];
    const orders = (await cells(railOf, about)).map((row) => ({
      order: railPayments.decode(row),
      connection: row.at(-1) ?? "",
    }));
    const [action] = transaction.agentId === null ? [] : await cells(actionOf, about);
    const asked = await cells(approvalsOf, [platformId, commandSeqs.map(String)]);
    return {
      steps: stepsOf({
        orders,
        recalledBy: await recallers(cells, platformId, orders),
        action: action && agentActions.decode(action),
        approvals: asked.map((row) => approvals.decode(row)),
      }),
      alike: await findAlike(cells, platformId, transaction),
    };
  });
}

/** The actors of recalls that are in the audit log, by the wire id of the order. Calls of tokens are not in it. */
async function recallers(
  cells: ReadCells,
  platformId: string,
  orders: readonly { readonly order: RailPayment }[],
): Promise<ReadonlyMap<string, string>> {
  const recalled = orders.flatMap(({ order }) =>
    order.recall === null ? [] : [toRailPaymentId(order.id)],
  );
  if (recalled.length === 0) return new Map();
  const rows = await cells(recallsOf, [platformId, recalled]);
  return new Map(rows.map(([id, kind, actorId]) => [id ?? "", `${kind}:${actorId}`]));
}

async function findAlike(
  cells: ReadCells,
  platformId: string,
  { type, failure, sourceAccountId, destinationAccountId }: Transaction,
): Promise<Alike | undefined> {
  const accountId = type === "INCOMING" ? sourceAccountId : destinationAccountId;
  if (failure === null || accountId === null) return undefined;
  const statement = type === "INCOMING" ? alikeFrom : alikeTo;
  const [row] = await cells(statement, [platformId, accountId, failure.code]);
  const [count, lookedAt] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 0)];
  return { code: failure.code, count, lookedAt };
}
