/** The types of events in their groups, from the table of the server. */
import { t } from "../../text/messages.ts";
import type { Choice } from "../../ui/fields.tsx";
import meanings from "./event-types.json";

export interface EventGroup {
  /** `OUTGOING_PAYMENT.*`: every type of the group, those of later versions too. */
  readonly pattern: string;
  readonly name: string;
  readonly types: readonly { readonly type: string; readonly meaning: string }[];
}

/** A type of no group, such as `TEST`, is sent on its own and is in none of them. */
export const eventGroups: readonly EventGroup[] = grouped();

function grouped(): readonly EventGroup[] {
  const groups = new Map<string, { type: string; meaning: string }[]>();
  for (const [type, meaning] of Object.entries(meanings)) {
    const [name = "", ...rest] = type.split(".");
    if (rest.length === 0) continue;
    groups.set(name, [...(groups.get(name) ?? []), { type, meaning }]);
  }
  return [...groups].map(([name, types]) => ({ name, pattern: `${name}.*`, types }));
}

/** Each group, and its types below it. */
export function eventTypeChoices(): readonly Choice[] {
  return eventGroups.flatMap(({ name, pattern, types }) => [
    { value: pattern, label: t("events.allOf", { name }) },
    ...types.map(({ type }) => ({ value: type, label: `\u2003${type.slice(name.length + 1)}` })),
  ]);
}
