/** A notice above every page of a production platform, for people who may see connections: no connection requires a second person. */
import { useMay, usePlatform, useRead } from "../api/platform.ts";
import { t } from "../text/messages.ts";
import { PlaceLink } from "../ui/place-link.tsx";

/** More connections than a platform has. */
const ALL = 100;

export function UncheckedRails() {
  const mayRead = useMay("rails.read");
  const isOff = usePlatform().environment !== "PRODUCTION" || !mayRead;
  const { data } = useRead<"listRailConnections">(
    { method: "GET", path: ["rails", "connections"], query: { limit: ALL } },
    { isOff },
  );
  const live = (data?.data ?? []).filter(({ status }) => status !== "ARCHIVED");
  const isChecked = live.some(({ control }) => control.approval !== "NONE");
  if (isOff || live.length === 0 || isChecked || data?.hasMore === true) return null;
  return (
    <section
      aria-label={t("rails.unchecked")}
      className="tint-wait mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-panel px-3 py-2 text-body"
    >
      <span className="font-medium">{t("rails.unchecked")}</span>
      <span>{t("rails.uncheckedWhy")}</span>
      <PlaceLink place="rails" className="ms-auto underline">
        {t("rails.uncheckedLook")}
      </PlaceLink>
    </section>
  );
}
