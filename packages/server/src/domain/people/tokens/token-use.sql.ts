/** The days on which tokens were last used. */
import type { ByteWriter } from "../../../postgres/byte-writer.ts";
import { encodeArray, parameter } from "../../../postgres/columns.ts";
import type { Statement, Step } from "../../../postgres/pipeline.ts";

export interface TokenUse {
  readonly platformId: string;
  readonly tokenId: string;
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
}

const record: Statement = {
  name: "token_uses/record",
  text:
    "insert into token_uses as u (platform_id, token_id, day) " +
    "select $1::uuid, x.token_id, max(x.day::date) from unnest($2::uuid[], $3::text[]) x(token_id, day) group by x.token_id " +
    "on conflict (platform_id, token_id) do update set day = excluded.day where u.day < excluded.day",
};

/** Records uses of a platform's tokens. A day that is recorded already, or an earlier one, changes nothing. */
export function tokenUsesStep(platformId: string, uses: readonly TokenUse[]): Step {
  const ids = (writer: ByteWriter) =>
    encodeArray(writer, uses, { type: "uuid", pick: ({ tokenId }) => tokenId });
  const days = (writer: ByteWriter) =>
    encodeArray(writer, uses, { type: "text", pick: ({ day }) => day });
  return { statement: record, parameters: [parameter("uuid", platformId), ids, days] };
}
