/**
 * Sends the mail with a one-time code: read the code → hand the mail to the mail server → record it. If the process dies in
 * between, the mail is sent again under the same key. The job is tried until the code expires.
 */
import { findPlatform } from "../../domain/platform.sql.ts";
import { recordCodeMail } from "../../domain/wallets/credentials/challenge-credential.ts";
import type { OneTimeCodes } from "../../domain/wallets/credentials/one-time-code.port.ts";
import type { OtpMailer } from "../../domain/wallets/credentials/otp-mail.port.ts";
import { findCredential } from "../../domain/wallets/wallet.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Log } from "../../std/log.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;

export interface CodeMailOptions {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly mailer: OtpMailer;
  readonly codes: OneTimeCodes;
  readonly log: Log;
}

export function codeMailRunners(options: CodeMailOptions): Pick<JobRunners, "send-code"> {
  return { "send-code": (job) => sendCode(job, options) };
}

async function sendCode(job: JobOf<"send-code">, options: CodeMailOptions): Promise<JobResult> {
  const { platformId } = job;
  const { credentialId, codeId } = job.payload;
  const credential = await findCredential(options.reads, platformId, credentialId);
  const { code = null, codeSealed = null } = credential ?? {};
  const isAwaited = code?.id === codeId && job.platformTime < code.expiresAt;
  if (credential === undefined || code === null || codeSealed === null || !isAwaited) {
    return record(job, options);
  }
  const { mailer, codes, log } = options;
  const platform = await findPlatform(options.reads, platformId);
  const outcome = await mailer.send({
    key: codeId,
    to: credential.nickname,
    code: codes.open(platformId, codeId, codeSealed),
    expiresInSeconds: Math.ceil((code.expiresAt - job.platformTime) / 1000),
    config: platform?.embeddedWalletConfig ?? null,
  });
  if (outcome.kind === "failed") {
    log.warn({ job: job.id, reason: outcome.reason }, "a code could not be mailed yet");
    const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(job.attempts, 5);
    return { kind: "again", inMs: Math.min(pauseMs, LONGEST_PAUSE_MS) };
  }
  if (outcome.kind === "refused") {
    log.warn({ job: job.id, reason: outcome.reason }, "a code was refused by the mail server");
  }
  return record(job, options);
}

async function record(job: JobOf<"send-code">, { engine }: CodeMailOptions): Promise<JobResult> {
  const { credentialId, codeId } = job.payload;
  const input = { credentialId, codeId, jobId: job.id };
  await submitForJob(engine, job, { command: recordCodeMail, input });
  return { kind: "done" };
}
