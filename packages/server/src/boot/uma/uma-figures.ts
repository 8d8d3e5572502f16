/** Figures of exchanges with other institutions for `/metrics`. No domain is a label: there is no bound on them. */
import type { Metrics } from "../../http/server/metrics.ts";
import type {
  ExchangeFigures,
  ExchangeLogWriter,
  ExchangeTime,
} from "../../jobs/uma/exchange-log.ts";

export function registerUmaFigures(
  { family, counter }: Metrics,
  log: Pick<ExchangeLogWriter, "figures" | "dropped">,
): void {
  const { outcomes, times }: ExchangeFigures = log.figures;
  family(
    {
      name: "florin_uma_exchanges_total",
      help: "Requests to and from other institutions at UMA, by how they ended.",
      kind: "counter",
      labels: ["direction", "kind", "outcome"],
    },
    async () =>
      outcomes().map(({ direction, kind, outcome, value }) => ({
        labels: { direction, kind, outcome },
        value,
      })),
  );
  family(
    {
      name: "florin_uma_refused_total",
      help: "Messages of other institutions that were refused, by the code of the refusal.",
      kind: "counter",
      labels: ["reason"],
    },
    async () => refusals(outcomes()),
  );
  const time = (name: string, help: string, read: (time: ExchangeTime) => number) =>
    family(
      {
        name,
        help,
        kind: "counter",
        labels: ["direction", "kind"],
      },
      async () =>
        times().map((each) => ({
          labels: { direction: each.direction, kind: each.kind },
          value: read(each),
        })),
    );
  time(
    "florin_uma_exchange_seconds_sum",
    "Seconds that exchanges with other institutions at UMA have taken.",
    ({ seconds }) => seconds,
  );
  time(
    "florin_uma_exchange_seconds_count",
    "Exchanges with other institutions at UMA that were timed.",
    ({ count }) => count,
  );
  counter(
    "florin_uma_exchanges_dropped_total",
    "Exchanges that the list lost because it was behind or could not be written.",
    log.dropped,
  );
}

function refusals(counts: ReturnType<ExchangeFigures["outcomes"]>) {
  const byReason = new Map<string, number>();
  for (const { direction, outcome, value } of counts) {
    if (direction === "IN" && outcome !== "OK")
      byReason.set(outcome, (byReason.get(outcome) ?? 0) + value);
  }
  return [...byReason].map(([reason, value]) => ({ labels: { reason }, value }));
}
