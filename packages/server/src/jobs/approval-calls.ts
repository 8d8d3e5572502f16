/**
 * Asks platforms whether they take an incoming payment, each question once.
 *
 * Steps: the commit that notes the payment stores the event and a job → the job posts the event's bytes, in the background,
 * and comes back at the deadline → the answer is recorded by a command; without one, the job's second run records that
 * there was none. Whichever command comes first decides; approve and reject are such commands too.
 *
 * Two clocks: the exchange has what is left of five seconds on the host's clock, the question is open for five seconds on
 * the platform's. So a sandbox whose clock is moved on past the deadline is done with the question at once, and what the
 * platform answers later changes nothing.
 *
 * A platform may call once it has answered that it will; the head of that answer is enough, its body may still be open. A
 * call that comes while the answer is out waits for it a moment, because the two may arrive in the other order, and is
 * told that it comes too early when there is none. That is known by the process that asks, and written nowhere: another
 * server, or this one after a crash, takes the call.
 *
 * Bounds: questions under way in the process, and of a platform as many as it leaves free; beyond that a question is not
 * asked and times out. If the process dies before or after the post, the job is found again by its attempts and never
 * asks a second time: whether the platform was asked is not known, so its payment times out at the deadline, unless the
 * platform calls before that.
 */
import { type ApprovalAnswer, recordApprovalAnswer } from "../domain/uma/record-approval-answer.ts";
import type { ClaimedJob } from "../engine/command.ts";
import type { Engine } from "../engine/engine.ts";
import { type Clock, pause } from "../std/clock.ts";
import { messageOf } from "../std/errors.ts";
import type { Log } from "../std/log.ts";
import type { DeliveryWorker } from "../webhooks/deliver-webhooks.ts";
import { QUESTIONS_AT_ONCE } from "../webhooks/post-event.ts";
import { isDeferral, toHeardAnswer } from "./approval-answer.ts";
import type { JobResult } from "./due-jobs.ts";
import type { JobOf } from "./job-runners.ts";
import { submitForJob } from "./submit-for-job.ts";

/** How long a call waits for the answer that should have come before it. */
export const ANSWER_GRACE_MS = 250;

export interface ApprovalCalls {
  /** Runs the job of a question. */
  run(job: JobOf<"ask-approval">): Promise<JobResult>;
  /** Whether this process has put the question about a payment and has no answer to it, after a moment's grace. */
  isUnanswered(platformId: string, transactionId: string): Promise<boolean>;
  /** Until no question is under way. */
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
  const ofPlatform = new Map<string, number>();

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
    count(question.platformId, 1);
    void asking.finally(() => {
      hear();
      underway.delete(key);
      count(question.platformId, -1);
    });
  }

  function count(platformId: string, change: 1 | -1): void {
    const questions = (ofPlatform.get(platformId) ?? 0) + change;
    if (questions === 0) ofPlatform.delete(platformId);
    else ofPlatform.set(platformId, questions);
  }

  /** One platform that is silent leaves as many places to the others as it takes. */
  function hasRoom({ platformId }: Question): boolean {
    return (ofPlatform.get(platformId) ?? 0) < maxUnderway - underway.size;
  }

  return {
    async run(job) {
      const question = questionOf(job);
      if (question.leftMs <= 0) {
        await record(question, { kind: "none" });
        return { kind: "done" };
      }
      if (job.attempts <= 1 && hasRoom(question)) start(question);
      return { kind: "again", inMs: question.leftMs };
    },
    isUnanswered: (platformId, transactionId) =>
      unanswered.has(keyOf({ platformId, transactionId }), () => pause(clock, ANSWER_GRACE_MS)),
    async settled() {
      while (underway.size > 0) await Promise.all(underway.values());
    },
  };
}

/** Those that were put and have no answer yet. */
function unansweredQuestions() {
  const answers = new Map<string, Promise<void>>();
  return {
    /** What it returns notes the answer. */
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
    /** Whether there is none yet when the grace is over. */
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
