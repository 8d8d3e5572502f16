/** Work that waits for this person: each kind with its count and its oldest item, as a link to its page. */
import type { WaitingLine } from "../../../api/overview.ts";
import { useMay, useRead } from "../../../api/platform.ts";
import { type MessageKey, t } from "../../../text/messages.ts";
import { shortTime } from "../../../text/time.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { Time } from "../../../ui/values.tsx";
import { HomeSection } from "./home-section.tsx";

interface Goal {
  readonly place: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly text: MessageKey;
}

const GOALS: Readonly<Record<string, Goal>> = {
  APPROVALS: { place: "approvals", text: "home.waits.APPROVALS" },
  AGENT_ORDERS: { place: "approvals", text: "home.waits.AGENT_ORDERS" },
  INCOMING_PAYMENTS: { place: "approvals", text: "home.waits.INCOMING_PAYMENTS" },
  VERIFICATIONS: { place: "verifications", text: "home.waits.VERIFICATIONS" },
  FAILED_DELIVERIES: {
    place: "deliveries",
    search: { tab: "not-arrived" },
    text: "home.waits.FAILED_DELIVERIES",
  },
  LATE_PAYMENTS: { place: "rail-queue", text: "home.waits.LATE_PAYMENTS" },
  SUSPENSE_ITEMS: { place: "rail-items", text: "home.waits.SUSPENSE_ITEMS" },
  EXPIRING_KEYS: { place: "api-keys", text: "home.waits.EXPIRING_KEYS" },
};

const MOST_COUNTED = 100;

export function WaitingSection({ waiting }: { readonly waiting: readonly WaitingLine[] }) {
  const endpoints = useFailingEndpoints();
  const known = waiting.flatMap((line) => {
    const goal = GOALS[line.kind];
    return goal === undefined ? [] : [{ ...line, goal }];
  });
  return (
    <HomeSection title={t("home.waiting")}>
      <ul>
        {known.map(({ kind, goal, count, oldestAt, endsAt }) => (
          <Line key={kind} goal={goal} count={count} oldestAt={oldestAt} endsAt={endsAt} />
        ))}
        {endpoints !== undefined && <Line {...endpoints} />}
      </ul>
      {known.length === 0 && endpoints === undefined && (
        <p className="py-3 text-body text-soft">{t("home.nothingWaits")}</p>
      )}
    </HomeSection>
  );
}

interface LineProps {
  readonly goal: Goal;
  readonly count: number;
  readonly oldestAt: string | undefined;
  readonly endsAt?: string | undefined;
}

function Line({ goal: { place, search, text }, count, oldestAt, endsAt }: LineProps) {
  const shown = count >= MOST_COUNTED ? `${MOST_COUNTED}+` : String(count);
  return (
    <li className="relative flex min-h-10 items-center justify-between gap-4 border-line border-b py-2 hover:bg-panel pointer-coarse:min-h-11">
      <PlaceLink
        place={place}
        {...(search === undefined ? {} : { search })}
        className="min-w-0 after:absolute after:inset-0"
      >
        <span className="font-semibold tabular-nums">{shown}</span> {t(text, { count })}
      </PlaceLink>
      <span className="shrink-0 text-caption text-soft">
        {endsAt !== undefined ? (
          t("home.ends", { when: shortTime(endsAt) })
        ) : oldestAt !== undefined ? (
          <Time at={oldestAt} />
        ) : undefined}
      </span>
    </li>
  );
}

/** Endpoints that get nothing. Single deliveries that did not arrive have a line of their own. */
function useFailingEndpoints(): LineProps | undefined {
  const { data } = useRead<"listWebhookEndpoints">(
    { method: "GET", path: ["webhook-endpoints"] },
    { isOff: !useMay("webhooks.read") },
  );
  const failing = (data?.data ?? []).filter(
    ({ state, disabledReason }) =>
      state === "FAILING" || state === "STOPPED" || disabledReason !== undefined,
  );
  const [first, second] = failing;
  if (first === undefined) return undefined;
  const place = second === undefined ? `webhooks/${first.id}` : "webhooks";
  return {
    goal: { place, text: "home.endpoints" },
    count: failing.length,
    oldestAt: first.outage?.since ?? first.stats?.oldestUndeliveredAt,
  };
}
