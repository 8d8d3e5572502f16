/**
 * Closes invoices that were not paid in time, or whose text was not given to the payer. The connector is asked first: what it has booked for
 * the invoice is booked here, and the invoice is closed only when the connector says that it takes no more money for it. A connector that
 * does not answer is asked again, at most every half hour; meanwhile the payment stays PENDING.
 */

import type { RailRulesOf } from "../../domain/payments/transfers/payment-rail.port.ts";
import { findConnection } from "../../domain/rails/connections/rail-connection.sql.ts";
import {
  ENTRIES_AT_ONCE,
  recordInvoiceEntries,
} from "../../domain/rails/entries/record-invoice-entries.ts";
import type {
  ConnectorInvoiceState,
  Connectors,
} from "../../domain/rails/orders/connector.port.ts";
import { forwardDeposit } from "../../domain/uma/incoming/forward-deposit.ts";
import { closeInvoice, stopInvoices } from "../../domain/uma/incoming/open-invoice.ts";
import { openInvoicesOf } from "../../domain/uma/incoming/uma-invoice.sql.ts";
import { findUmaInvoice, isUnderWay } from "../../domain/uma/incoming/uma-invoice.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 1_800_000;
/** Bounds the rows of one command. */
const STOPPED_AT_ONCE = 200;

interface InvoiceJobs {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly connectors: Pick<Connectors, "invoiceState" | "cancelInvoice">;
  readonly rails: RailRulesOf;
}

type InvoiceJob = JobOf<"end-uma-invoice">;

export function invoiceJobRunners(
  parts: InvoiceJobs,
): Pick<JobRunners, "end-uma-invoice" | "stop-uma-invoices" | "forward-uma-deposit"> {
  return {
    async "end-uma-invoice"(job) {
      const again: JobResult = {
        kind: "again",
        inMs: Math.min(FIRST_WAIT_MS * 2 ** Math.min(job.attempts, 10), LONGEST_WAIT_MS),
      };
      return (await mayClose(parts, job)) ? close(parts, job) : again;
    },
    async "stop-uma-invoices"(job) {
      const { holderId, after } = job.payload;
      const page = { holderId, after, limit: STOPPED_AT_ONCE };
      const invoiceIds = await openInvoicesOf(parts.reads, job.platformId, page);
      const last = invoiceIds.length < STOPPED_AT_ONCE ? null : (invoiceIds.at(-1) ?? null);
      const input = { jobId: job.id, holderId, invoiceIds, after: last };
      await submitForJob(parts.engine, job, { command: stopInvoices, input });
      return { kind: "done" };
    },
    async "forward-uma-deposit"(job) {
      const { transactionId } = job.payload;
      const input = { transactionId, jobId: job.id, rails: parts.rails };
      await submitForJob(parts.engine, job, { command: forwardDeposit, input });
      return { kind: "done" };
    },
  };
}

async function close({ engine }: InvoiceJobs, job: InvoiceJob): Promise<JobResult> {
  const { invoiceId, isUndeliverable } = job.payload;
  await submitForJob(engine, job, {
    command: closeInvoice,
    input: { invoiceId, jobId: job.id, isUndeliverable },
  });
  return { kind: "done" };
}

/** Whether the connector takes no more money for the invoice, or it has ended already. */
async function mayClose(parts: InvoiceJobs, job: InvoiceJob): Promise<boolean> {
  const { reads, connectors } = parts;
  const { platformId, payload } = job;
  const found = await findUmaInvoice(reads, platformId, payload.invoiceId);
  const invoice = present(found, "the invoice of a job");
  if (!isUnderWay(invoice)) return true;
  const address = await findConnection(reads, platformId, invoice.connectionId);
  if (address === undefined || address.connection.status === "DEGRADED") return false;
  const order = { ...address, invoice };
  const asked = await connectors.invoiceState(order);
  if (!(await isBooked(parts, job, { connectionId: invoice.connectionId, asked }))) return false;
  if (asked.status === "ended") return true;
  // The payer has no text of a WANTED invoice; a connector that has lost an OPEN one may still be paid for it.
  if (asked.status === "not-received") return invoice.state === "WANTED";
  if (asked.status !== "open") return false;
  const cancelled = await connectors.cancelInvoice(order);
  const isDone = await isBooked(parts, job, {
    connectionId: invoice.connectionId,
    asked: cancelled,
  });
  return isDone && cancelled.status === "ended";
}

/** Books what the connector has told. False when it told nothing, or something that cannot be booked. */
async function isBooked(
  { engine }: InvoiceJobs,
  job: InvoiceJob,
  { connectionId, asked }: { readonly connectionId: string; readonly asked: ConnectorInvoiceState },
): Promise<boolean> {
  if (asked.status === undefined) return false;
  for (let from = 0; from < asked.entries.length; from += ENTRIES_AT_ONCE) {
    const entries = asked.entries.slice(from, from + ENTRIES_AT_ONCE);
    const told = await submitForJob(engine, job, {
      command: recordInvoiceEntries,
      input: { connectionId, entries },
      tell: (isWhole) => (isWhole ? "whole" : ""),
    });
    if (told !== "whole") return false;
  }
  return true;
}
