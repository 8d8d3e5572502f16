import { t } from "../text/messages.ts";
import { Dialog } from "../ui/dialog.tsx";
import type { PlaceGroup } from "./navigation.ts";

export function KeyHelp({
  groups,
  isOpen,
  onClose,
}: {
  readonly groups: readonly PlaceGroup[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const places = groups.flatMap(({ places: some }) =>
    some.flatMap(({ key, title }) => (key === undefined ? [] : [[`g ${key}`, t(title)] as const])),
  );
  const rows = [
    [t("palette.key"), t("palette.title")],
    ["/", t("palette.title")],
    ["j", t("keys.down")],
    ["k", t("keys.up")],
    ["Enter", t("keys.open")],
    ["x", t("keys.select")],
    ["c", t("keys.copy")],
    ["e", t("keys.export")],
    ...places,
    ["?", t("keys.help")],
  ] as const;
  return (
    <Dialog title={t("keys.help")} isOpen={isOpen} onClose={onClose}>
      <dl className="grid grid-cols-[5rem_1fr] gap-y-1 text-form">
        {rows.map(([key, what]) => (
          <div key={key} className="col-span-2 grid grid-cols-subgrid">
            <dt>
              <kbd className="rounded-control border border-line bg-panel px-1.5 font-mono text-code">
                {key}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
