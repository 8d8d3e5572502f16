/**
 * Asks platforms whether they take an incoming payment. Each question is posted once.
 *
 * Steps: the commit that stores the payment stores the event and a job → the job posts the event's bytes in the background,
 * and runs again at the deadline → a command records the answer; without an answer the second run records a timeout. The
 * first of these commands decides; approve and reject are such commands too.
 *
 * Two clocks: the HTTP exchange has the rest of five seconds of the host's clock, the question is open for five seconds of
 * the platform's clock. When a sandbox moves its clock past the deadline, the question ends at once and a later answer
 * changes nothing.
 *
 * A platform may answer 202 and then call approve or reject, even before the body of its answer has arrived. A call that
 * arrives before the answer waits for it for a moment, because the two can overtake each other; without an answer it is
 * refused as too early. Only the asking process knows this: another server, or this one after a restart, accepts the call.
 *
 * Bounds: questions under way in the process and a fair share per platform; beyond that a question is not posted and times
 * out. If the process dies before or after the post, the job is claimed again and, by its attempts, does not post a second
 * time: its payment times out at the deadline unless the platform calls.
 */
import {
  type ApprovalAnswer,
  recordApprovalAnswer,
} from "../../domain/uma/record-approval-answer.ts";
import type { ClaimedJob } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { createFairShare } from "../../std/admission/fair-share.ts";
import { type Clock, pause } from "../../std/clock.ts";
import { messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import type { DeliveryWorker } from "../../webhooks/deliver-webhooks.ts";
import { QUESTIONS_AT_ONCE } from "../../webhooks/post-event.ts";
import type { JobResult } from "../due-jobs.ts";
import type { JobOf } from "../job-runners.ts";
import { submitForJob } from "../submit-for-job.ts";
import { isDeferral, toHeardAnswer } from "./approval-answer.ts";

/** How long a call waits for the 202 that precedes it. */
export const ANSWER_GRACE_MS = 250;

export interface ApprovalCalls {
  /** Runs the job of a question. */
  run(job: JobOf<"ask-approval">): Promise<JobResult>;
  /** Whether this process has posted the question of a payment and, after a grace period, has no answer. */
  isUnanswered(platformId: string, transactionId: string): Promise<boolean>;
  /** Resolves when no question is under way. */
  settled(): Promise<void>;
}

export interface ApprovalCallsOptions {
  readonly engine: Engine;
  readonly deliveries: Pick<DeliveryWorker, "ask">;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxUnderway?: number;
}

interface Question extends Pick<ClaimedJob, "platformId" | "kind"> {
  readonly transactionId: string;
  readonly eventSeq: bigint;
  readonly leftMs: number;
}

export function createApprovalCalls(options: ApprovalCallsOptions): ApprovalCalls {
  const { deliveries, clock, log, maxUnderway = QUESTIONS_AT_ONCE } = options;
  /** By platform and transaction. */
  const underway = new Map<string, Promise<void>>();
  const unanswered = unansweredQuestions();
  /** A platform whose endpoint is silent holds at most half of the questions. */
  const share = createFairShare({ total: maxUnderway, mostOf: (left) => left + 1 });

  async function record(question: Question, answer: ApprovalAnswer): Promise<void> {
    const input = { transactionId: question.transactionId, answer };
    await submitForJob(options.engine, question, { command: recordApprovalAnswer, input });
  }

  async function ask(question: Question, hear: () => void): Promise<void> {
    const { platformId, eventSeq, leftMs } = question;
    const answer = await deliveries.ask(platformId, {
      eventSeq,
      deadlineMs: leftMs,
      onStatus: (status) => {
        if (isDeferral(status)) hear();
      },
    });
    const heard = answer === undefined ? { kind: "unusable" as const } : toHeardAnswer(answer);
    if (heard.kind !== "deferred") await record(question, heard);
  }

  function start(question: Question): void {
    const key = keyOf(question);
    const hear = unanswered.put(key);
    const asking = ask(question, hear).catch((error: unknown) => {
      const { platformId: platform } = question;
      log.warn({ err: messageOf(error), platform }, "the answer to a question was lost");
    });
    underway.set(key, asking);
    void asking.finally(() => {
      hear();
      underway.delete(key);
      share.giveBack(question.platformId);
    });
  }

  return {
    async run(job) {
      const question = questionOf(job);
      if (question.leftMs <= 0) {
        await record(question, { kind: "none" });
        return { kind: "done" };
      }
      if (job.attempts <= 1 && share.take(question.platformId) === "taken") start(question);
      return { kind: "again", inMs: question.leftMs };
    },
    isUnanswered: (platformId, transactionId) =>
      unanswered.has(keyOf({ platformId, transactionId }), () => pause(clock, ANSWER_GRACE_MS)),
    async settled() {
      while (underway.size > 0) await Promise.all(underway.values());
    },
  };
}

/** Questions that were posted and have no answer yet. */
function unansweredQuestions() {
  const answers = new Map<string, Promise<void>>();
  return {
    /** The returned function is called when the question was answered. */
    put(key: string): () => void {
      let hear = () => {};
      const answer = new Promise<void>((resolve) => {
        hear = resolve;
      });
      answers.set(key, answer);
      return () => {
        answers.delete(key);
        hear();
      };
    },
    /** Whether the question has no answer after the grace period. */
    async has(key: string, grace: () => Promise<void>): Promise<boolean> {
      const answer = answers.get(key);
      if (answer === undefined) return false;
      await Promise.race([answer, grace()]);
      return answers.has(key);
    },
  };
}

function keyOf({ platformId, transactionId }: Pick<Question, "platformId" | "transactionId">) {
  return `${platformId} ${transactionId}`;
}

function questionOf({ platformId, kind, platformTime, payload }: JobOf<"ask-approval">): Question {
  const { transactionId, eventSeq, deadlineAt } = payload;
  const leftMs = deadlineAt - platformTime;
  return { platformId, kind, transactionId, eventSeq: BigInt(eventSeq), leftMs };
}
