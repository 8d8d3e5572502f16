/** Buttons for the first, previous and next page; a list with keyset cursors has no page numbers. */
import { ChevronLeft, ChevronRight, ChevronsLeft } from "lucide-react";
import { t } from "../text/messages.ts";
import { IconButton } from "../ui/button.tsx";
import { type ListState, PAGE_SIZES } from "./list-state.ts";

/** The page before each cursor. A page that was opened by its URL has none, so it can only go back to the first. */
const before = new Map<string, string | undefined>();

export function Pager({
  state,
  nextCursor,
  total,
  rows,
}: {
  readonly state: ListState;
  readonly nextCursor: string | undefined;
  readonly total: number | undefined;
  readonly rows: number;
}) {
  const { cursor } = state.search;
  // A filter without an index has no total, but a first page without a next one is all there is.
  const isOnly = cursor === undefined && nextCursor === undefined;
  const all = total ?? (isOnly ? rows : undefined);
  const next = () => {
    if (nextCursor === undefined) return;
    before.set(nextCursor, cursor);
    state.change({ cursor: nextCursor });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-3 text-body text-soft">
      <span className="tabular-nums" role="status">
        {all === undefined ? t("list.shown", { rows }) : t("list.total", { total: all })}
      </span>
      <div className="flex items-center gap-1">
        <label className="me-3 flex items-center gap-2 max-rail:hidden">
          {t("list.size")}
          <select
            value={state.size}
            onChange={(event) => state.change({ limit: event.target.value, cursor: undefined })}
            className="h-7 rounded-control border border-strong bg-ground px-1 text-ink"
          >
            {PAGE_SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </select>
        </label>
        <IconButton
          label={t("list.first")}
          isDisabled={cursor === undefined}
          onPress={() => state.change({ cursor: undefined })}
        >
          <ChevronsLeft size={16} aria-hidden />
        </IconButton>
        <IconButton
          label={t("list.previous")}
          isDisabled={cursor === undefined || !before.has(cursor)}
          onPress={() => state.change({ cursor: before.get(cursor ?? "") })}
        >
          <ChevronLeft size={16} aria-hidden />
        </IconButton>
        <IconButton label={t("list.next")} isDisabled={nextCursor === undefined} onPress={next}>
          <ChevronRight size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}
