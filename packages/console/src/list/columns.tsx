/** Chooses the columns of a list. The choice is stored in this browser. */
import { Columns3 } from "lucide-react";
import { useState } from "react";
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from "react-aria-components";
import { recall, remember } from "../std/storage.ts";
import { t } from "../text/messages.ts";
import { CheckInputs } from "../ui/fields.tsx";
import type { Column } from "./list-spec.ts";

export function useColumns<Row>(name: string, columns: readonly Column<Row>[]) {
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    const kept = recall(`columns.${name}`)?.split(",");
    return kept ?? columns.filter(({ isExtra }) => isExtra !== true).map(({ id }) => id);
  });
  const [first, ...rest] = columns;
  const shown = [
    ...(first === undefined ? [] : [first]),
    ...rest.filter(({ id }) => chosen.includes(id)),
  ];
  return {
    shown,
    chosen,
    choose(next: readonly string[]) {
      setChosen(next);
      remember(`columns.${name}`, next.join(","));
    },
  };
}

/** The first column links to the object, so it cannot be hidden. */
export function ColumnChooser<Row>({
  columns,
  chosen,
  onChoose,
}: {
  readonly columns: readonly Column<Row>[];
  readonly chosen: readonly string[];
  readonly onChoose: (next: readonly string[]) => void;
}) {
  return (
    <DialogTrigger>
      <AriaButton
        aria-label={t("list.columns")}
        className="inline-flex size-8 items-center justify-center rounded-control text-soft hover:bg-panel hover:text-ink max-rail:hidden"
      >
        <Columns3 size={16} aria-hidden />
      </AriaButton>
      <Popover className="w-56 rounded-panel border border-line bg-raised p-3 shadow-raised">
        <Dialog aria-label={t("list.columns")} className="outline-none">
          <CheckInputs
            label={t("list.columns")}
            choices={columns.slice(1).map(({ id, title }) => ({ value: id, label: t(title) }))}
            value={chosen}
            onChange={onChoose}
          />
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
