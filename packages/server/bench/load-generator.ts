import { connect, type Socket } from "node:net";
import { createHistogram } from "./histogram.ts";
import {
  createResponseParser,
  type ParsedResponse,
  type ResponseParser,
} from "./response-parser.ts";

/**
 * A closed-loop load generator over a fixed number of keep-alive connections: each connection sends its next request when the
 * previous one was answered. Steps: open all connections → send until the time or the count is used up → wait for requests in
 * flight → close. Bounds: it connects to loopback addresses only. It always ends, because a connection without data for
 * `idleLimitMs` is closed and no request is sent after the time is up.
 */

export interface LoadOptions {
  /** A loopback address: 127.0.0.1, ::1 or localhost. */
  readonly host: string;
  readonly port: number;
  readonly connections: number;
  /** Sending time after the warm-up. Set either this or `count`. */
  readonly durationMs?: number;
  readonly count?: number;
  /** Requests that start in the first milliseconds are sent and checked, and excluded from all figures. */
  readonly warmupMs?: number;
  /** The bytes of request `n`, from 0, with the warm-up. They must not change afterwards. */
  readonly nextRequest: (n: number) => Buffer;
  /** Called for each answer, with the warm-up. Collecting bodies costs time. */
  readonly onBody?: (answer: Answer) => void;
  /** Default 10 000. */
  readonly idleLimitMs?: number;
}

export interface Answer {
  readonly n: number;
  readonly status: number;
  readonly body: Buffer;
}

/** The figures of the measured requests, without the warm-up. */
export interface LoadResult {
  readonly sent: number;
  readonly ok: number;
  /** Answers by status, with 2xx. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Sent, but the connection ended or timed out before the answer. */
  readonly lost: number;
  /** Requests of the warm-up that were lost or not answered with 2xx. */
  readonly warmupNotOk: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly seconds: number;
  /** The end of the warm-up, in milliseconds since the epoch. */
  readonly measuredFrom: number;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);
const MOST_CONNECTIONS = 4096;
const LONGEST_MS = 3_600_000;
const MOST_REQUESTS = 1_000_000_000;
const READ_BUFFER_BYTES = 16 * 1024;
const CLOSED_UNUSED = "a connection was closed before it was used";

export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  checkOptions(options);
  return new LoadRun(options).run();
}

interface Lane {
  readonly socket: Socket;
  readonly parser: ResponseParser;
  /** The number of the request in flight; -1 without one. */
  underWay: number;
  sentAtMs: number;
  isMeasured: boolean;
  answers: number;
  isOver: boolean;
}

class LoadRun {
  readonly #options: LoadOptions;
  readonly #count: number;
  readonly #idleLimitMs: number;
  readonly #lanes = new Set<Lane>();
  readonly #latencies = createHistogram();
  readonly #byStatus = new Map<number, number>();
  #measureFromMs = 0;
  #sendUntilMs = 0;
  #lastAnswerMs = 0;
  #numbered = 0;
  #sent = 0;
  #lost = 0;
  #warmupNotOk = 0;
  #end: { resolve(): void; reject(error: unknown): void } | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#count = options.count ?? Number.POSITIVE_INFINITY;
    this.#idleLimitMs = options.idleLimitMs ?? 10_000;
  }

  async run(): Promise<LoadResult> {
    const { connections, warmupMs = 0, durationMs = LONGEST_MS } = this.#options;
    try {
      await Promise.all(Array.from({ length: connections }, () => this.#open()));
      if (this.#lanes.size < connections) throw new Error(CLOSED_UNUSED);
      this.#measureFromMs = performance.now() + warmupMs;
      this.#sendUntilMs = this.#measureFromMs + durationMs;
      await new Promise<void>((resolve, reject) => {
        this.#end = { resolve, reject };
        for (const lane of [...this.#lanes]) this.#sendNext(lane, performance.now());
      });
    } finally {
      for (const lane of this.#lanes) lane.socket.destroy();
    }
    return this.#result();
  }

  /** Resolves when connected and rejects on an earlier failure. A later failure is counted by `#closed`. */
  #open(): Promise<Lane> {
    const { host, port, onBody } = this.#options;
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafe(READ_BUFFER_BYTES);
      const callback = (bytes: number) => this.#read(lane, buffer.subarray(0, bytes));
      const socket = connect({ host, port, noDelay: true, onread: { buffer, callback } });
      const parser = createResponseParser((one) => this.#answered(lane, one), onBody !== undefined);
      const lane: Lane = {
        socket,
        parser,
        underWay: -1,
        sentAtMs: 0,
        isMeasured: false,
        answers: 0,
        isOver: false,
      };
      this.#lanes.add(lane);
      socket.setTimeout(this.#idleLimitMs, () => socket.destroy());
      socket.on("error", reject);
      socket.on("close", () => {
        reject(new Error(CLOSED_UNUSED));
        this.#closed(lane);
      });
      socket.on("connect", () => resolve(lane));
    });
  }

  #sendNext(lane: Lane, nowMs: number): void {
    if (nowMs >= this.#sendUntilMs || this.#sent >= this.#count) {
      lane.isOver = true;
      lane.socket.destroy();
      return;
    }
    lane.underWay = this.#numbered;
    lane.sentAtMs = nowMs;
    lane.isMeasured = nowMs >= this.#measureFromMs;
    this.#numbered += 1;
    if (lane.isMeasured) this.#sent += 1;
    lane.socket.write(this.#options.nextRequest(lane.underWay));
  }

  /** Sends the next request after the whole chunk was parsed, because a second answer in it would belong to no request. */
  #read(lane: Lane, piece: Buffer): boolean {
    if (this.#end === undefined) {
      lane.socket.destroy();
      return false;
    }
    try {
      lane.parser.push(piece);
      const nowMs = performance.now();
      if (lane.underWay === -1) {
        if (!lane.socket.destroyed) this.#sendNext(lane, nowMs);
      } else if (nowMs > this.#sendUntilMs + this.#idleLimitMs) {
        lane.socket.destroy();
      }
    } catch (error) {
      this.#fail(error);
    }
    return true;
  }

  #answered(lane: Lane, { status, closes, body }: ParsedResponse): void {
    const nowMs = performance.now();
    const n = lane.underWay;
    if (n === -1) throw new Error(`an answer with status ${status} without a request`);
    lane.underWay = -1;
    lane.answers += 1;
    const isOk = status >= 200 && status < 300;
    if (lane.isMeasured) {
      this.#lastAnswerMs = nowMs;
      this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
      if (isOk) this.#latencies.record(nowMs - lane.sentAtMs);
    } else if (!isOk) {
      this.#warmupNotOk += 1;
    }
    if (body !== undefined) this.#options.onBody?.({ n, status, body });
    if (closes) lane.socket.destroy();
  }

  /** Replaces a connection that had answers. One without an answer is not replaced, so a dead server ends the run. */
  #closed(lane: Lane): void {
    this.#lanes.delete(lane);
    if (this.#end === undefined) return;
    if (lane.underWay !== -1) {
      if (lane.isMeasured) this.#lost += 1;
      else this.#warmupNotOk += 1;
    }
    if (lane.isOver || lane.answers === 0) {
      this.#endWhenEmpty();
      return;
    }
    this.#open().then(
      (next) => this.#startReplacement(next),
      () => this.#endWhenEmpty(),
    );
  }

  #startReplacement(lane: Lane): void {
    try {
      this.#sendNext(lane, performance.now());
    } catch (error) {
      this.#fail(error);
    }
  }

  #endWhenEmpty(): void {
    if (this.#lanes.size === 0) this.#end?.resolve();
  }

  #fail(error: unknown): void {
    const end = this.#end;
    this.#end = undefined;
    end?.reject(error);
  }

  #result(): LoadResult {
    const latencies = this.#latencies;
    const untilMs = this.#lastAnswerMs === 0 ? performance.now() : this.#lastAnswerMs;
    const seconds = Math.max(0, untilMs - this.#measureFromMs) / 1000;
    const ok = latencies.count();
    return {
      sent: this.#sent,
      ok,
      byStatus: Object.fromEntries(this.#byStatus),
      lost: this.#lost,
      warmupNotOk: this.#warmupNotOk,
      perSecond: seconds === 0 ? 0 : ok / seconds,
      p50Ms: latencies.quantileMs(0.5),
      p90Ms: latencies.quantileMs(0.9),
      p99Ms: latencies.quantileMs(0.99),
      maxMs: latencies.maxMs(),
      seconds,
      measuredFrom: performance.timeOrigin + this.#measureFromMs,
    };
  }
}

function checkOptions(options: LoadOptions): void {
  const { host, port, connections, durationMs, count, warmupMs, idleLimitMs } = options;
  if (!LOOPBACK.has(host))
    throw new Error(`${host} is not this machine; set host to a loopback address`);
  checkWhole("port", port, 65_535);
  checkWhole("connections", connections, MOST_CONNECTIONS);
  if ((durationMs === undefined) === (count === undefined)) {
    throw new Error("either durationMs or count must be given, and not both");
  }
  checkWhole("durationMs", durationMs ?? 1, LONGEST_MS);
  checkWhole("count", count ?? 1, MOST_REQUESTS);
  checkWhole("warmupMs", (warmupMs ?? 0) + 1, LONGEST_MS);
  checkWhole("idleLimitMs", idleLimitMs ?? 1, LONGEST_MS);
}

function checkWhole(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new Error(`${name} must be a whole number from 1 to ${most}`);
  }
}
