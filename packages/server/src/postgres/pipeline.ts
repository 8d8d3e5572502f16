/**
 * Pipelining: many prepared statements in one round trip, on a stock `pg` connection.
 *
 * All messages of a pipeline (Parse for a statement that is new on this connection, Bind, Execute, one Sync at the end) are
 * written as one buffer. An error in one statement makes the server skip the rest up to the Sync, so a pipeline that ends in
 * `commit` commits whole or not at all.
 *
 * A pipeline is sent at once, also while the server still works on earlier ones. Its buffer is reused after the server has
 * answered, because then the server has read it.
 *
 * Prepared statements keep their plans. Plans that were made on small tables would be wrong for large ones, so all plans are
 * discarded at a growing interval (`isTimeToReplan`).
 *
 * `parsed` holds the statements that this connection has parsed. After an error it may be wrong, because the server skipped
 * messages; the caller must then call `reset`.
 */
import type { Duplex } from "node:stream";
import type { Client, Submittable } from "pg";
import { Bug } from "../std/assert.ts";
import { ByteWriter } from "./byte-writer.ts";

/** A statement of fixed text. `name` is the name of the prepared statement; an empty name means unprepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Step {
  readonly statement: Statement;
  /** Each writes one parameter in binary form, preceded by its length. */
  readonly parameters: readonly ((writer: ByteWriter) => void)[];
  /** For `copy … from stdin (format binary)`: writes the rows that follow the statement. */
  readonly copied?: (writer: ByteWriter) => void;
}

export interface StepResult {
  readonly rows: readonly (readonly (string | null)[])[];
  /** The number of affected rows in the command tag; 0 for tags without a number. */
  readonly count: number;
  readonly tag: string;
}

/** A connection that runs pipelines. It has one owner. */
export interface PipelineConnection {
  run(steps: readonly Step[]): Promise<readonly StepResult[]>;
  /** Rolls back an open transaction and drops all prepared statements. Call after any error. */
  reset(): Promise<void>;
}

export function pipelineOn(client: Client): PipelineConnection {
  const parsed = new Map<string, string>();
  const queue = new SerialQueue();
  const stream = streamOf(client);
  let writers: ByteWriter[] = [];
  let runs = 0;
  /** Queued requests that were not sent yet. While there are some, a new pipeline is not sent ahead of them. */
  let unsent = 0;

  function simple(text: string): Promise<void> {
    unsent++;
    return new Promise((resolve, reject) => {
      queue.join((next) => {
        client
          .query(text)
          .then(() => resolve(), reject)
          .finally(() => {
            unsent--;
            next();
          });
      });
    });
  }

  function send(bytes: Buffer): void {
    stream.write(bytes);
  }

  return {
    run(steps) {
      if (steps.length === 0) return Promise.resolve([]);
      const extra = isTimeToReplan(++runs) ? [discardPlans] : [];
      const all = [...extra, ...steps];
      const writer = writers.pop() ?? new ByteWriter();
      writePipeline(writer, { steps: all, parsed });
      const bytes = writer.written();
      const isAhead = unsent === 0;
      if (isAhead) send(bytes);
      else unsent++;
      return new Promise((resolve, reject) => {
        queue.join((next) => {
          const submit = () => {
            if (isAhead) return;
            unsent--;
            send(bytes);
          };
          const ended = (results: readonly StepResult[]) => {
            writers.push(writer);
            next();
            resolve(results.slice(extra.length));
          };
          const failed = (error: Error) => {
            next();
            reject(error);
          };
          const stepCount = all.length;
          client.query(new Pipeline({ submit, stepCount, resolve: ended, reject: failed }));
        });
      });
    },
    async reset() {
      parsed.clear();
      // The socket may still hold references to these buffers.
      writers = [];
      await simple("rollback");
      await simple("deallocate all");
    },
  };
}

export function streamOf(client: Client): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection
    .stream;
}

/** Runs requests one at a time. The next one starts synchronously when its predecessor was answered. */
class SerialQueue {
  readonly #waiting: ((next: () => void) => void)[] = [];
  #isBusy = false;

  join(begin: (next: () => void) => void): void {
    this.#waiting.push(begin);
    if (!this.#isBusy) this.#next();
  }

  #next(): void {
    const begin = this.#waiting.shift();
    this.#isBusy = begin !== undefined;
    begin?.(() => this.#next());
  }
}

const discardPlans: Step = {
  statement: { name: "discard-plans", text: "discard plans" },
  parameters: [],
};

const PLANS_KEPT_FOR = 8_192;

/** At 1, 2, 4, 8 … runs, then at every 8192nd. */
function isTimeToReplan(count: number): boolean {
  return count >= PLANS_KEPT_FOR ? count % PLANS_KEPT_FOR === 0 : (count & (count - 1)) === 0;
}

function writePipeline(
  writer: ByteWriter,
  { steps, parsed }: { readonly steps: readonly Step[]; readonly parsed: Map<string, string> },
): void {
  writer.clear();
  for (const step of steps) {
    const { name, text } = step.statement;
    const known = parsed.get(name);
    if (known === undefined) {
      writeParse(writer, step.statement);
      parsed.set(name, text);
    } else if (known !== text) throw new Bug(`two statements are called ${name}`);
    writeBindAndExecute(writer, step);
    if (step.copied !== undefined) writeCopied(writer, step.copied);
  }
  writer.uint8(SYNC);
  writer.int32(4);
}

interface PipelineOptions {
  /** Called when the next answers of the server belong to this pipeline. */
  readonly submit: () => void;
  readonly stepCount: number;
  readonly resolve: (results: readonly StepResult[]) => void;
  readonly reject: (error: Error) => void;
}

interface DataRowMessage {
  readonly fields: (string | null)[];
}

interface CommandCompleteMessage {
  readonly text: string;
}

class Pipeline implements Submittable {
  readonly #options: PipelineOptions;
  readonly #results: StepResult[] = [];
  #rows: (string | null)[][] = [];
  #failed = false;

  constructor(options: PipelineOptions) {
    this.#options = options;
  }

  submit(): void {
    this.#options.submit();
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}

  handleDataRow(message: DataRowMessage): void {
    this.#rows.push(message.fields);
  }

  handleCommandComplete(message: CommandCompleteMessage): void {
    const tag = message.text;
    const count = Number(tag.slice(tag.lastIndexOf(" ") + 1));
    this.#results.push({ rows: this.#rows, count: Number.isNaN(count) ? 0 : count, tag });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    if (this.#failed) return;
    if (this.#results.length !== this.#options.stepCount) {
      this.#options.reject(new Bug("a pipeline got fewer answers than it has statements"));
      return;
    }
    this.#options.resolve(this.#results);
  }

  handleError(error: Error): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#options.reject(error);
  }
}

const PARSE = 0x50;
const BIND = 0x42;
const EXECUTE = 0x45;
const COPY_DATA = 0x64;
const COPY_DONE = 0x63;
const SYNC = 0x53;

function writeParse(writer: ByteWriter, statement: Statement): void {
  writer.uint8(PARSE);
  const at = writer.openLength();
  writer.zeroTerminated(statement.name);
  writer.zeroTerminated(statement.text);
  writer.int16(0);
  writer.closeLength(at, "with-itself");
}

function writeBindAndExecute(writer: ByteWriter, step: Step): void {
  writer.uint8(BIND);
  const bindAt = writer.openLength();
  writer.uint8(0);
  writer.zeroTerminated(step.statement.name);
  writer.int16(1);
  writer.int16(1);
  writer.int16(step.parameters.length);
  for (const write of step.parameters) write(writer);
  writer.int16(0);
  writer.closeLength(bindAt, "with-itself");
  writer.uint8(EXECUTE);
  writer.int32(9);
  writer.uint8(0);
  writer.int32(0);
}

const COPY_SIGNATURE = Buffer.from("PGCOPY\n\xff\r\n\0", "latin1");

/**
 * Sends the data without waiting for CopyInResponse: the server reads it next, and when it skips the statement after an
 * error, it skips the data as well.
 */
function writeCopied(writer: ByteWriter, writeRows: (writer: ByteWriter) => void): void {
  writer.uint8(COPY_DATA);
  const at = writer.openLength();
  writer.raw(COPY_SIGNATURE);
  writer.int32(0);
  writer.int32(0);
  writeRows(writer);
  writer.int16(-1);
  writer.closeLength(at, "with-itself");
  writer.uint8(COPY_DONE);
  writer.int32(4);
}
