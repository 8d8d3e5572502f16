import { type MessageKey, t } from "../text/messages.ts";
import { PlaceLink } from "./place-link.tsx";

/** On a narrow screen the row scrolls, and the open page's link may be outside of it. */
function showCurrent(row: HTMLElement | null): void {
  const link = row?.querySelector<HTMLElement>("[data-status=active]");
  if (row === null || link === null || link === undefined) return;
  row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
}

/** Related pages as a row of links above the content. */
export function SubPlaces({
  name,
  places,
}: {
  readonly name: MessageKey;
  readonly places: readonly (readonly [place: string, title: MessageKey])[];
}) {
  return (
    <nav
      aria-label={t(name)}
      ref={showCurrent}
      className="relative mb-4 flex gap-5 overflow-x-auto border-line border-b"
    >
      {places.map(([place, title]) => (
        <PlaceLink
          key={place}
          place={place}
          className="-mb-px border-transparent border-b-2 py-2 text-body font-medium whitespace-nowrap text-soft hover:text-ink data-[status=active]:border-accent data-[status=active]:text-ink"
        >
          {t(title)}
        </PlaceLink>
      ))}
    </nav>
  );
}
