/**
 * The delivery thread: runs the delivery worker, the log of its attempts and the search index on connections of its own.
 *
 * Log lines go to the main thread, so that one stream has all of them and no two are mixed. An uncaught error ends this thread alone; its
 * leases expire as after a crash, and the main thread starts another one.
 */
import { parentPort, workerData } from "node:worker_threads";
import { createRecentTraces } from "../../engine/recent-traces.ts";
import { createOutboundClient } from "../../outside/outbound-http/outbound-client.ts";
import { openDatabase } from "../../postgres/database.ts";
import { createSealer, type MasterKey, type SealingKeys } from "../../secrets/sealing.ts";
import { present } from "../../std/assert.ts";
import { systemClock as clock } from "../../std/clock.ts";
import { Fault, messageOf } from "../../std/errors.ts";
import type { Log } from "../../std/log.ts";
import { createDeliveryParts } from "./delivery-parts.ts";
import {
  type FromThread,
  THREAD_READS,
  type ThreadCall,
  type ThreadCalls,
  type ThreadSettings,
  type ToThread,
} from "./thread-messages.ts";

const FIGURES_MS = 1_000;

const port = present(parentPort, "the port of the delivery thread");
const tell = (message: FromThread) => port.postMessage(message);

function logTo(level: keyof Log): Log[keyof Log] {
  return (fields, message) => tell({ kind: "log", level, fields, message });
}

const log: Log = {
  debug: logTo("debug"),
  info: logTo("info"),
  warn: logTo("warn"),
  error: logTo("error"),
};

/** Makes Buffers of the keys again: `workerData` is cloned, and the clone of a Buffer is a `Uint8Array`. */
function cloned({ current, older = [] }: SealingKeys): SealingKeys {
  const own = ({ id, key }: MasterKey) => ({ id, key: Buffer.from(key) });
  return { current: own(current), older: older.map(own) };
}

const { address, sealingKeys, loopbackPolicy } = workerData as ThreadSettings;
const database = openDatabase({ address, log, limits: THREAD_READS });
const outbound = createOutboundClient({ clock });
const traces = createRecentTraces();
const { deliveries, attemptLog } = createDeliveryParts({
  database,
  sealer: createSealer(cloned(sealingKeys)),
  clock,
  log,
  outbound,
  traces,
  loopbackPolicy,
  onLongFailing: (endpoint) => tell({ kind: "long-failing", endpoint }),
});

let endQuestions = () => {};
const questions = new Promise<void>((resolve) => {
  endQuestions = resolve;
});

function callsOf(id: number): ThreadCalls {
  return {
    test: (platformId, endpointId) => deliveries.test(platformId, endpointId),
    ask: (platformId, question) => {
      const onStatus = (status: number) => tell({ kind: "status", id, status });
      return deliveries.ask(platformId, { ...question, onStatus });
    },
    resendEvent: (key, order) => deliveries.resendEvent(key, order),
    resendEvents: (key, resend) => deliveries.resendEvents(key, resend),
    runOnce: () => deliveries.runOnce(),
    settled: (platformId) => deliveries.settled(platformId),
    stop: (patienceMs) => deliveries.stop(patienceMs, questions),
    flushAttempts: () => attemptLog.flush(),
    async close() {
      await Promise.all([attemptLog.close(), outbound.close()]);
      tellFigures();
      await database.close();
    },
  };
}

async function answer({ id, name, args }: ThreadCall): Promise<void> {
  try {
    const call = callsOf(id)[name] as (...args: readonly unknown[]) => Promise<unknown>;
    tell({ kind: "answer", id, value: await call(...args) });
  } catch (error) {
    tell({ kind: "failure", id, isFault: error instanceof Fault, message: messageOf(error) });
  }
}

function hear(message: ToThread): void {
  switch (message.kind) {
    case "news":
      for (const [platformId, effects] of message.traces) traces.keep(platformId, effects);
      for (const platformId of message.platforms) deliveries.newEvents(platformId);
      return;
    case "retries-due":
      deliveries.retriesDue(message.platformId);
      return;
    case "questions-ended":
      endQuestions();
      return;
    case "call":
      void answer(message);
  }
}

function tellFigures(): void {
  const { underway, attempts, delivered, failed, held, down } = deliveries.gauges;
  const figures = {
    underway: underway(),
    attempts: attempts(),
    delivered: delivered(),
    failed: failed(),
    held: held(),
    down: down(),
    dropped: attemptLog.dropped(),
  };
  tell({ kind: "figures", figures });
}

function keepTelling(): void {
  clock.after(FIGURES_MS, () => {
    tellFigures();
    keepTelling();
  });
}

port.on("message", hear);
deliveries.start();
keepTelling();
