/** The messages between the main thread and the delivery thread. `postMessage` can clone every value. */
import type { LoopbackPolicy } from "../../config.ts";
import type { FailingEndpoint } from "../../domain/events/delivery-log/endpoint-health.sql.ts";
import type { TracedEffects } from "../../engine/recent-traces.ts";
import type { DatabaseAddress } from "../../postgres/database.ts";
import type { SealingKeys } from "../../secrets/sealing.ts";
import type { Log, LogFields } from "../../std/log.ts";
import type { DeliveryGauges, DeliveryWorker, Question } from "../../webhooks/deliver-webhooks.ts";

/** Passed to the thread in memory, so that the keys are in no argument, environment variable or file. */
export interface ThreadSettings {
  readonly address: DatabaseAddress;
  readonly sealingKeys: SealingKeys;
  readonly loopbackPolicy: LoopbackPolicy;
}

/** Reads of resend orders, which go through events page by page. The bookkeeping and the log of attempts have one more connection each. */
export const THREAD_READS = { readConnections: 2, readConnectionsOfPlatform: 1 };

/** The calls to the thread, whose answers the main thread waits for. */
export interface ThreadCalls
  extends Pick<DeliveryWorker, "test" | "resendEvent" | "resendEvents" | "runOnce" | "settled"> {
  ask(platformId: string, question: Omit<Question, "onStatus">): ReturnType<DeliveryWorker["ask"]>;
  /** Also waits for the message `questions-ended`: until then questions may still come. */
  stop(patienceMs: number): Promise<void>;
  flushAttempts(): Promise<void>;
  /** Writes the log of attempts and closes the connections. */
  close(): Promise<void>;
}

export type CallName = keyof ThreadCalls;

export interface ThreadCall {
  readonly kind: "call";
  readonly id: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
}

/** The effects of a platform's commands that belong to traces. */
export type PlatformTraces = readonly [platformId: string, effects: readonly TracedEffects[]];

export type ToThread =
  | ThreadCall
  | {
      readonly kind: "news";
      readonly platforms: readonly string[];
      readonly traces: readonly PlatformTraces[];
    }
  | { readonly kind: "retries-due"; readonly platformId: string }
  | { readonly kind: "questions-ended" };

export type FromThread =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | {
      readonly kind: "failure";
      readonly id: number;
      readonly isFault: boolean;
      readonly message: string;
    }
  /** The status of the answer to a question, before its body was read. */
  | { readonly kind: "status"; readonly id: number; readonly status: number }
  | {
      readonly kind: "log";
      readonly level: keyof Log;
      readonly fields: LogFields;
      readonly message: string;
    }
  | { readonly kind: "figures"; readonly figures: ThreadFigures }
  | { readonly kind: "long-failing"; readonly endpoint: FailingEndpoint };

export type ThreadFigures = Readonly<Record<keyof DeliveryGauges | "dropped", number>>;
