/** Filters as chips. A chip opens an editor for its value; its cross removes the filter. */
import { ListFilter, X } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { useRead } from "../api/platform.ts";
import { t } from "../text/messages.ts";
import { Button } from "../ui/button.tsx";
import { ChoiceInput, TextInput } from "../ui/fields.tsx";
import type { Filter, FilterChoice } from "./list-spec.ts";
import { type ListState, PERIODS } from "./list-state.ts";

export function FilterBar({
  filters,
  state,
}: {
  readonly filters: readonly Filter[];
  readonly state: ListState;
}) {
  const active = filters.filter(({ name }) => state.set[name] !== undefined);
  const set = (name: string, value: string | undefined) =>
    state.change({ [name]: value, cursor: undefined });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {active.map((filter) => (
        <Chip
          key={filter.name}
          filter={filter}
          value={state.set[filter.name] ?? ""}
          onChange={(value) => set(filter.name, value)}
        />
      ))}
      {active.length < filters.length && (
        <AddFilter
          filters={filters.filter((filter) => !active.includes(filter))}
          onAdd={(name, value) => set(name, value)}
        />
      )}
      {active.length > 1 && (
        <Button
          weight="quiet"
          isSmall
          onPress={() =>
            state.change({
              ...Object.fromEntries(active.map(({ name }) => [name, undefined])),
              cursor: undefined,
            })
          }
        >
          {t("list.clear")}
        </Button>
      )}
    </div>
  );
}

const labelOf = ({ label, labelText }: Filter) => labelText ?? t(label);

const popoverLook = "w-72 rounded-panel border border-line bg-raised p-3 shadow-raised";

function Chip({
  filter,
  value,
  onChange,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onChange: (value: string | undefined) => void;
}) {
  const name = labelOf(filter);
  const choices = useChoices(filter);
  const word = wordOfValue(filter, value, choices);
  return (
    <span className="tint-accent inline-flex h-7 max-w-full items-center rounded-control text-body pointer-coarse:h-11">
      <DialogTrigger>
        <AriaButton className="max-w-72 truncate rounded-control ps-2 pe-1">
          {filter.kind === "period"
            ? t("filter.chipPeriod", { name, word })
            : t("filter.chip", { name, word })}
        </AriaButton>
        <Popover className={popoverLook}>
          <Dialog aria-label={name} className="outline-none">
            {({ close }) => (
              <ValueForm
                filter={filter}
                value={value}
                onApply={(next) => {
                  onChange(next);
                  close();
                }}
              />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      <AriaButton
        aria-label={t("filter.remove", { name })}
        onPress={() => onChange(undefined)}
        className="flex h-full min-w-6 items-center justify-center rounded-control hover:bg-panel"
      >
        <X size={13} aria-hidden />
      </AriaButton>
    </span>
  );
}

function AddFilter({
  filters,
  onAdd,
}: {
  readonly filters: readonly Filter[];
  readonly onAdd: (name: string, value: string) => void;
}) {
  const [chosen, setChosen] = useState("");
  const filter = filters.find(({ name }) => name === chosen);
  return (
    <DialogTrigger onOpenChange={() => setChosen("")}>
      <AriaButton className="inline-flex h-7 items-center gap-1.5 rounded-control border border-strong border-dashed px-2 text-body text-soft hover:text-ink pointer-coarse:h-11">
        <ListFilter size={13} aria-hidden />
        {t("filter.add")}
      </AriaButton>
      <Popover className={popoverLook}>
        <Dialog aria-label={t("filter.add")} className="flex flex-col gap-3 outline-none">
          {({ close }) => (
            <>
              {filter === undefined ? (
                <ul className="-m-1 max-h-[60dvh] overflow-y-auto">
                  {filters.map((each) => (
                    <li key={each.name}>
                      <AriaButton
                        onPress={() => setChosen(each.name)}
                        className="flex h-8 w-full items-center rounded-control px-2 text-form hover:bg-panel pointer-coarse:h-11"
                      >
                        {labelOf(each)}
                      </AriaButton>
                    </li>
                  ))}
                </ul>
              ) : (
                <ValueForm
                  key={filter.name}
                  filter={filter}
                  value=""
                  onApply={(value) => {
                    close();
                    if (value !== undefined) onAdd(filter.name, value);
                  }}
                />
              )}
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function ValueForm({
  filter,
  value,
  onApply,
}: {
  readonly filter: Filter;
  readonly value: string;
  readonly onApply: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value);
  const choices = useChoices(filter);
  const label = labelOf(filter);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    onApply(text.trim() === "" ? undefined : text.trim());
  };
  return (
    <form onSubmit={apply} className="flex flex-col gap-3">
      {filter.kind === "text" || filter.kind === "amount" ? (
        <TextInput
          label={label}
          value={text}
          onChange={setText}
          placeholder={filter.kind === "amount" ? "1,250.00" : filter.placeholder}
          autoFocus
        />
      ) : (
        <ChoiceInput
          label={label}
          placeholder={t("form.choose")}
          choices={choices}
          value={text}
          onChange={setText}
        />
      )}
      <div className="flex justify-end">
        <Button type="submit" weight="primary" isSmall>
          {t("filter.apply")}
        </Button>
      </div>
    </form>
  );
}

/** Objects that a filter offers by their names are read when the filter is shown. */
function useChoices(filter: Filter): readonly FilterChoice[] {
  const query = { limit: MOST_CHOICES };
  const isCaller = filter.kind === "caller";
  const connections = useRead<"listRailConnections">(
    { method: "GET", path: ["rails", "connections"], query },
    { isOff: filter.kind !== "connection" },
  );
  const tokens = useRead<"listTokens">(
    { method: "GET", path: ["tokens"], query },
    { isOff: !isCaller },
  );
  const agents = useRead<"listAgents">(
    { method: "GET", path: ["agents"], query },
    { isOff: !isCaller },
  );
  if (filter.kind === "choice") return filter.choices;
  if (filter.kind === "period")
    return PERIODS.map((value) => ({ value, label: periodWord(value) }));
  const named = isCaller ? [tokens, agents] : [connections];
  return named.flatMap(({ data }) =>
    (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  );
}

const MOST_CHOICES = 100;

function wordOfValue(filter: Filter, value: string, choices: readonly FilterChoice[]): string {
  if (filter.kind === "period") return periodWord(value);
  if (filter.kind === "text" || filter.kind === "amount") return value;
  const known = choices.find((choice) => choice.value === value)?.label;
  return known ?? (filter.kind === "choice" ? value : "\u2026");
}

function periodWord(value: string): string {
  return t("filter.lastDays", { count: Number.parseInt(value, 10) || 7 });
}
