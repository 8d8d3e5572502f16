/**
 * Load clients that record a history of their calls. Each client sends payments in sequence, each under its own idempotency
 * key, and retries with the same key on the next server until it has an answer. The key is also the payment's reference, so
 * that the history can be compared with the stored payments.
 */
import { Agent, request } from "node:http";
import { pause, systemClock } from "../../src/std/clock.ts";
import { AUTHORIZATION } from "./server-process.ts";

export interface Reachable {
  readonly baseUrl: string;
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly key?: string;
  readonly limitMs?: number;
  readonly agent?: Agent;
  readonly authorization?: string;
}

const TRY_LIMIT_MS = 10_000;

/** Sends a request. Rejects when the connection ends or times out before the answer. */
export function send({ baseUrl }: Reachable, call: Call): Promise<Reply> {
  const body = call.body === undefined ? undefined : JSON.stringify(call.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${baseUrl}${call.path}`,
      {
        method: call.method,
        ...(call.agent === undefined ? {} : { agent: call.agent }),
        headers: {
          authorization: call.authorization ?? AUTHORIZATION,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(call.key === undefined ? {} : { "idempotency-key": call.key }),
        },
        signal: AbortSignal.timeout(call.limitMs ?? TRY_LIMIT_MS),
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("error", reject);
        incoming.on("aborted", () => reject(new Error("the answer was cut off")));
        incoming.on("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            text: Buffer.concat(chunks).toString("utf8"),
            retryAfter: incoming.headers["retry-after"],
          }),
        );
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

export interface Operation {
  readonly key: string;
  readonly status: number;
  readonly text: string;
  /** Start of the first attempt. */
  readonly startedAt: number;
  /** Start of the answered attempt. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly tries: number;
}

export interface History {
  readonly operations: readonly Operation[];
  /** Attempts without an answer, or with 503. */
  readonly unknownTries: number;
  /** Payments that were abandoned without an answer; only clients without keys abandon them. */
  readonly abandoned: readonly string[];
  /** The longest time to a 503. */
  readonly slowestRefusalMs: number;
}

export interface Load {
  readonly history: History;
  /** Resolves after this many more answered payments. */
  more(count: number): Promise<void>;
  /** Time from `since` to the first success of a payment that was sent after `since`. */
  recoveredSince(since: number): Promise<number>;
  /** Sends no new payments; resolves when all payments in flight are answered. */
  stop(): Promise<History>;
}

export interface LoadOptions {
  readonly servers: readonly Reachable[];
  readonly clients: number;
  readonly payment: (reference: string) => unknown;
  /** The call that takes the payment; `/transfer-out` unless set. */
  readonly path?: string;
  /** Clients without keys do not retry. */
  readonly hasKeys?: boolean;
  readonly tryLimitMs?: number;
}

const RETRY_MS = 25;
const RECOVERY_LIMIT_MS = 30_000;
let loads = 0;

export function startLoad(options: LoadOptions): Load {
  return new Clients(options);
}

class Clients implements Load {
  readonly #options: LoadOptions;
  readonly #agent: Agent;
  readonly #name = `load${++loads}`;
  readonly #operations: Operation[] = [];
  readonly #abandoned: string[] = [];
  readonly #ended: Promise<unknown>;
  #watchers: (() => boolean)[] = [];
  #unknownTries = 0;
  #slowestRefusalMs = 0;
  #isStopping = false;

  constructor(options: LoadOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.clients });
    this.#ended = Promise.all(
      Array.from({ length: options.clients }, (_, client) => this.#client(client)),
    );
    this.#ended.catch(() => undefined);
  }

  get history(): History {
    return {
      operations: this.#operations,
      unknownTries: this.#unknownTries,
      abandoned: this.#abandoned,
      slowestRefusalMs: this.#slowestRefusalMs,
    };
  }

  more(count: number): Promise<void> {
    const wanted = this.#operations.length + count;
    return this.#until(`${count} more answers`, () => this.#operations.length >= wanted);
  }

  async recoveredSince(since: number): Promise<number> {
    const isAfter = ({ sentAt, status }: Operation) => sentAt >= since && status === 201;
    let found: Operation | undefined;
    await this.#until("a payment after the fault", () => {
      found = this.#operations.find(isAfter);
      return found !== undefined;
    });
    return (found?.answeredAt ?? Number.POSITIVE_INFINITY) - since;
  }

  async stop(): Promise<History> {
    this.#isStopping = true;
    await this.#ended;
    this.#agent.destroy();
    return this.history;
  }

  #until(what: string, isSo: () => boolean): Promise<void> {
    if (isSo()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const cancel = systemClock.after(RECOVERY_LIMIT_MS, () =>
        reject(new Error(`within ${RECOVERY_LIMIT_MS} ms, not: ${what}`)),
      );
      this.#watchers.push(() => {
        if (!isSo()) return false;
        cancel();
        resolve();
        return true;
      });
    });
  }

  async #client(client: number): Promise<void> {
    for (let count = 0; !this.#isStopping; count++) {
      await this.#pay(client, `${this.#name}-${client}-${count}`);
      this.#watchers = this.#watchers.filter((isOver) => !isOver());
    }
  }

  async #pay(client: number, key: string): Promise<void> {
    const { servers, payment, path = "/transfer-out" } = this.#options;
    const { hasKeys = true, tryLimitMs = TRY_LIMIT_MS } = this.#options;
    const body = payment(key);
    const startedAt = systemClock.now();
    for (let tries = 1; ; tries++) {
      const server = servers[(client + tries) % servers.length];
      if (server === undefined) throw new Error("there is no server to ask");
      const sentAt = systemClock.now();
      const reply = await send(server, {
        method: "POST",
        path,
        body,
        agent: this.#agent,
        limitMs: tryLimitMs,
        ...(hasKeys ? { key } : {}),
      }).catch(() => undefined);
      const answeredAt = systemClock.now();
      if (reply !== undefined && reply.status !== 503) {
        const { status, text } = reply;
        this.#operations.push({ key, status, text, startedAt, sentAt, answeredAt, tries });
        return;
      }
      this.#unknownTries++;
      if (reply !== undefined) {
        this.#slowestRefusalMs = Math.max(this.#slowestRefusalMs, answeredAt - sentAt);
      }
      await pause(systemClock, RETRY_MS);
      if (hasKeys) continue;
      this.#abandoned.push(key);
      return;
    }
  }
}
