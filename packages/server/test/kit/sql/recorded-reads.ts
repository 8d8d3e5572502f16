/** The statements that a server in this process sends on its read connections, with their values, while calls are made. */
import pg from "pg";

export interface RecordedRead {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  /** The call that sent it first. */
  readonly by: string;
}

export interface Recording {
  /** Names the call that is made next. */
  during(by: string): void;
  readonly reads: readonly RecordedRead[];
  /** How many statements with such a name were sent, those with the same text among them. */
  countOf(name: RegExp): number;
  stop(): void;
}

/** Values matter for a plan, and some calls of the same text have many. */
const MOST_OF_A_TEXT = 1;

export function recordReads(): Recording {
  const reads: RecordedRead[] = [];
  const counts = new Map<string, number>();
  let by = "";
  const names: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function recorded(this: pg.Client, ...given: unknown[]) {
    const [asked] = given as readonly Partial<pg.QueryArrayConfig>[];
    // The reads of the server alone ask for arrays.
    if (asked?.rowMode === "array" && asked.text !== undefined) {
      const { name = "", text, values = [] } = asked;
      const count = counts.get(text) ?? 0;
      counts.set(text, count + 1);
      names.push(name);
      if (count < MOST_OF_A_TEXT) reads.push({ name, text, values, by });
    }
    return Reflect.apply(query, this, given);
  } as typeof query;
  return {
    reads,
    countOf: (asked) => names.filter((name) => asked.test(name)).length,
    during(call) {
      by = call;
    },
    stop() {
      pg.Client.prototype.query = query;
    },
  };
}
