/**
 * Many prepared statements in one round trip, on a stock `pg` connection.
 *
 * All messages of a pipeline (Parse where the statement is new to this connection, Bind, Execute, and one Sync at the end)
 * are written as one buffer; the server works through them and answers once. An error in one statement makes the server
 * skip the rest up to the Sync, so a pipeline that ends in `commit` either commits whole or not at all.
 *
 * Plans are kept, and those that were made while the tables were small would scan them for ever: they are dropped as the
 * connection is used, often at first and then rarely.
 *
 * A pipeline goes out when it is asked for, behind those that are still being worked on: the server finds it waiting when
 * it is done with them. Its buffer is used again once the server has answered it, and so has read all of it.
 *
 * A statement's name is remembered per connection once it was parsed. After any error that memory may be wrong (the
 * server skipped messages), so the caller must then `reset`.
 */
import type { Duplex } from "node:stream";
import type { Client, Submittable } from "pg";
import { Bug } from "../std/assert.ts";
import { ByteWriter } from "./byte-writer.ts";

/** A statement of fixed text; `name` identifies the text on every connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Step {
  readonly statement: Statement;
  /** Writes each parameter with its length in front, in binary form. */
  readonly parameters: readonly ((writer: ByteWriter) => void)[];
  /** For `copy … from stdin (format binary)`: writes the rows that follow the statement. */
  readonly copied?: (writer: ByteWriter) => void;
}

export interface StepResult {
  readonly rows: readonly (readonly (string | null)[])[];
  /** Rows touched, from the command tag; 0 for statements that count nothing. */
  readonly count: number;
  readonly tag: string;
}

/** A connection that runs pipelines. Not to be shared: one caller at a time. */
export interface PipelineConnection {
  run(steps: readonly Step[]): Promise<readonly StepResult[]>;
  /** Ends an open transaction and drops every prepared statement, ours and the server's. Call after any error. */
  reset(): Promise<void>;
}

export function pipelineOn(client: Client): PipelineConnection {
  /** Texts by name. */
  const parsed = new Map<string, string>();
  const line = new Line();
  const stream = streamOf(client);
  let writers: ByteWriter[] = [];
  let runs = 0;
  /** What waits in the line and is not on its way to the server yet: nothing may overtake it. */
  let unsent = 0;

  function simple(text: string): Promise<void> {
    unsent++;
    return new Promise((resolve, reject) => {
      line.join((next) => {
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
        line.join((next) => {
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
      // A write that was cut short may still hold the old bytes.
      writers = [];
      await simple("rollback");
      await simple("deallocate all");
    },
  };
}

/** The socket of a connection. */
export function streamOf(client: Client): Duplex {
  return (client as unknown as { readonly connection: { readonly stream: Duplex } }).connection
    .stream;
}

/** One after the other: the next begins in the very turn in which the one before it was answered. */
class Line {
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

/** All messages of a pipeline, from the first Parse to the Sync. */
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
  /** Called when the answers begin to be this pipeline's. */
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
 * The server is not asked whether it has begun to copy: what it reads next is the data, and when it skips the statement
 * after an error, it skips the data as well.
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
