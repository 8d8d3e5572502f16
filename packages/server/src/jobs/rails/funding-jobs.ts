/**
 * Asks connectors for the payment instructions of each funding address, once for each and outside the commits. If the process dies,
 * another run asks again under the same id, and the connector repeats its answer. A connector that does not answer is asked again: for an
 * account without end, at most every half hour; for a quote until it expires.
 */

import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { toQuoteId } from "../../domain/payments/quotes/quote.ts";
import { type AskedAddress, findAskedAddress } from "../../domain/rails/funding/funding.sql.ts";
import { recordFundingTold } from "../../domain/rails/funding/record-funding-told.ts";
import type { ConnectorFundingOrder } from "../../domain/rails/orders/connector.port.ts";
import { present } from "../../std/assert.ts";
import type { JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import type { RailPaymentJobs } from "./rail-payment-jobs.ts";

function purposeOf({ address, quote }: AskedAddress): ConnectorFundingOrder["purpose"] {
  const { accountId, quoteId } = address;
  if (quote === undefined || quoteId === null) {
    return { kind: "ACCOUNT", accountId: toInternalAccountId(accountId ?? "") };
  }
  return { kind: "QUOTE", quoteId: toQuoteId(quoteId), ...quote };
}

const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 1_800_000;

export function fundingJobRunners({
  engine,
  reads,
  connectors,
}: RailPaymentJobs): Pick<JobRunners, "ask-funding-address"> {
  return {
    async "ask-funding-address"(job) {
      const { platformId, payload, id: jobId, attempts } = job;
      const { addressId } = payload;
      const found = await findAskedAddress(reads, platformId, addressId);
      const asked = present(found, "the funding address of a job");
      const { address, connection, environment, customerName } = asked;
      const inMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts, 10), LONGEST_WAIT_MS);
      if (connection.status === "DEGRADED") return { kind: "again", inMs };
      const isOver = asked.quote !== undefined && job.platformTime > asked.quote.expiresAt;
      const isAsked = address.jobId === jobId && connection.status !== "ARCHIVED" && !isOver;
      const answer = isAsked
        ? await connectors.instructions({
            platformId,
            environment,
            connection,
            id: addressId,
            currency: address.currency,
            customerName,
            purpose: purposeOf(asked),
          })
        : undefined;
      const again = await submitForJob(engine, job, {
        command: recordFundingTold,
        input: {
          addressId,
          connectionId: connection.id,
          jobId,
          outcome: answer?.outcome,
          told: answer?.told,
        },
        tell: (isAgain) => (isAgain ? "again" : ""),
      });
      return again === "again" ? { kind: "again", inMs } : { kind: "done" };
    },
  };
}
