import { parameter } from "../../../postgres/columns.ts";
import type { Statement, Step, StepResult } from "../../../postgres/pipeline.ts";

const LAST = (column: string) =>
  `(select c.${column} from chain_checkpoints c where c.platform_id = h.platform_id order by c.seq desc, c.id desc limit 1)`;
/** The beginning of the platform's day, in UTC. */
const TODAY =
  "date_trunc('day', ($2::timestamptz + h.clock_offset_ms * interval '1 millisecond') at time zone 'UTC') at time zone 'UTC'";

/** A command that does nothing but record the last checkpoint is no reason for another one. */
const due: Statement = {
  name: "proofs/due-checkpoints",
  text:
    "select h.platform_id from platform_heads h join platforms p on p.platform_id = h.platform_id and p.id = h.platform_id " +
    `where h.platform_id > $1::uuid and h.seq > coalesce(${LAST("seq")} + 1, 0) ` +
    `and coalesce(${LAST("created_at")} < ${TODAY}, true) order by h.platform_id limit $3::int8`,
};

/** The next platforms, by id, that have no checkpoint of this day and have committed something since the last one. */
export function dueSignaturesStep(options: {
  readonly after: string;
  readonly now: number;
  readonly limit: number;
}): Step {
  return {
    statement: due,
    parameters: [
      parameter("uuid", options.after),
      parameter("time", options.now),
      parameter("int8", BigInt(options.limit)),
    ],
  };
}

export function decodeDueSignatures(result: StepResult | undefined): readonly string[] {
  return (result?.rows ?? []).map(([platformId]) => platformId ?? "");
}
