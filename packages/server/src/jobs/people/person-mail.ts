/**
 * Sends a mail to a person: read whom it concerns and open its link → hand the mail to the mail server → end the job. If the process dies
 * in between, the mail is sent again under the same key. A mail server that fails is tried for a day.
 */

import type { PersonMailer } from "../../domain/people/notices/person-mail.port.ts";
import { endPersonMail } from "../../domain/people/notices/person-notice.ts";
import { findLinkById, findPerson } from "../../domain/people/person.sql.ts";
import { linkUrlIdentity, type PersonLink } from "../../domain/people/person-link.ts";
import { findWorkspace } from "../../domain/people/workspaces/workspace.sql.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Reads } from "../../postgres/database.ts";
import type { Sealer } from "../../secrets/sealing.ts";
import type { Log } from "../../std/log.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf, JobRunners } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import { pauseAfter } from "./mail-pause.ts";

export interface PersonMailOptions {
  readonly engine: Engine;
  readonly reads: Reads;
  readonly mailer: PersonMailer;
  readonly sealer: Sealer;
  readonly log: Log;
}

export function personMailRunners(options: PersonMailOptions): Pick<JobRunners, "mail-person"> {
  return { "mail-person": (job) => mailPerson(job, options) };
}

async function mailPerson(
  job: JobOf<"mail-person">,
  { engine, reads, mailer, sealer, log }: PersonMailOptions,
): Promise<JobResult> {
  const { recipientId, personId, about, until, linkId } = job.payload;
  const outcome = await send();
  if (outcome === "failed" && job.platformTime < until) {
    return { kind: "again", inMs: pauseAfter(job.attempts) };
  }
  if (outcome !== "sent") log.warn({ job: job.id, about, outcome }, "a person was not mailed");
  await submitForJob(engine, job, { command: endPersonMail, input: { jobId: job.id, linkId } });
  return { kind: "done" };

  async function send(): Promise<"sent" | "refused" | "failed" | "no mail server"> {
    if (!mailer.canSend) return "no mail server";
    const [recipient, person, workspace, link] = await Promise.all([
      findPerson(reads, job.platformId, recipientId),
      findPerson(reads, job.platformId, personId),
      findWorkspace(reads, job.platformId),
      linkId === undefined ? undefined : findLinkById(reads, job.platformId, linkId),
    ]);
    if (recipient === undefined || person === undefined) return "refused";
    // A removed person gets no mail but the notice that the owner changed.
    if (recipient.state === "REMOVED" && about !== "OWNER_CHANGED") return "refused";
    const url = link && openUrl(link);
    // The link was used, or a newer one has replaced it.
    if (linkId !== undefined && url === undefined) return "refused";
    const { kind } = await mailer.sendNotice({
      key: job.id,
      to: recipient.email,
      about,
      workspaceName: workspace?.name ?? "",
      person,
      isOwn: recipientId === personId,
      url,
    });
    return kind;
  }

  function openUrl({ codeHash, urlSealed }: PersonLink): string | undefined {
    if (urlSealed === null) return undefined;
    return sealer.open(urlSealed, linkUrlIdentity(job.platformId, codeHash)).toString("utf8");
  }
}
