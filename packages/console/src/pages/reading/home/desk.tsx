/** What the desk of operations has to do: the queue, suspense, breaks, and cut-offs of the next two hours. */
import type { DeskSummary } from "../../../api/desk-operations.ts";
import { t } from "../../../text/messages.ts";
import { ageOf, shortHour } from "../../../text/time.ts";
import { classes } from "../../../ui/classes.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";
import { OutsideWord } from "../../../ui/values.tsx";
import { HomeSection } from "./home-section.tsx";

export function DeskSection({ desk }: { readonly desk: DeskSummary }) {
  const { queued, items, breaks, missed, cutOffs, oldestQueuedAt, oldestItemAt } = desk;
  const age = (at: string | undefined) =>
    at === undefined ? undefined : t("home.deskOldest", { age: ageOf(at) });
  return (
    <HomeSection title={t("home.desk")}>
      <div className="grid gap-x-12 rail:max-wide:grid-cols-3">
        <Figure
          place="rail-queue"
          count={queued}
          text={t("home.deskQueue", { count: queued })}
          under={missed > 0 ? t("home.deskMissed") : age(oldestQueuedAt)}
          isBad={missed > 0}
        />
        <Figure
          place="rail-items"
          count={items}
          text={t("home.deskItems", { count: items })}
          under={age(oldestItemAt)}
        />
        <Figure
          place="rail-reconciliation"
          count={breaks}
          text={t("home.deskBreaks", { count: breaks })}
          isBad={breaks > 0}
        />
      </div>
      {cutOffs.map(({ connectionId, connectionName, at, queued: count }) => (
        <p key={connectionId} className="tint-wait mt-2 rounded-control px-3 py-2 text-body">
          <PlaceLink
            place="rail-queue"
            search={{ tab: "queued", connectionId }}
            className="hover:underline"
          >
            <OutsideWord
              text={t("home.deskCutOff", { name: connectionName, time: shortHour(at), count })}
            />
          </PlaceLink>
        </p>
      ))}
    </HomeSection>
  );
}

function Figure({
  place,
  count,
  text,
  under,
  isBad = false,
}: {
  readonly place: string;
  readonly count: number;
  readonly text: string;
  readonly under?: string | undefined;
  readonly isBad?: boolean;
}) {
  return (
    <div className="relative flex min-h-10 items-center justify-between gap-3 border-line border-b py-2 hover:bg-panel pointer-coarse:min-h-11">
      <PlaceLink place={place} className="min-w-0 after:absolute after:inset-0">
        <span className={classes("font-semibold tabular-nums", isBad && "text-bad")}>{count}</span>{" "}
        {text}
      </PlaceLink>
      {under !== undefined && (
        <span className={classes("shrink-0 text-caption", isBad ? "text-bad" : "text-soft")}>
          {under}
        </span>
      )}
    </div>
  );
}
