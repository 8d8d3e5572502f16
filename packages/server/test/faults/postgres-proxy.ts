/**
 * A proxy to PostgreSQL that injects faults. It parses the frames of the protocol, forwards replies message by message, and
 * identifies a connection by its application name.
 *
 *   open       forwards everything
 *   refusing   closes existing and new connections
 *   deaf       forwards replies and holds requests
 *   stalled    holds both directions; held data is forwarded after `open`, or never after `lose`
 *
 * It can also drop the reply to a COMMIT (PostgreSQL has committed and the server cannot know), and delay a commit: it closes
 * the server's connection first and forwards the last request at the worst moment, after the server has looked the commit up
 * and before it gets the result.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";

export interface PostgresProxy {
  /** The database URL through the proxy. */
  readonly url: string;
  readonly droppedReplies: () => number;
  /** Drops replies to COMMIT on the engine's connections when `isDropped` is true. */
  dropCommitReplies(isDropped: (commit: SeenCommit) => boolean): void;
  /**
   * Delays the engine's next payment that is sent as one pipeline; resolves when it has arrived or cannot arrive any more.
   * `onlyAlone`: only a payment that is sent while no other reply is outstanding. A payment behind another one may arrive while
   * the server looks for the other one.
   */
  makeNextCommitLate(options: { readonly onlyAlone: boolean }): Promise<void>;
  refuse(): void;
  /** Forwards replies and holds requests: PostgreSQL finishes its work and gets no more. */
  deafen(): void;
  stall(): void;
  /** Like `stall`, but existing connections never resume, and their ends are not forwarded. */
  lose(): void;
  open(): void;
  close(): Promise<void>;
}

export interface SeenCommit {
  /** The transaction was sent as one pipeline and inserts a payment. */
  readonly isPayment: boolean;
}

export interface ProxyTarget {
  /** The directory of PostgreSQL's socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

type Mode = "open" | "refusing" | "deaf" | "stalled";

interface Way {
  readonly near: Socket;
  readonly far: Socket;
  application: string;
  /** The incomplete last message from PostgreSQL. */
  partial: Buffer;
  /** The incomplete last message to PostgreSQL. */
  partialRequest: Buffer;
  /** Outstanding requests; the start-up message is the first one. */
  unanswered: number;
  readonly keptForNear: Buffer[];
  readonly keptForFar: Buffer[];
  isHeld: boolean;
  isLooking: boolean;
  isMute: boolean;
  /** The last COMMIT that was sent. */
  commit: SeenCommit;
}

interface Held {
  readonly way: Way;
  readonly request: Buffer;
}

const ENGINE = "florin engine";
const COMMAND_COMPLETE = 0x43;
/** Messages that are answered with ReadyForQuery. */
const SYNC = 0x53;
const SIMPLE_QUERY = 0x51;
const READY_FOR_QUERY = 0x5a;
const COMMIT_TAG = Buffer.from("COMMIT\0");
/** Bind messages contain an empty portal name, then the statement name. */
const BEGIN = Buffer.from("\0begin\0");
const NEW_PAYMENT = Buffer.from("\0transactions/copy\0");
const COMMIT = Buffer.from("\0commit\0");
const LOOK = Buffer.from("\0command_log/find\0");

export async function startPostgresProxy(target: ProxyTarget): Promise<PostgresProxy> {
  const proxy = new DisturbedWay(target);
  await proxy.listen();
  return proxy;
}

class DisturbedWay implements PostgresProxy {
  readonly #target: ProxyTarget;
  readonly #server: Server;
  readonly #ways = new Set<Way>();
  #mode: Mode = "open";
  #droppedReplies = 0;
  #isDropped: (commit: SeenCommit) => boolean = () => false;
  #isLosing = false;
  #toHold: { readonly onlyAlone: boolean } | undefined;
  #held: Held | undefined;
  #lateArrived: (() => void) | undefined;

  constructor(target: ProxyTarget) {
    this.#target = target;
    this.#server = createServer((near) => this.#accept(near));
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    const { user, database } = this.#target;
    return `postgres://${user}@127.0.0.1:${port}/${database}`;
  }

  readonly droppedReplies = (): number => this.#droppedReplies;

  dropCommitReplies(isDropped: (commit: SeenCommit) => boolean): void {
    this.#isDropped = isDropped;
  }

  makeNextCommitLate(options: { readonly onlyAlone: boolean }): Promise<void> {
    this.#toHold = options;
    return new Promise((resolve) => {
      this.#lateArrived = resolve;
    });
  }

  refuse(): void {
    this.#mode = "refusing";
    for (const way of this.#ways) this.#end(way);
  }

  deafen(): void {
    this.#mode = "deaf";
  }

  stall(): void {
    this.#mode = "stalled";
  }

  lose(): void {
    this.#mode = "stalled";
    this.#isLosing = true;
    for (const way of this.#ways) way.isMute = true;
  }

  open(): void {
    this.#mode = "open";
    this.#isLosing = false;
    for (const way of this.#ways) {
      if (way.isMute) continue;
      for (const bytes of way.keptForFar.splice(0)) way.far.write(bytes);
      for (const bytes of way.keptForNear.splice(0)) this.#passReply(way, bytes);
    }
  }

  async close(): Promise<void> {
    this.refuse();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(near: Socket): void {
    near.on("error", () => near.destroy());
    if (this.#mode === "refusing") {
      near.destroy();
      return;
    }
    near.setNoDelay(true);
    const far = connect(join(this.#target.host, `.s.PGSQL.${this.#target.port}`));
    const way: Way = {
      near,
      far,
      application: "",
      partial: Buffer.alloc(0),
      partialRequest: Buffer.alloc(0),
      unanswered: 1,
      keptForNear: [],
      keptForFar: [],
      isHeld: false,
      isLooking: false,
      isMute: this.#isLosing,
      commit: { isPayment: false },
    };
    this.#ways.add(way);
    far.on("error", () => this.#end(way));
    far.on("close", () => this.#end(way));
    near.on("close", () => {
      if (!way.isHeld) this.#end(way);
    });
    near.on("data", (bytes: Buffer) => this.#passRequest(way, bytes));
    far.on("data", (bytes: Buffer) => {
      if (this.#mode === "stalled" || way.isMute) way.keptForNear.push(bytes);
      else this.#passReply(way, bytes);
    });
  }

  #end(way: Way): void {
    this.#ways.delete(way);
    way.near.destroy();
    way.far.destroy();
  }

  #passRequest(way: Way, bytes: Buffer): void {
    if (way.application === "") way.application = applicationIn(bytes);
    else countRequests(way, bytes);
    const isOfEngine = way.application === ENGINE;
    const isPaying = [BEGIN, NEW_PAYMENT, COMMIT].every((statement) => bytes.includes(statement));
    if (bytes.includes(COMMIT)) way.commit = { isPayment: isPaying };
    const isToHold = this.#toHold?.onlyAlone ? way.unanswered === 1 : this.#toHold !== undefined;
    if (isToHold && isOfEngine && isPaying) {
      this.#toHold = undefined;
      this.#held = { way, request: bytes };
      way.isHeld = true;
      way.near.destroy();
      return;
    }
    if (this.#held !== undefined && isOfEngine && bytes.includes(LOOK)) way.isLooking = true;
    const isKept = this.#mode === "stalled" || this.#mode === "deaf" || way.isMute;
    if (isKept) way.keptForFar.push(bytes);
    else way.far.write(bytes);
  }

  /** Forwards complete messages; stops forwarding at a COMMIT reply that is dropped. */
  #passReply(way: Way, bytes: Buffer): void {
    const all = way.partial.length === 0 ? bytes : Buffer.concat([way.partial, bytes]);
    let at = 0;
    for (const message of messagesIn(all)) {
      if (way.application === ENGINE && isCommitReply(message) && this.#isDropped(way.commit)) {
        this.#droppedReplies++;
        way.near.write(all.subarray(0, at), () => this.#end(way));
        way.far.removeAllListeners("data");
        return;
      }
      if (message[0] === READY_FOR_QUERY) way.unanswered--;
      at += message.length;
    }
    way.partial = Buffer.from(all.subarray(at));
    const whole = all.subarray(0, at);
    if (way.isLooking && endsInReady(whole)) {
      way.isLooking = false;
      void this.#letArrive().then(() => way.near.write(whole));
    } else if (at > 0) {
      way.near.write(whole);
    }
  }

  async #letArrive(): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) await deliver(held);
    this.#lateArrived?.();
  }
}

/** The start-up message has zero-terminated names and values. */
function applicationIn(startup: Buffer): string {
  const words = startup.toString("latin1").split("\0");
  return words[words.indexOf("application_name") + 1] ?? "?";
}

function countRequests(way: Way, bytes: Buffer): void {
  const all = Buffer.concat([way.partialRequest, bytes]);
  let at = 0;
  for (const message of messagesIn(all)) {
    if (message[0] === SYNC || message[0] === SIMPLE_QUERY) way.unanswered++;
    at += message.length;
  }
  way.partialRequest = Buffer.from(all.subarray(at));
}

function* messagesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) return;
    yield bytes.subarray(at, end);
    at = end;
  }
}

function isCommitReply(message: Buffer): boolean {
  return message[0] === COMMAND_COMPLETE && message.subarray(5).equals(COMMIT_TAG);
}

function endsInReady(whole: Buffer): boolean {
  return whole.at(-6) === READY_FOR_QUERY;
}

/** Forwards a held request and waits for the end of its answer, or of the connection. */
function deliver({ way, request }: Held): Promise<void> {
  return new Promise((resolve) => {
    way.far.removeAllListeners("data");
    way.far.on("close", () => resolve());
    way.far.on("data", (bytes: Buffer) => {
      if (!endsInReady(bytes)) return;
      resolve();
      way.far.destroy();
    });
    if (way.far.destroyed) resolve();
    else way.far.write(request);
  });
}
