/** Reads for live streams: heads, and the notices of the last events. */
import type { Reads } from "../../../postgres/database.ts";
import type { HeadPlace } from "./head-watch.port.ts";
import { type LiveNotice, toNotice } from "./live-notice.ts";

const places = {
  name: "heads/places",
  text: "select platform_id, seq, event_seq from platform_heads where platform_id = any ($1::uuid[])",
};

/** The heads of several platforms or workspaces. */
export async function headPlaces(
  reads: Reads,
  partitionIds: readonly string[],
): Promise<ReadonlyMap<string, HeadPlace>> {
  const rows = await reads.withPermit("streams", (cells) => cells(places, [partitionIds]));
  return new Map(
    rows.map(([id, seq, eventSeq]) => [
      id ?? "",
      { seq: BigInt(seq ?? 0), eventSeq: BigInt(eventSeq ?? 0) },
    ]),
  );
}

/** The body of an event is not read. */
const latest = {
  name: "events/notices",
  text:
    "select h.event_seq, e.seq, e.type, e.subject from platform_heads h left join lateral (" +
    "select n.seq, n.type, n.subject from events n where n.platform_id = $1::uuid " +
    "and n.seq > greatest($2::int8, h.event_seq - $3::int8) order by n.seq limit $3::int8) e on true " +
    "where h.platform_id = $1::uuid order by e.seq",
};

export interface NewNotices {
  /** The platform's last event. */
  readonly last: bigint;
  /** `notices` has every event after this one that is about an object. */
  readonly floor: bigint;
  readonly notices: readonly LiveNotice[];
}

/** The notices of events after `after`, of the last `limit` at most; none when `after` is undefined. */
export async function newNotices(
  reads: Reads,
  platformId: string,
  { after, limit }: { readonly after: bigint | undefined; readonly limit: number },
): Promise<NewNotices> {
  const rows = await reads.cells(latest, [platformId, after ?? Number.MAX_SAFE_INTEGER, limit]);
  const last = BigInt(rows[0]?.[0] ?? 0);
  const found = rows.flatMap(([, seq, type, subject]) => {
    const notice = seq === null ? undefined : toNotice(BigInt(seq ?? 0), type ?? "", subject ?? "");
    return notice === undefined ? [] : [notice];
  });
  const oldest = last - BigInt(limit);
  const floor = after === undefined || after > last ? last : after > oldest ? after : oldest;
  return { last, floor, notices: found };
}
