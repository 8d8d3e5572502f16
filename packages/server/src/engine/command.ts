/** The interface of commands: what the engine offers to the domain while a command decides. */

import type { Posting } from "../ledger/postings.ts";
import type { JsonObject } from "../std/json.ts";
import type { AnyRef, Children, Ref, Table, TableRow } from "../tables/tables.ts";
import type { RowChange } from "./audit-entries.ts";
import type { BodyMarks } from "./body-marks.ts";
import type { Port } from "./port.ts";
import type { Refusal } from "./refusal.ts";

export interface Command<Input, Output> {
  readonly name: string;
  /** An audited command with this mark has an entry even when it changes nothing. */
  readonly isNoted?: true;
  /** The command handles hundreds of rows. A batch has one such command at most, so that the others do not wait for several. */
  readonly isLarge?: true;
  /** The rows to load. Called again as rows arrive, until it names no new ones. */
  needs(world: Loaded, input: Input): readonly AnyRef[];
  /** Pure and synchronous. Changes the world only through `world`; a thrown Refusal undoes this command alone. */
  decide(world: World, input: Input): Output;
}

export interface Loaded {
  readonly platformId: string;
  /** The row, or undefined when it does not exist or has not arrived yet. */
  find<Row extends TableRow>(ref: Ref<Row>): Row | undefined;
  /** The functions that the deployment provides for this port. */
  port<Functions extends object>(port: Port<Functions>): Functions;
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
  /** Emits an event to the platform. Its bytes are rendered now and never again. */
  emit(type: string, subject: Subject): void;
  schedule(job: NewJob): string;
  cancel(jobId: string): void;
  /** Claims a name that is unique across the deployment, such as a token's client id. */
  claimHandle(handle: string): void;
  /** Claims a domain of a namespace. The database refuses it when another platform has it, or one above or below it. */
  claimDomain(name: DomainName): void;
  /** Releases a domain of this platform; a domain that it does not have is ignored. */
  releaseDomain(name: DomainName): void;
  /** Advances this platform's clock, and with it all due times; answers the new time. */
  advanceClock(seconds: number): number;
  /** Runs a part of a command as the actor who asked for it earlier; the log keeps the actor of the command. */
  onBehalfOf<Outcome>(actor: Actor, part: () => Outcome): Outcome;
  /** Runs a part of a command in a savepoint; a refusal rolls that part back and becomes the answer. */
  attempt<Outcome>(part: () => Outcome): Outcome | Refusal;
  /**
   * Runs a part of a command and undoes it; its refusal is thrown. Shows the outcome of a command without its effects. `soFar` tells the
   * part what it has changed until then.
   */
  rehearse<Outcome>(part: (soFar: () => Rehearsed) => Outcome): Outcome;
}

/** What a rehearsed part has changed. */
export interface Rehearsed {
  /** The rows that were put, in order; a row that was put twice is there twice. */
  readonly rows: readonly RowChange[];
  /** The types of the events, in order. */
  readonly events: readonly string[];
}

/** A domain of at least two labels, and the namespace in which it is unique. */
export interface DomainName {
  readonly namespace: string;
  readonly domain: string;
}

export interface Actor {
  readonly kind: "token" | "agent" | "link" | "worker" | "operator" | "person";
  readonly id: string;
  /** The ids that count as the actor: those of the person, or of the people who made the token or the agent. */
  readonly people?: readonly string[];
  /** The person who acts, or the person at the beginning of the acting token's chain of creators. */
  readonly personId?: string | null;
}

/** The circumstances of a call that its audit entry records. */
export interface ActNote {
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string;
  /** The session of a person; null for any other caller. */
  readonly sessionId: string | null;
  /** The person's name at the time; a token's name is read with the entry. */
  readonly actorName: string | null;
  /** The wire id of the object that the path names. */
  readonly target: string | null;
  readonly reason: string | null;
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

/** A job leased to one process. Both times are platform time as of the claim. */
export interface ClaimedJob<Payload = JsonObject> extends Job<Payload> {
  /** The number of attempts, including the current one. */
  readonly attempts: number;
  readonly platformTime: number;
  readonly leasedUntil: number;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** False for an intermediate answer, such as a challenge: it is not stored under the idempotency key. */
  readonly isFinal?: boolean | undefined;
}

export interface Answered extends Answer {
  /** Whether this is the stored answer of the idempotency key. */
  readonly replayed: boolean;
}

export interface Idempotency {
  readonly scope: string;
  readonly key: string;
  readonly bodyDigest: Buffer;
  /** With them, the refusal of a key that was used with another body names a field that differs. */
  readonly marks?: BodyMarks;
  /** False when refusals are not stored, so that a retry under the same key decides again. */
  readonly keepsRefusals?: boolean;
}

/** The body digest for keys that determine the content of the command, so that no two bodies need to be compared. */
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
  /** A worker waits for it on behalf of a caller: it joins the queue of the workers. */
  readonly isBackground?: boolean | undefined;
  /** With it, the command is audited. Commands of the operator are audited without it. */
  readonly act?: ActNote | undefined;
}
