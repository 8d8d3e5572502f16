/**
 * The traces of events and jobs that this process committed: a webhook or a call to a rail carries the trace of the call that caused
 * it. Kept in memory only (docs/adr/0064). Bound: the newest `TRACES_KEPT` effects; older ones are delivered or run without a trace.
 */

/** The events and jobs of a command that was submitted in a trace. */
export interface TracedEffects {
  readonly traceparent: string;
  readonly eventSeqs: readonly bigint[];
  readonly jobIds: readonly string[];
}

export interface RecentTraces {
  keep(platformId: string, effects: readonly TracedEffects[]): void;
  ofEvent(platformId: string, seq: bigint): string | undefined;
  ofJob(jobId: string): string | undefined;
}

export const TRACES_KEPT = 20_000;

export function createRecentTraces(): RecentTraces {
  const traces = new Map<string, string>();

  function put(key: string, traceparent: string): void {
    if (traces.size >= TRACES_KEPT) {
      const [oldest] = traces.keys();
      if (oldest !== undefined) traces.delete(oldest);
    }
    traces.set(key, traceparent);
  }

  return {
    keep(platformId, effects) {
      for (const { traceparent, eventSeqs, jobIds } of effects) {
        for (const seq of eventSeqs) put(eventKey(platformId, seq), traceparent);
        for (const jobId of jobIds) put(jobId, traceparent);
      }
    },
    ofEvent: (platformId, seq) => traces.get(eventKey(platformId, seq)),
    ofJob: (jobId) => traces.get(jobId),
  };
}

function eventKey(platformId: string, seq: bigint): string {
  return `${platformId} ${seq}`;
}
