/**
 * What happened to a transaction, in order. It is put together from the events about it, their deliveries and the commands that
 * emitted them: each is found by an index. A command that changed the transaction without an event is not found.
 */

import {
  commandLog,
  events as eventRecords,
  type LoggedCommand,
  type StoredEvent,
} from "../../engine/command-log.ts";
import { ledgerEntries, type StoredEntry } from "../../ledger/postings.ts";
import type { Reads } from "../../postgres/database.ts";
import { deliveriesOfEvents } from "../events/delivery-log/delivery-list.sql.ts";
import type { Delivery } from "../events/delivery-log/delivery-state.sql.ts";
import { toTransactionId } from "../payments/transactions/transaction.ts";
import { type PaymentApproval, paymentApprovals } from "../uma/payment-approval.ts";

/** A transaction has a handful of events; more are left out, and the answer says so. */
const MAX_EVENTS = 200;

export interface TimelineFacts {
  readonly events: readonly StoredEvent[];
  readonly commands: readonly Pick<LoggedCommand, "seq" | "name" | "actor" | "at">[];
  readonly entries: readonly StoredEntry[];
  readonly deliveries: readonly Delivery[];
  readonly approval: PaymentApproval | undefined;
  readonly isComplete: boolean;
}

const eventsAbout = {
  name: "timeline/events",
  text:
    `select ${eventRecords.selectList("e")} from events e where e.platform_id = $1::uuid ` +
    "and e.subject = $2::text order by e.seq limit $3::int8",
};

const commandsAt = {
  name: "timeline/commands",
  text:
    `select ${commandLog.selectList("l")} from command_log l where l.platform_id = $1::uuid ` +
    "and l.seq = any ($2::int8[]) order by l.seq",
};

const entriesOf = {
  name: "timeline/entries",
  text:
    `select ${ledgerEntries.selectList("e")} from ledger_entries e where e.platform_id = $1::uuid ` +
    "and e.command_seq = any ($2::int8[]) order by e.command_seq, e.line limit 2000",
};

const approvalOf = {
  name: "timeline/approval",
  text:
    `select ${paymentApprovals.selectList("a")} from payment_approvals a ` +
    "where a.platform_id = $1::uuid and a.id = $2::uuid",
};

export function timelineFacts(
  reads: Reads,
  platformId: string,
  transactionId: string,
): Promise<TimelineFacts> {
  return reads.withPermit(platformId, async (cells) => {
    const about = [platformId, toTransactionId(transactionId), MAX_EVENTS + 1];
    const found = (await cells(eventsAbout, about)).map((row) => eventRecords.decode(row));
    const events = found.slice(0, MAX_EVENTS);
    const eventSeqs = events.map(({ seq }) => seq);
    const commandSeqs = [...new Set(events.map(({ commandSeq }) => String(commandSeq)))];
    const commands = await cells(commandsAt, [platformId, commandSeqs]);
    const entries = await cells(entriesOf, [platformId, commandSeqs]);
    const deliveries = await deliveriesOfEvents(cells, platformId, eventSeqs);
    const [approval] = await cells(approvalOf, [platformId, transactionId]);
    return {
      events,
      commands: commands.map((row) => commandLog.decode(row)),
      entries: entries.map((row) => ledgerEntries.decode(row)),
      deliveries,
      approval: approval && paymentApprovals.decode(approval),
      isComplete: found.length <= MAX_EVENTS,
    };
  });
}
