/** The runners of all kinds of jobs. A new job is connected here. */
import type { PaymentRail } from "../domain/transfers/payment-rail.port.ts";
import type { Engine } from "../engine/engine.ts";
import { createExportRows } from "../http/operations/exports/export-rows.ts";
import type { WalletServices } from "../http/request/services.ts";
import type { RequestLogReader } from "../http/request-log/reader.ts";
import { createRowCheck } from "../imports/customer-rows.ts";
import { importJobRunners } from "../imports/import-customers.ts";
import { agentJobRunners } from "../jobs/agent-jobs.ts";
import type { ApprovalCalls } from "../jobs/approval-calls.ts";
import { approvalJobRunners } from "../jobs/approvals/approval-jobs.ts";
import { codeMailRunners } from "../jobs/code-mail.ts";
import { customerJobRunners } from "../jobs/customer-jobs.ts";
import { exportJobRunners } from "../jobs/files/export-jobs.ts";
import { fileJobRunners } from "../jobs/files/file-jobs.ts";
import { statementJobRunners } from "../jobs/files/statement-jobs.ts";
import { fundingJobRunners } from "../jobs/funding/funding-jobs.ts";
import { invitationJobRunners } from "../jobs/invitation-jobs.ts";
import type { JobRunners } from "../jobs/job-runners.ts";
import { personMailRunners } from "../jobs/people/person-mail.ts";
import { quoteJobRunners } from "../jobs/quote-jobs.ts";
import { railJobRunners } from "../jobs/rail-jobs.ts";
import { railPaymentRunners } from "../jobs/rail-payment-jobs.ts";
import { rateJobRunners } from "../jobs/rates/rate-jobs.ts";
import { umaJobRunners } from "../jobs/uma-jobs.ts";
import { umaNetwork } from "../jobs/uma-network.ts";
import { resendJobRunners } from "../jobs/webhooks/resend-jobs.ts";
import type { WalletMaker } from "../outside/wallet-keys/new-wallet.ts";
import type { Reads } from "../postgres/database.ts";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import type { CompileSchema } from "../validation/validation.ts";
import type { DeliveryWorker } from "../webhooks/deliver-webhooks.ts";
import type { RailServices } from "./rail-services.ts";

interface Parts {
  readonly engine: Engine;
  readonly files: SealedFiles;
  readonly sealer: Sealer;
  readonly approvals: ApprovalCalls;
  readonly deliveries: DeliveryWorker;
  readonly requestLogs: RequestLogReader;
  readonly wallets: WalletServices;
  readonly makeWallet: WalletMaker;
  readonly rails: Readonly<Record<string, PaymentRail>>;
  readonly railServices: Pick<RailServices, "connectors" | "rateDocuments">;
  readonly compile: CompileSchema;
  readonly clock: Clock;
  readonly log: Log;
}

export function jobRunnersOn(reads: Reads, parts: Parts): JobRunners {
  const { engine, files, approvals, deliveries, requestLogs, wallets, rails, clock, log } = parts;
  const { compile, makeWallet, railServices, sealer } = parts;
  const { connectors, rateDocuments } = railServices;
  const { mailer, personMailer, codes } = wallets;
  const rows = createExportRows({ reads, requestLogs });
  return {
    ...railJobRunners({
      engine,
      rails: Object.fromEntries(Object.values(rails).map((rail) => [rail.name, rail])),
      umaNetwork: (platformId) => umaNetwork({ engine, reads }, platformId),
    }),
    ...railPaymentRunners({ engine, reads, connectors, clock }),
    ...fundingJobRunners({ engine, reads, connectors }),
    ...rateJobRunners({ engine, reads, rateDocuments }),
    ...quoteJobRunners(engine),
    ...invitationJobRunners({ engine, reads }),
    ...customerJobRunners({ engine, reads }),
    ...umaJobRunners({ engine, approvals }),
    ...agentJobRunners({ engine }),
    ...approvalJobRunners({ engine, reads, sealer }),
    ...fileJobRunners({ engine, files }),
    ...statementJobRunners({ engine, reads }),
    ...resendJobRunners({ engine, reads, deliveries }),
    ...codeMailRunners({ engine, reads, mailer, codes, log }),
    ...personMailRunners({ engine, reads, mailer: personMailer, sealer, log }),
    ...exportJobRunners({ engine, reads, files, clock, rows }),
    ...importJobRunners({
      engine,
      reads,
      files,
      clock,
      log,
      checkRow: createRowCheck(compile),
      newWallet: (platformId) => makeWallet(platformId, "imports"),
    }),
  };
}
