/** Reads for resends: which events an order selects, and how far it has come. */
import type { Reads, ReadValue } from "../../../postgres/database.ts";
import { finderOf } from "../../../tables/find-row.ts";
import { walkEvents } from "../event-list.sql.ts";
import { IS_QUESTION, IS_SKIPPED, STREAM_OF_TARGET, TAKES_EVENTS, TARGETS } from "../stream.sql.ts";
import { eventResends, MOST_RESENT_EVENTS, type ResendSelection } from "./event-resend.ts";
import { IS_RESENT } from "./resend.sql.ts";

export const findEventResend = finderOf(eventResends);

export interface ResendProgress {
  readonly endpointId: string;
  /** Attempts that the receiver accepted. */
  readonly sent: number;
  readonly failed: number;
}

const progress = {
  name: "webhook_resends/progress",
  text: "select endpoint_id, sent, failed from webhook_resends where platform_id = $1::uuid and resend_id = $2::uuid",
};

/** The progress of the parts that have begun. */
export async function resendProgress(
  reads: Reads,
  platformId: string,
  id: string,
): Promise<readonly ResendProgress[]> {
  const rows = await reads.cells(progress, [platformId, id]);
  return rows.map(([endpointId, sent, failed]) => ({
    endpointId: endpointId ?? "",
    sent: Number(sent),
    failed: Number(failed),
  }));
}

const bounds = {
  name: "event_resends/bounds",
  text:
    "select greatest($2::int8, case when $4::text is not null then event_seq_at($1::uuid, $4::timestamptz) - 1 end, 0), " +
    "least(h.event_seq, $3::int8 - 1, case when $5::text is not null then " +
    "event_seq_at($1::uuid, $5::timestamptz + interval '1 millisecond') - 1 end) " +
    "from platform_heads h where h.platform_id = $1::uuid",
};

/** The bounds of `GET /events`, by sequence and time, as sequences: `after` exclusive, `upTo` inclusive and never beyond the last event. */
export async function resendBounds(
  reads: Reads,
  platformId: string,
  asked: {
    readonly after: bigint | undefined;
    readonly before: bigint | undefined;
    readonly since: string | undefined;
    readonly until: string | undefined;
  },
): Promise<Pick<ResendSelection, "after" | "upTo">> {
  const { after = null, before = null, since = null, until = null } = asked;
  const [row] = await reads.cells(bounds, [platformId, after, before, since, until]);
  const [low, high] = row ?? [];
  return { after: low ?? "0", upTo: high ?? "0" };
}

/** The state of an event at an endpoint. */
export interface DeliveryPlace {
  readonly endpointId: string;
  /** The endpoint did not answer 410. */
  readonly takesEvents: boolean;
  /** It gets events of this type. */
  readonly isWanted: boolean;
  readonly isQuestion: boolean;
  /** `BEHIND` also before the first attempt. */
  readonly state: "DELIVERED" | "WAITING" | "BEHIND" | "FAILED";
}

const places = {
  name: "webhook_deliveries/places",
  text:
    `select t.endpoint_id, ${TAKES_EVENTS}, not (${IS_SKIPPED}), ${IS_QUESTION}, coalesce(d.state, case when e.seq > ` +
    "greatest(s.position, t.since_event_seq) then 'BEHIND' else 'DELIVERED' end) " +
    `from events e cross join ${TARGETS} ${STREAM_OF_TARGET} ` +
    "left join webhook_deliveries d on d.platform_id = $1::uuid and d.endpoint_id = t.endpoint_id and d.event_seq = e.seq " +
    "where e.platform_id = $1::uuid and e.seq = $2::int8 order by t.endpoint_id",
};

/** The states of an event at every endpoint that is set and not disabled, the default one first. */
export async function deliveryPlaces(
  reads: Reads,
  platformId: string,
  eventSeq: bigint,
): Promise<readonly DeliveryPlace[]> {
  const rows = await reads.cells(places, [platformId, eventSeq]);
  return rows.map(([endpointId, takesEvents, isWanted, isQuestion, state]) => ({
    endpointId: endpointId ?? "",
    takesEvents: takesEvents === "t",
    isWanted: isWanted === "t",
    isQuestion: isQuestion === "t",
    state: state as DeliveryPlace["state"],
  }));
}

const takers = {
  name: "webhook_endpoints/takers",
  text:
    `select t.endpoint_id from ${TARGETS} ${STREAM_OF_TARGET} where ${TAKES_EVENTS} ` +
    "order by t.endpoint_id",
};

/** Endpoints that get events: set, not disabled, and none that answered 410. */
export async function takingEndpoints(
  reads: Reads,
  platformId: string,
): Promise<readonly string[]> {
  const rows = await reads.cells(takers, [platformId]);
  return rows.map(([id]) => id ?? "");
}

export interface ResendMatch {
  readonly endpointId: string;
  /** The selected events that the endpoint gets. */
  readonly matched: number;
  /** Whether the selection has more events than one order may select. */
  readonly isTooMany: boolean;
}

/** Counts at most one event more than an order may select. */
export async function countResent(
  reads: Reads,
  platformId: string,
  { endpointId, selection }: Pick<PageWish, "endpointId" | "selection">,
): Promise<ResendMatch> {
  const limit = MOST_RESENT_EVENTS + 1;
  const wish = { endpointId, selection, limit, columns: "e.seq, e.type" };
  const { text, values } = walkOf(platformId, wish);
  const place = `$${values.push(endpointId)}`;
  const counted =
    `with picked as (${text}) select (select count(*) from picked), count(*) from picked e ` +
    `cross join ${TARGETS} where t.endpoint_id = ${place}::uuid and ${IS_RESENT}`;
  const [row] = await reads.cells({ name: "", text: counted }, values);
  const [picked, matched] = row ?? [];
  return {
    endpointId,
    matched: Number(matched ?? 0),
    isTooMany: Number(picked ?? 0) > MOST_RESENT_EVENTS,
  };
}

export interface PageWish {
  readonly endpointId: string;
  readonly selection: ResendSelection;
  /** Only events after this sequence. */
  readonly position: bigint;
  readonly limit: number;
}

export interface SelectedEvent {
  readonly seq: bigint;
  readonly subject: string;
}

/** The next events of a selection, whether the endpoint gets their type or not. */
export async function resendPage(
  reads: Reads,
  platformId: string,
  { endpointId, selection, position, limit }: PageWish,
): Promise<readonly SelectedEvent[]> {
  const rest = { ...selection, after: position.toString() };
  const wish = { endpointId, selection: rest, limit, columns: "e.seq, e.subject" };
  const { text, values } = walkOf(platformId, wish);
  const rows = await reads.cells({ name: "", text }, values);
  return rows.map(([seq, subject]) => ({ seq: BigInt(seq ?? 0), subject: subject ?? "" }));
}

function walkOf(
  platformId: string,
  {
    endpointId,
    selection: { types, subject, after, upTo, isFailedOnly },
    limit,
    columns,
  }: Omit<PageWish, "position"> & { readonly columns: string },
): { readonly text: string; readonly values: ReadValue[] } {
  if (!isFailedOnly) {
    const times = { since: undefined, until: undefined };
    const range = { after: BigInt(after), before: BigInt(upTo) + 1n, order: "asc" } as const;
    const query = { platformId, types, subject: subject ?? undefined, ...times, ...range, limit };
    const asked: ReadValue[] = [platformId];
    const text = `select ${columns} from (${walkEvents(query, asked)}) e order by e.seq`;
    return { text, values: asked };
  }
  const values: ReadValue[] = [platformId, endpointId, after, upTo, types, subject, limit];
  const text =
    `select ${columns} from webhook_deliveries d, lateral (select * from events where platform_id = $1::uuid ` +
    "and seq = d.event_seq limit 1) e where d.platform_id = $1::uuid and d.endpoint_id = $2::uuid " +
    "and d.event_seq > $3::int8 and d.event_seq <= $4::int8 and (cardinality($5::text[]) = 0 or e.type = any ($5::text[])) " +
    "and ($6::text is null or d.subject = $6::text) order by d.event_seq limit $7::int8";
  return { text, values };
}
