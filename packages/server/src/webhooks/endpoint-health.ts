/**
 * When an endpoint counts as down: no connection could be made for several different events in a row. One event that a
 * receiver never answers does not bring its endpoint down, however often it is repeated.
 *
 * In memory only: a server that starts knows no failures, and takes that many attempts to find out. What it finds out is stored with the
 * stream (endpoint-state.sql.ts). Bounds: one entry of a few numbers for each endpoint whose last attempt failed.
 */
import { retryDelayMs } from "../domain/events/delivery-schedule.ts";
import type { Outage } from "../domain/events/endpoint-state.sql.ts";
import { type DeliveryTarget, keyText, type StreamKey } from "../domain/events/stream.sql.ts";
import { jitterFraction } from "../std/jitter.ts";
import type { PostAnswer } from "./post-event.ts";

const FAILURES_UNTIL_DOWN = 3;

export class EndpointHealth {
  readonly #failed = new Map<string, Set<bigint>>();
  readonly #down = new Set<string>();

  /** Endpoints that are down, as far as this server has found out. */
  get downCount(): number {
    return this.#down.size;
  }

  /** Judges an answer to an event: an outage when the endpoint is down by now, undefined when it is not. */
  judge(
    key: StreamKey,
    target: DeliveryTarget,
    { sequence, answer }: { readonly sequence: bigint; readonly answer: PostAnswer },
  ): Outage | undefined {
    if (!answer.isUnreachable) {
      this.setUp(key);
      return undefined;
    }
    const failed = this.#failed.get(keyText(key)) ?? new Set();
    if (failed.size < FAILURES_UNTIL_DOWN) failed.add(sequence);
    this.#failed.set(keyText(key), failed);
    if (target.down === undefined && failed.size < FAILURES_UNTIL_DOWN) return undefined;
    this.#down.add(keyText(key));
    const probes = target.down === undefined ? 0 : target.down.probes + 1;
    const probeAt = answer.endedAt + retryDelayMs(probes + 1, jitterFraction());
    return { target, reason: answer.outcome, probes, probeAt };
  }

  setUp(key: StreamKey): void {
    this.#failed.delete(keyText(key));
    this.#down.delete(keyText(key));
  }
}
