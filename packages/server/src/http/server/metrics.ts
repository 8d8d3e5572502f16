import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** Metrics for operators. Recording a request costs a few additions; the text is rendered on demand. */
export interface Metrics {
  /** A gauge, read when the metrics are rendered. */
  gauge(name: string, help: string, read: () => number): void;
  /** A counter, read when the metrics are rendered. */
  counter(name: string, help: string, read: () => number): void;
  /** A metric with labels; `read` must not reject. */
  family(family: Family, read: () => Promise<readonly Sample[]>): void;
  /** The metrics of one operation. The caller keeps the object. */
  requests(operationId: string): RequestMetrics;
  text(): Promise<string>;
  readonly contentType: string;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly kind: "gauge" | "counter";
  readonly labels: readonly string[];
}

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface RequestMetrics {
  record(status: number, durationMs: number): void;
}

const BUCKETS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000] as const;
const FASTEST_BUCKET_MS = BUCKETS_MS[0];
const CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

interface Tally {
  readonly byClass: number[];
  /** Requests per histogram bucket, not cumulative; the last bucket is unbounded. */
  readonly byBucket: number[];
  sumMs: number;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const tallies = new Map<string, Tally>();

  return {
    contentType: registry.contentType,
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    counter(name, help, read) {
      new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset();
          this.inc(read());
        },
      });
    },
    family({ name, help, kind, labels }, read) {
      const Kind = kind === "gauge" ? Gauge : Counter;
      const figure: Gauge | Counter = new Kind({
        name,
        help,
        labelNames: labels,
        registers: [registry],
        async collect() {
          const samples = await read();
          figure.reset();
          for (const { labels: values, value } of samples) figure.inc({ ...values }, value);
        },
      });
    },
    requests(operationId) {
      const tally = tallies.get(operationId) ?? emptyTally();
      tallies.set(operationId, tally);
      return { record: (status, durationMs) => record(tally, status, durationMs) };
    },
    async text() {
      return `${await registry.metrics()}\n${requestsText(tallies)}`;
    },
  };
}

function emptyTally(): Tally {
  return {
    byClass: new Array<number>(CLASSES.length).fill(0),
    byBucket: new Array<number>(BUCKETS_MS.length + 1).fill(0),
    sumMs: 0,
  };
}

function record(tally: Tally, status: number, durationMs: number): void {
  const statusClass = Math.trunc(status / 100) - 1;
  tally.byClass[statusClass] = (tally.byClass[statusClass] ?? 0) + 1;
  const bucket = durationMs <= FASTEST_BUCKET_MS ? 0 : bucketOf(durationMs);
  tally.byBucket[bucket] = (tally.byBucket[bucket] ?? 0) + 1;
  // A clock that steps back must not decrease the sum.
  tally.sumMs += Math.max(0, durationMs);
}

function bucketOf(durationMs: number): number {
  const index = BUCKETS_MS.findIndex((bound) => durationMs <= bound);
  return index === -1 ? BUCKETS_MS.length : index;
}

const TOTAL = "florin_http_requests_total";
const DURATION = "florin_http_request_duration_seconds";

function requestsText(tallies: ReadonlyMap<string, Tally>): string {
  const totals = [`# HELP ${TOTAL} Answered requests.`, `# TYPE ${TOTAL} counter`];
  const durations = [
    `# HELP ${DURATION} Time from the request's head to its answer.`,
    `# TYPE ${DURATION} histogram`,
  ];
  for (const [operation, tally] of tallies) {
    CLASSES.forEach((status, index) => {
      const count = tally.byClass[index] ?? 0;
      if (count > 0) totals.push(`${TOTAL}{operation="${operation}",status="${status}"} ${count}`);
    });
    durations.push(...durationLines(operation, tally));
  }
  return `${totals.join("\n")}\n\n${durations.join("\n")}\n`;
}

function durationLines(operation: string, tally: Tally): string[] {
  const lines: string[] = [];
  let sum = 0;
  tally.byBucket.forEach((count, index) => {
    sum += count;
    const bound = BUCKETS_MS[index];
    const le = bound === undefined ? "+Inf" : String(bound / 1000);
    lines.push(`${DURATION}_bucket{operation="${operation}",le="${le}"} ${sum}`);
  });
  lines.push(`${DURATION}_sum{operation="${operation}"} ${tally.sumMs / 1000}`);
  lines.push(`${DURATION}_count{operation="${operation}"} ${sum}`);
  return lines;
}
