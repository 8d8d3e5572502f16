/** What a command is and what it may do. The engine runs commands; the domain writes them. */
import type { Posting } from "../ledger/postings.ts";
import type { JsonObject } from "../std/json.ts";
import type { AnyRef, Children, Ref, Table, TableRow } from "../tables/tables.ts";
import type { Refusal } from "./refusal.ts";

export interface Command<Input, Output> {
  readonly name: string;
  /** The rows to load. Asked again as rows arrive, until it wants nothing new. */
  needs(world: Loaded, input: Input): readonly AnyRef[];
  /** Pure and synchronous. Changes the world only through `world`; a thrown Refusal undoes this command alone. */
  decide(world: World, input: Input): Output;
}

/** What was loaded so far. */
export interface Loaded {
  readonly platformId: string;
  /** The row, or undefined when it does not exist or has not arrived yet. */
  find<Row extends TableRow>(ref: Ref<Row>): Row | undefined;
  /** The rows, or none when they have not arrived yet. */
  all<Row extends TableRow>(children: Children<Row>): readonly Row[];
}

export interface World extends Loaded {
  /** This platform's time in milliseconds, the same for every command of a batch. */
  readonly at: number;
  readonly actor: Actor;
  /** How many events this platform has emitted so far. */
  readonly eventSeq: bigint;
  /** The row, which must exist. */
  get<Row extends TableRow>(ref: Ref<Row>): Row;
  newId(): string;
  /** Inserts a row, or replaces the one of this id. */
  put<Row extends TableRow>(table: Table<Row>, row: Row): Row;
  /** One balanced posting. Refuses with INSUFFICIENT_BALANCE when a guarded account would go below zero. */
  post(posting: Posting): void;
  /** Tells the platform. The event's bytes are made now and never again. */
  emit(type: string, subject: Subject): void;
  schedule(job: NewJob): string;
  cancel(jobId: string): void;
  /** Claims a name that is unique across the deployment, such as a token's client id. */
  claimHandle(handle: string): void;
  /** Claims a domain of a namespace. The database refuses it when another platform has it, or one above or below it. */
  claimDomain(name: DomainName): void;
  /** Gives a domain back that this platform has. Nothing happens when it has not. */
  releaseDomain(name: DomainName): void;
  /** Moves this platform's clock, and with it everything that is due. Tells what it says then. */
  advanceClock(seconds: number): number;
  /** Runs a part of a command whose refusal is not the command's own: what it had changed is taken back. */
  attempt<Outcome>(part: () => Outcome): Outcome | Refusal;
}

/** A domain of at least two labels, and the namespace in which it is unique. */
export interface DomainName {
  readonly namespace: string;
  readonly domain: string;
}

/** Who asks: shown in the command log. */
export interface Actor {
  readonly kind: "token" | "agent" | "link" | "worker" | "operator";
  readonly id: string;
}

/** What an event is about; the deployment's renderer turns it into the bytes that the matching GET would give. */
export interface Subject {
  readonly kind: string;
  /** Wire id of the resource: deliveries keep order per resource. */
  readonly id: string;
}

export interface NewJob {
  readonly kind: string;
  readonly payload: JsonObject;
  /** Platform time. */
  readonly dueAt: number;
}

export interface Job<Payload = JsonObject> {
  readonly platformId: string;
  readonly id: string;
  readonly kind: string;
  readonly payload: Payload;
}

/** A job that one process may run until its lease ends. Both times are the platform's, as its clock stood at the claim. */
export interface ClaimedJob<Payload = JsonObject> extends Job<Payload> {
  /** This one included. */
  readonly attempts: number;
  readonly platformTime: number;
  readonly leasedUntil: number;
}

/** The exact bytes of an answer. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** False for an answer on the way to the real one: an idempotency key does not keep it. */
  readonly isFinal?: boolean | undefined;
}

export interface Answered extends Answer {
  /** Whether this answer was given before, to the same idempotency key. */
  readonly replayed: boolean;
}

export interface Idempotency {
  readonly scope: string;
  readonly key: string;
  readonly bodyDigest: Buffer;
  /** False where only what was done is kept: after a refusal the same key may try again. */
  readonly keepsRefusals?: boolean;
}

/** The digest where the key itself stands for the content. */
export const SAME_BODY = Buffer.alloc(32);

export interface Submission<Input, Output> {
  readonly platformId: string;
  readonly command: Command<Input, Output>;
  readonly input: Input;
  readonly actor: Actor;
  readonly toAnswer: (output: Output) => Answer;
  readonly idempotency?: Idempotency | undefined;
  /** The answer carries a secret: it is stored sealed. */
  readonly secret?: boolean | undefined;
  /** In somebody's name, but it is a worker of ours that waits for it: it stands in the workers' line. */
  readonly isBackground?: boolean | undefined;
}
