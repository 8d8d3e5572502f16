/** A searchable tree of event types. A chosen group includes all of its types. An empty choice means every type. */
import { useState } from "react";
import { t } from "../../../text/messages.ts";
import { CheckInputs, TextInput } from "../../../ui/fields.tsx";
import { type EventGroup, eventGroups } from "../event-types.ts";

export function TypeTree({
  label,
  error,
  value,
  onChange,
}: {
  readonly label: string;
  readonly error: string | undefined;
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}) {
  const [search, setSearch] = useState("");
  const groups = eventGroups.flatMap((group) => matching(group, search.trim().toLowerCase()));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="pb-1 text-body font-medium">{label}</legend>
      <TextInput label={t("webhooks.searchTypes")} value={search} onChange={setSearch} />
      <p className="text-caption text-soft" aria-live="polite">
        {value.length === 0 ? t("webhooks.everyType") : value.join(", ")}
      </p>
      {error !== undefined && <p className="text-caption text-bad">{error}</p>}
      <div className="max-h-64 overflow-y-auto rounded-control border border-line px-3 py-2">
        {groups.length === 0 && <p className="text-body text-soft">{t("webhooks.noType")}</p>}
        {groups.map((group) => (
          <CheckInputs
            key={group.pattern}
            label={group.name}
            choices={[
              { value: group.pattern, label: t("events.allOf", { name: group.name }) },
              ...group.types.map(({ type, meaning }) => ({
                value: type,
                label: type,
                hint: meaning,
              })),
            ]}
            value={checkedIn(group, value)}
            onChange={(checked) => onChange(changed(value, group, checked))}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** Filters the group to the types whose name or meaning contains the text. */
function matching(group: EventGroup, search: string): readonly EventGroup[] {
  const types = group.types.filter(({ type, meaning }) =>
    `${type} ${meaning}`.toLowerCase().includes(search),
  );
  return types.length === 0 ? [] : [{ ...group, types }];
}

function typesOf({ name }: EventGroup): readonly string[] {
  const whole = eventGroups.find((group) => group.name === name);
  return whole?.types.map(({ type }) => type) ?? [];
}

function checkedIn(group: EventGroup, value: readonly string[]): readonly string[] {
  return value.includes(group.pattern) ? [group.pattern, ...typesOf(group)] : value;
}

/** Choosing a group replaces its single types. Removing one type of a chosen group replaces the group by its other types. */
function changed(
  value: readonly string[],
  group: EventGroup,
  checked: readonly string[],
): readonly string[] {
  const all = typesOf(group);
  const others = value.filter((one) => one !== group.pattern && !all.includes(one));
  const was = value.includes(group.pattern);
  const isWhole = checked.includes(group.pattern);
  if (!was && isWhole) return [...others, group.pattern];
  if (was && !isWhole) return others;
  const chosen = all.filter((type) => checked.includes(type));
  if (was && chosen.length === all.length) return value;
  return [...others, ...chosen];
}
