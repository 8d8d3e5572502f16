import type { ReactNode } from "react";
import { t } from "../../../text/messages.ts";
import { PlaceLink } from "../../../ui/place-link.tsx";

export function HomeSection({
  title,
  place,
  search,
  tools,
  children,
}: {
  readonly title: string;
  readonly place?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="min-w-0" aria-label={title}>
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-line border-b pb-2">
        <h2 className="text-section font-semibold">{title}</h2>
        {tools}
        {place !== undefined && (
          <PlaceLink
            place={place}
            {...(search === undefined ? {} : { search })}
            label={t("home.allOf", { title })}
            className="text-body text-accent hover:underline"
          >
            {t("home.all")}
          </PlaceLink>
        )}
      </div>
      {children}
    </section>
  );
}
