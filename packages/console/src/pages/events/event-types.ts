/** Event types by group, from the server's table of types. */
import { t } from "../../text/messages.ts";
import type { Choice } from "../../ui/fields.tsx";
import meanings from "./event-types.json";

export interface EventGroup {
  /** For example `OUTGOING_PAYMENT.*`, which includes types that later versions add to the group. */
  readonly pattern: string;
  readonly name: string;
  readonly types: readonly { readonly type: string; readonly meaning: string }[];
}

/** Leaves out types without a group, such as `TEST`. */
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

/** Each group, followed by its types. */
export function eventTypeChoices(): readonly Choice[] {
  return eventGroups.flatMap(({ name, pattern, types }) => [
    { value: pattern, label: t("events.allOf", { name }) },
    ...types.map(({ type }) => ({ value: type, label: `\u2003${type.slice(name.length + 1)}` })),
  ]);
}
