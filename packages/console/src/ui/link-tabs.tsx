import { classes } from "./classes.ts";
import { PlaceLink } from "./place-link.tsx";

/** Tabs for two or three lists under one title. A URL parameter selects the list. */
export function LinkTabs({
  place,
  name,
  current,
  choices,
}: {
  readonly place: string;
  readonly name: string;
  readonly current: string;
  readonly choices: readonly (readonly [value: string, title: string])[];
}) {
  return (
    <div className="flex gap-1 pb-3">
      {choices.map(([value, title]) => (
        <PlaceLink
          key={value}
          place={place}
          search={{ [name]: value }}
          className={classes(
            "inline-flex h-7 items-center rounded-control px-2 text-body font-medium pointer-coarse:h-11",
            value === current ? "bg-line text-ink" : "text-soft hover:text-ink",
          )}
        >
          {title}
        </PlaceLink>
      ))}
    </div>
  );
}
