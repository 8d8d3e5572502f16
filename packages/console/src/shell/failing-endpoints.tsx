/** A notice above every page for people who may see endpoints: the endpoints that receive nothing. */
import { useMay, useRead } from "../api/platform.ts";
import { t, wordOf } from "../text/messages.ts";
import { PlaceLink } from "../ui/place-link.tsx";
import { OutsideText, Time } from "../ui/values.tsx";

export function FailingEndpoints() {
  const { data } = useRead<"listWebhookEndpoints">(
    { method: "GET", path: ["webhook-endpoints"] },
    { isOff: !useMay("webhooks.read") },
  );
  const failing = (data?.data ?? []).filter(
    ({ state, disabledReason }) =>
      state === "FAILING" || state === "STOPPED" || disabledReason !== undefined,
  );
  const [first, second] = failing;
  if (first === undefined) return null;
  const { outage, stats } = first;
  const since = outage?.since ?? stats?.lastSuccessAt;
  return (
    <section
      aria-label={t("webhooks.failing")}
      className="tint-bad mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-panel px-3 py-2 text-body"
    >
      <span className="font-medium">
        {second === undefined
          ? wordOf("webhooks.banner", first.state)
          : t("webhooks.manyFailing", { count: failing.length })}
      </span>
      {second === undefined && (
        <span className="min-w-0 truncate font-mono text-code">
          <OutsideText text={first.url} isLine />
        </span>
      )}
      {second === undefined && since !== undefined && (
        <span>
          {t("webhooks.since")} <Time at={since} />
        </span>
      )}
      <PlaceLink
        place={second === undefined ? `webhooks/${first.id}` : "webhooks"}
        className="ms-auto whitespace-nowrap underline"
      >
        {t("webhooks.look")}
      </PlaceLink>
    </section>
  );
}
