/**
 * The connection on which deliveries are recorded. The steps of each call are one transaction; calls that wait while a round
 * trip is under way share the next one.
 *
 * After an error the connection is replaced. When the database refused a statement, the transactions of that round trip run
 * again one by one, so that one of them cannot fail the others; every step here may therefore run twice. When the
 * connection was lost, the callers get an error and retry.
 */
import { begin, commit } from "../engine/records.ts";
import { asFault, type Database, isLost, type Lane } from "../postgres/database.ts";
import type { Step, StepResult } from "../postgres/pipeline.ts";
import { assert } from "../std/assert.ts";
import { Fault } from "../std/errors.ts";

export interface DeliveryBooks {
  /** Commits the steps together and answers their results. */
  run(steps: readonly Step[]): Promise<readonly StepResult[]>;
  /** Runs the steps that are queued and accepts no more. */
  close(): Promise<void>;
}

interface Entry {
  readonly steps: readonly Step[];
  readonly resolve: (results: readonly StepResult[]) => void;
  readonly reject: (error: unknown) => void;
}

const ENTRIES_A_TRIP = 32;
const BEGIN: Step = { statement: begin, parameters: [] };
const COMMIT: Step = { statement: commit, parameters: [] };

export function createDeliveryBooks(database: Database): DeliveryBooks {
  return new Books(database);
}

class Books implements DeliveryBooks {
  readonly #database: Database;
  readonly #waiting: Entry[] = [];
  #lane: Lane | undefined;
  #pumping: Promise<void> | undefined;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  run(steps: readonly Step[]): Promise<readonly StepResult[]> {
    if (this.#isClosed) return Promise.reject(new Fault("the server is stopping"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ steps, resolve, reject });
      this.#pumping ??= this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pumping;
    await this.#lane?.close();
  }

  async #pump(): Promise<void> {
    // The calls of one turn of the event loop share a round trip.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#trip(this.#waiting.splice(0, ENTRIES_A_TRIP));
    this.#pumping = undefined;
  }

  async #trip(entries: readonly Entry[]): Promise<void> {
    try {
      const results = await this.#send(entries.flatMap(({ steps }) => [BEGIN, ...steps, COMMIT]));
      let from = 1;
      for (const { steps, resolve } of entries) {
        assert(results[from + steps.length]?.tag === "COMMIT", "a transaction was not committed");
        resolve(results.slice(from, from + steps.length));
        from += steps.length + 2;
      }
    } catch (error) {
      await this.#lane?.close();
      this.#lane = undefined;
      if (isLost(error) || entries.length === 1) {
        const fault = asFault(error, "the database did not answer");
        for (const { reject } of entries) reject(fault);
      } else {
        for (const entry of entries) await this.#trip([entry]);
      }
    }
  }

  async #send(steps: readonly Step[]): Promise<readonly StepResult[]> {
    if (this.#lane === undefined || this.#lane.broken()) {
      await this.#lane?.close();
      this.#lane = await this.#database.openLane("webhooks");
    }
    return this.#lane.run(steps);
  }
}
