import Type from "typebox";
import { approverOf } from "../../../../domain/people/approvals/eligible-people.ts";
import { activePeople } from "../../../../domain/people/person.sql.ts";
import type { Capability } from "../../../../domain/people/role.ts";
import { findDesk } from "../../../../domain/rails/desk/desk.sql.ts";
import { summaryOf } from "../../../../domain/rails/desk/desk-summary.ts";
import {
  isMissed,
  type LiveItem,
  type LiveStream,
} from "../../../../domain/reading/live/live-feed.port.ts";
import type { LiveNotice } from "../../../../domain/reading/live/live-notice.ts";
import {
  findBalances,
  findPaymentSums,
  findStanding,
  overviewPeriods,
} from "../../../../domain/reading/overview/overview.sql.ts";
import {
  findWaiting,
  findWaitingApprovals,
  type Waiting,
} from "../../../../domain/reading/overview/waiting.sql.ts";
import { eventContents } from "../../../../wire/events/event-contents.ts";
import { currencyCodeParameter } from "../../../../wire/fields.ts";
import {
  OverviewSchema,
  overviewExample,
  overviewToWire,
} from "../../../../wire/reading/overview.ts";
import { positionAsked, sequenceParameter } from "../../../operations/events/stream-position.ts";
import { defineOperation, type PersonPrincipal, route } from "../../../request/operation.ts";
import {
  eventStreamAnswer,
  LAST_EVENT_ID,
  type SentStream,
} from "../../../request/server-sent-events.ts";
import type { Services } from "../../../request/services.ts";
import { ofPlatform } from "../../place.ts";

const streamLive = defineOperation({
  id: "streamLive",
  ...route(`GET ${ofPlatform("/live")}`, "PERSON", "overview.read"),
  isNoAct: true,
  tag: "Overview",
  summary: "Stream notices of changes",
  description:
    "A stream of server-sent events: `notice` names an object that has changed, without data about it, and `missed` stands for events " +
    "that are no longer kept, so that whatever is shown may have changed. `id` is the sequence of the event. Notices of objects that the person's roles " +
    "may not read are left out. The stream starts behind the event that `Last-Event-ID` or `after` names, and without either at this " +
    "moment. A line is sent at least every 20 seconds. It is no act of the person, and ends with the session and when the roles change. " +
    "A session has four of these streams at a platform: a fifth ends the oldest.",
  query: Type.Object({ after: sequenceParameter("Start behind the event of this sequence.") }),
  headers: [
    {
      name: LAST_EVENT_ID,
      description: "The `id` that was received last. It goes before `after`.",
      example: "42",
    },
  ],
  answers: {
    200: {
      description: "The notices, in the order of their events.",
      contentType: "text/event-stream",
      example:
        "id: 42\nevent: notice\n" +
        'data: {"seq":42,"kind":"Transaction","id":"Transaction:019a4f00-0000-7000-8000-000000000002","status":"COMPLETED"}\n\n',
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, query, headers }, { clock, live, people }: Services) {
    const after = positionAsked(headers["last-event-id"], query.after)?.seq;
    const { capabilities } = principal;
    return {
      ...eventStreamAnswer<LiveItem>({
        open: () => {
          const stream = live.open(principal.platformId, after);
          return stream && guarded(stream, principal, people.liveSessions);
        },
        opening: "florin live",
        toFrame: (item) => toFrame(item, capabilities),
        clock,
        isGuarded: true,
      }),
      isImpersonal: true,
    };
  },
});

/** The stream; it ends when the session ends. */
function guarded(
  stream: LiveStream,
  caller: PersonPrincipal,
  sessions: Services["people"]["liveSessions"],
): SentStream<LiveItem> {
  let isClosed = false;
  let leave: () => void = () => undefined;
  sessions.guard(caller, stream.end).then(
    (left) => {
      leave = left;
      if (isClosed) leave();
    },
    // If the session cannot be read, the stream ends and the browser opens another one.
    stream.end,
  );
  return {
    ...stream,
    close() {
      isClosed = true;
      leave();
      stream.close();
    },
  };
}

/** A notice that the person may not see becomes an `id` alone, which moves the browser's position past it. */
function toFrame(item: LiveItem, held: ReadonlySet<Capability>): string {
  if (isMissed(item)) {
    const { missedUpTo: seq } = item;
    return `id: ${seq}\nevent: missed\ndata: {"seq":${seq}}\n\n`;
  }
  return held.has(eventContents[item.kind].told) ? noticeFrame(item) : `id: ${item.seq}\n\n`;
}

/** The streams of a platform share its notices, so a frame is made once for all of them. */
const frames = new WeakMap<LiveNotice, string>();

function noticeFrame(notice: LiveNotice): string {
  const known = frames.get(notice);
  if (known !== undefined) return known;
  const { seq, kind, id, status } = notice;
  const data = JSON.stringify({ seq: Number(seq), kind, id, status });
  const frame = `id: ${seq}\nevent: notice\ndata: ${data}\n\n`;
  frames.set(notice, frame);
  return frame;
}

const getOverview = defineOperation({
  id: "getOverview",
  ...route(`GET ${ofPlatform("/overview")}`, "PERSON", "overview.read"),
  tag: "Overview",
  summary: "Get the overview of a platform",
  description:
    "Balances and what waits for a person are of this moment. Sums of payments follow the events within a few seconds; `asOfSequence` " +
    "says up to which event they are counted. A completed payment stays in the bar in which it completed, also when it is returned later.",
  query: Type.Object({
    period: Type.Optional(Type.Enum([...overviewPeriods], { default: "24h" })),
    currency: currencyCodeParameter("Of the volume. The most frequent one when it is absent."),
  }),
  answers: {
    200: { description: "The overview.", schema: OverviewSchema, example: overviewExample },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, query }, services: Services) {
    const { reads, clock } = services;
    const { platformId, capabilities } = principal;
    const found = reads.withPermit(platformId, async (cells) => {
      const { clockOffsetMs, ...standing } = await findStanding(cells, platformId);
      const now = clock.now() + clockOffsetMs;
      const { period = "24h", currency } = query;
      return {
        now,
        ...standing,
        balances: await findBalances(cells, platformId),
        ...(await findPaymentSums(cells, platformId, { period, currency, now })),
        waiting: await findWaiting(cells, platformId, { now, held: capabilities }),
      };
    });
    const [toDecide, { now, ...overview }] = await Promise.all([
      approvalsToDecide(services, principal),
      found,
    ]);
    const waiting = [...toDecide, ...overview.waiting];
    const desk = capabilities.has("rails.read")
      ? summaryOf(await findDesk(reads, platformId, now), now)
      : undefined;
    return { status: 200, body: JSON.stringify(overviewToWire({ ...overview, waiting, desk })) };
  },
});

async function approvalsToDecide(
  { reads, clock }: Services,
  { platformId, environment, workspaceId, personId }: PersonPrincipal,
): Promise<readonly Waiting[]> {
  const people = await activePeople(reads, workspaceId);
  const person = people.find(({ id }) => id === personId);
  if (person === undefined) return [];
  const platform = { id: platformId, environment };
  const approver = approverOf(person, { platform, people, now: clock.now() });
  const found = await findWaitingApprovals(reads, platformId, approver);
  return found === undefined ? [] : [found];
}

export const overviewOperations = [streamLive, getOverview];
