/**
 * Asks connectors where payers pay to, once for each funding address, outside the commits. If the process dies, another run asks again
 * under the same id, for which a connector has the same answer.
 */
import { findAskedAddress } from "../../domain/funding/funding.sql.ts";
import { recordFundingTold } from "../../domain/funding/record-funding-told.ts";
import { toInternalAccountId } from "../../domain/internal-accounts/internal-account.ts";
import { present } from "../../std/assert.ts";
import type { JobRunners } from "../job-runners.ts";
import type { RailPaymentJobs } from "../rail-payment-jobs.ts";
import { submitForJob } from "../submit-for-job.ts";

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
      const isAsked = address.jobId === jobId && connection.status !== "ARCHIVED";
      const answer = isAsked
        ? await connectors.instructions({
            platformId,
            environment,
            connection,
            id: addressId,
            currency: address.currency,
            accountId: toInternalAccountId(address.accountId ?? ""),
            customerName,
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
