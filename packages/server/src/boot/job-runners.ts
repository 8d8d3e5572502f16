/** The runners of all kinds of jobs. A new job is connected here. */

import type { Config } from "../config.ts";
import type { PaymentRail, RailRules } from "../domain/payments/transfers/payment-rail.port.ts";
import type { RoutingChecks } from "../domain/uma/domains/routing-check.port.ts";
import type { UmaKeyTools } from "../domain/uma/keys/key-tools.port.ts";
import type { Engine } from "../engine/engine.ts";
import { openTimed } from "../http/approvals/acts.ts";
import { mailedOrders } from "../http/approvals/mailed-orders.ts";
import { consolePlaceAt } from "../http/console/place.ts";
import { createExportRows } from "../http/operations/reading/export-kinds.ts";
import type { WalletServices } from "../http/request/services.ts";
import type { RequestLogReader } from "../http/request-log/reader.ts";
import { createRowCheck } from "../imports/customer-rows.ts";
import { importJobRunners } from "../imports/import-customers.ts";
import { statementJobRunners } from "../jobs/accounts/statement-jobs.ts";
import { agentJobRunners } from "../jobs/agents/agent-jobs.ts";
import { customerJobRunners } from "../jobs/customers/customer-jobs.ts";
import { resendJobRunners } from "../jobs/events/resend-jobs.ts";
import { fileJobRunners } from "../jobs/files/file-jobs.ts";
import type { JobRunners } from "../jobs/job-runners.ts";
import { batchJobRunners } from "../jobs/payments/batch-jobs.ts";
import { holdJobRunners } from "../jobs/payments/hold-jobs.ts";
import { quoteJobRunners } from "../jobs/payments/quote-jobs.ts";
import { scheduleJobRunners } from "../jobs/payments/schedule-jobs.ts";
import { approvalJobRunners } from "../jobs/people/approval-jobs.ts";
import { approvalMailRunners } from "../jobs/people/approval-mail.ts";
import { personMailRunners } from "../jobs/people/person-mail.ts";
import { metadataJobRunners } from "../jobs/platforms/metadata-jobs.ts";
import { rateJobRunners } from "../jobs/prices/rate-jobs.ts";
import { fundingJobRunners } from "../jobs/rails/funding-jobs.ts";
import { railJobRunners } from "../jobs/rails/rail-jobs.ts";
import { railPaymentRunners } from "../jobs/rails/rail-payment-jobs.ts";
import { exportJobRunners } from "../jobs/reading/export-jobs.ts";
import type { ApprovalCalls } from "../jobs/uma/approval-calls.ts";
import { domainJobRunners } from "../jobs/uma/domain-jobs.ts";
import { hookJobRunners } from "../jobs/uma/hook-jobs.ts";
import { invoiceJobRunners } from "../jobs/uma/invoice-jobs.ts";
import { umaKeyJobRunners } from "../jobs/uma/key-jobs.ts";
import { invitationJobRunners, umaJobRunners } from "../jobs/uma/uma-jobs.ts";
import { umaNetwork } from "../jobs/uma/uma-network.ts";
import { codeMailRunners } from "../jobs/wallets/code-mail.ts";
import type { WalletMaker } from "../outside/wallets/new-wallet.ts";
import type { Database, Reads } from "../postgres/database.ts";
import { createSerialLane } from "../postgres/serial-lane.ts";
import type { SealedFiles } from "../secrets/sealed-files.ts";
import type { Sealer } from "../secrets/sealing.ts";
import type { Clock } from "../std/clock.ts";
import type { Log } from "../std/log.ts";
import type { CompileSchema } from "../validation/validation.ts";
import type { DeliveryWorker } from "../webhooks/deliver-webhooks.ts";
import type { RailServices } from "./rail-services.ts";
import type { UmaExchanges } from "./uma/uma-exchanges.ts";
import type { UmaNoteWriter } from "./uma/uma-notes.ts";

interface Parts {
  readonly engine: Engine;
  readonly files: SealedFiles;
  readonly database: Pick<Database, "openLane">;
  readonly sealer: Sealer;
  readonly approvals: ApprovalCalls;
  readonly deliveries: DeliveryWorker;
  readonly requestLogs: RequestLogReader;
  readonly wallets: WalletServices;
  readonly makeWallet: WalletMaker;
  readonly umaKeys: UmaKeyTools;
  readonly rails: Readonly<Record<string, PaymentRail & RailRules>>;
  readonly railServices: Pick<RailServices, "connectors" | "exchangeSlots" | "rateDocuments">;
  readonly umaRouting: RoutingChecks;
  readonly exchanges: Pick<UmaExchanges, "hooks">;
  readonly umaNotes: Pick<UmaNoteWriter, "exchangeLog">;
  readonly compile: CompileSchema;
  readonly config: Pick<Config, "PUBLIC_URL">;
  readonly clock: Clock;
  readonly log: Log;
}

function publicOrigin({ config: { PUBLIC_URL: url } }: Parts): string | undefined {
  return url && consolePlaceAt(url).origin;
}

export function jobRunnersOn(reads: Reads, parts: Parts): JobRunners {
  const { engine, files, approvals, deliveries, requestLogs, wallets, rails, clock, log } = parts;
  const { compile, makeWallet, railServices, umaRouting, sealer, database } = parts;
  const { connectors, exchangeSlots, rateDocuments } = railServices;
  const { mailer, personMailer, codes } = wallets;
  const rows = createExportRows({ reads, requestLogs });
  return {
    ...railJobRunners({
      engine,
      rails: Object.fromEntries(Object.values(rails).map((rail) => [rail.name, rail])),
      umaNetwork: (platformId) => umaNetwork({ engine, reads }, platformId),
    }),
    ...railPaymentRunners({ engine, reads, connectors, slots: exchangeSlots }),
    ...fundingJobRunners({ engine, reads, connectors }),
    ...rateJobRunners({ engine, reads, rateDocuments }),
    ...quoteJobRunners(engine),
    ...holdJobRunners(engine),
    ...batchJobRunners({ engine, reads, clock, rails: (environment) => rails[environment] }),
    ...scheduleJobRunners({ engine, rails: (environment) => rails[environment] }),
    ...invitationJobRunners({ engine, reads }),
    ...customerJobRunners({ engine, reads }),
    ...umaJobRunners({ engine, reads, approvals }),
    ...invoiceJobRunners({
      engine,
      reads,
      connectors,
      rails: (environment) => rails[environment],
    }),
    ...hookJobRunners({
      ...{ engine, reads, clock },
      hooks: parts.exchanges.hooks,
      exchanges: parts.umaNotes.exchangeLog,
    }),
    ...umaKeyJobRunners({ engine, reads, clock, umaKeys: parts.umaKeys }),
    ...domainJobRunners({ engine, reads, umaRouting }),
    ...agentJobRunners({ engine }),
    ...approvalJobRunners({
      engine,
      open: (platformId, id) => openTimed({ reads, clock, sealer, compile }, platformId, id),
    }),
    ...fileJobRunners({ engine, files }),
    ...statementJobRunners({ engine, reads }),
    ...metadataJobRunners({ engine, reads, lane: createSerialLane(database, "metadata") }),
    ...resendJobRunners({ engine, reads, deliveries }),
    ...codeMailRunners({ engine, reads, mailer, codes, log }),
    ...personMailRunners({ engine, reads, mailer: personMailer, sealer, log }),
    ...approvalMailRunners({
      engine,
      mailer: personMailer,
      orders: mailedOrders({ reads, clock, sealer, consoleOrigin: publicOrigin(parts) }),
      log,
    }),
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
