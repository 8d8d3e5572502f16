/** The list view of every resource: filters, rows, paging, and the loading, empty and error states. */
import { RotateCw } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSteadyRead } from "../api/live/steady.ts";
import type { Item, ListId } from "../api/operations.ts";
import { useMay } from "../api/platform.ts";
import { t } from "../text/messages.ts";
import { curlCall } from "../ui/api-call.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { classes } from "../ui/classes.ts";
import { PageHead } from "../ui/page-head.tsx";
import { Empty, Problem, Skeleton } from "../ui/states.tsx";
import { useWidth } from "../ui/use-width.ts";
import { ColumnChooser, useColumns } from "./columns.tsx";
import { FilterBar } from "./filter-bar.tsx";
import type { ListSpec } from "./list-spec.ts";
import { type ListState, useListState } from "./list-state.ts";
import { useFilters } from "./metadata-filters.ts";
import { Pager } from "./pager.tsx";
import { useRowKeys } from "./row-keys.tsx";
import { Cards, Table } from "./rows.tsx";
import { SearchBox } from "./search-box.tsx";
import { steadyRows } from "./steady-rows.ts";

interface Listed<Row> {
  readonly data: readonly Row[];
  readonly hasMore: boolean;
  readonly nextCursor?: string | null;
  readonly totalCount?: number;
}

const BESIDE_COLUMNS = 4;

interface ResourceListProps<Id extends ListId> {
  readonly spec: ListSpec<Id>;
  /** Acts that create a row; an empty list repeats them. */
  readonly acts?: ReactNode;
  /** Tools for the shown rows, such as the export. */
  readonly tools?: ReactNode;
  readonly above?: ReactNode;
  /** The id of the row whose panel is open. */
  readonly current?: string | undefined;
  /** Shown inside a detail, so without the page's heading. */
  readonly isEmbedded?: boolean;
  /** A panel takes half of the width, so only the first columns are shown. */
  readonly isBeside?: boolean;
}

export function ResourceList<Id extends ListId>({
  spec,
  acts,
  tools,
  above,
  current,
  isEmbedded = false,
  isBeside = false,
}: ResourceListProps<Id>) {
  const filters = useFilters(spec);
  const state = useListState({ ...spec, filters });
  const columns = useColumns(spec.name, spec.columns);
  const { reading, page, steady, takeAhead } = usePage(spec, state);
  const isStale = reading.isPlaceholderData;
  return (
    <div className="min-w-0">
      {!isEmbedded && (
        <PageHead title={t(spec.title)}>
          {tools}
          {acts}
        </PageHead>
      )}
      {above}
      <div className="flex items-start justify-between gap-2 pb-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-2">
          {spec.search !== undefined && <SearchBox hint={spec.search} state={state} />}
          {spec.tabs !== undefined && <ListTabs spec={spec} state={state} />}
          <FilterBar filters={filters} state={state} />
        </div>
        <div className="flex items-center max-rail:hidden">
          <IconButton label={t("list.refresh")} onPress={() => reading.refetch()}>
            <RotateCw
              size={15}
              aria-hidden
              className={classes(reading.isFetching && "animate-spin")}
            />
          </IconButton>
          <ColumnChooser columns={spec.columns} chosen={columns.chosen} onChoose={columns.choose} />
        </div>
      </div>
      {page === undefined || steady === undefined ? (
        <Waiting error={reading.error} onRetry={() => reading.refetch()} />
      ) : (
        <div className={classes("transition-opacity", isStale && "opacity-60")} aria-busy={isStale}>
          {(steady.newCount > 0 || steady.hasGone) && (
            <NewRows count={steady.newCount} isMore={steady.isMore} onShow={takeAhead} />
          )}
          <Content
            spec={spec}
            state={state}
            page={{ ...page, data: steady.rows }}
            columns={isBeside ? columns.shown.slice(0, BESIDE_COLUMNS) : columns.shown}
            isBeside={isBeside}
            current={current}
            acts={acts}
          />
        </div>
      )}
    </div>
  );
}

/** The shown page, and what has changed since it was read. */
function usePage<Id extends ListId>(spec: ListSpec<Id>, state: ListState) {
  const { reading, ahead, isOwn, takeAhead } = useSteadyRead<Id>(spec.call(state.query), {
    isMoving: (answer) =>
      (answer as Listed<Item<Id>>).data.some((row) => spec.isMoving?.(row) === true),
    isTail: spec.isTail,
    actsLater: spec.actsLater,
  });
  const read = reading.data as Listed<Item<Id>> | undefined;
  const next = ahead as Listed<Item<Id>> | undefined;
  // An empty page has no rows to keep in place, so the newer page replaces it at once.
  const page = read?.data.length === 0 ? (next ?? read) : read;
  const steady = page && steadyRows(page.data, next?.data, spec.rowId);
  const leaves = isOwn && steady?.hasGone === true && steady.newCount === 0;
  useEffect(() => {
    if (leaves) takeAhead();
  });
  return { reading, page, steady, takeAhead };
}

/** Counts new rows above the list, so that the shown rows do not move while somebody reads or clicks them. */
function NewRows({
  count,
  isMore,
  onShow,
}: {
  readonly count: number;
  readonly isMore: boolean;
  readonly onShow: () => void;
}) {
  const shown = isMore ? `${count}+` : String(count);
  return (
    <div role="status" className="pb-2">
      <button
        type="button"
        onClick={onShow}
        className="tint-accent h-8 w-full rounded-control text-body font-medium hover:underline pointer-coarse:h-11"
      >
        {count === 0 ? t("list.changed") : t("list.new", { count: shown })}
      </button>
    </div>
  );
}

function Waiting({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return error === null ? <Skeleton rows={10} /> : <Problem error={error} onRetry={onRetry} />;
}

function Content<Id extends ListId>({
  spec,
  state,
  page,
  columns,
  isBeside,
  current,
  acts,
}: {
  readonly spec: ListSpec<Id>;
  readonly state: ListState;
  readonly page: Listed<Item<Id>>;
  readonly columns: ListSpec<Id>["columns"];
  readonly isBeside: boolean;
  readonly current: string | undefined;
  readonly acts: ReactNode;
}) {
  const width = useWidth();
  const body = useRef<HTMLDivElement>(null);
  const keys = useRowKeys();
  const { selection, selected, clear } = useSelection(spec, page.data);
  const nextCursor = page.nextCursor ?? undefined;
  if (page.data.length === 0 && nextCursor !== undefined)
    return <NothingYet state={state} nextCursor={nextCursor} />;
  if (page.data.length === 0) return <Nothing spec={spec} state={state} acts={acts} />;
  const link = { place: spec.place, rowId: spec.rowId, current };
  const caption = t(spec.title);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move between the links inside
    <div ref={body} onKeyDown={(event) => keys.onKeyDown(event, body.current)}>
      {selected.length > 0 && (
        <div
          role="status"
          className="tint-accent mb-2 flex min-h-10 flex-wrap items-center gap-3 rounded-control px-3 py-1 text-body"
        >
          <span className="tabular-nums">{t("list.selected", { count: selected.length })}</span>
          {spec.selection?.(selected, clear)}
          <Button weight="quiet" isSmall onPress={clear}>
            {t("list.unselect")}
          </Button>
        </div>
      )}
      {width === "phone" ? (
        <Cards
          caption={caption}
          rows={page.data}
          card={spec.card}
          link={link}
          selection={selection}
        />
      ) : (
        <Table
          caption={caption}
          columns={columns}
          rows={page.data}
          link={link}
          selection={selection}
          isBeside={isBeside}
        />
      )}
      <Pager
        state={state}
        nextCursor={nextCursor}
        total={page.totalCount}
        rows={page.data.length}
      />
      {keys.note}
    </div>
  );
}

/** Only shown rows can be selected: a row that leaves the page is no longer selected. */
function useSelection<Id extends ListId>(spec: ListSpec<Id>, rows: readonly Item<Id>[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const shown = rows.map(spec.rowId);
  const kept = new Set(shown.filter((id) => ids.has(id)));
  const toggle = (id: string) => {
    const next = new Set(kept);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  const toggleAll = () => setIds(new Set(kept.size === shown.length ? [] : shown));
  return {
    selection: spec.selection === undefined ? undefined : { ids: kept, toggle, toggleAll },
    selected: rows.filter((row) => kept.has(spec.rowId(row))),
    clear: () => setIds(new Set()),
  };
}

function Nothing<Id extends ListId>({
  spec,
  state,
  acts,
}: {
  readonly spec: ListSpec<Id>;
  readonly state: ListState;
  readonly acts: ReactNode;
}) {
  const mayCall = useMay("tokens.read");
  if (!state.hasFilters && state.search.cursor === undefined) {
    // The call is of use to those who look after the API keys. Others get the words and the button.
    const curl = spec.curl === undefined || !mayCall ? undefined : curlCall("GET", spec.curl);
    return <Empty sentence={t(spec.empty)} act={acts} curl={curl} />;
  }
  const cleared = Object.fromEntries(Object.keys(state.search).map((name) => [name, undefined]));
  return (
    <Empty
      sentence={t(state.search.cursor === undefined ? "list.noMatch" : "list.noFurther")}
      act={<Button onPress={() => state.change(cleared)}>{t("list.clear")}</Button>}
    />
  );
}

/** A list that is searched row by row found nothing so far. A press goes on, page by page, until rows are found or none are left. */
function NothingYet({
  state,
  nextCursor,
}: {
  readonly state: ListState;
  readonly nextCursor: string;
}) {
  const [isSearching, setSearching] = useState(false);
  useEffect(() => {
    if (isSearching) state.change({ cursor: nextCursor }, true);
  }, [isSearching, nextCursor]);
  return (
    <div aria-live="polite" aria-busy={isSearching}>
      <Empty
        sentence={t(isSearching ? "list.searching" : "list.noneYet")}
        act={
          <Button onPress={() => setSearching(!isSearching)}>
            {t(isSearching ? "list.stop" : "list.searchOn")}
          </Button>
        }
      />
    </div>
  );
}

function ListTabs<Id extends ListId>({
  spec,
  state,
}: {
  readonly spec: ListSpec<Id>;
  readonly state: ListState;
}) {
  return (
    <fieldset
      className="flex min-w-0 max-w-full items-center gap-1 overflow-x-auto"
      aria-label={t("list.tabs")}
    >
      {spec.tabs?.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          aria-pressed={state.tab === id}
          onClick={() => state.change({ tab: id, cursor: undefined })}
          className={classes(
            "h-7 rounded-control px-2 text-body font-medium pointer-coarse:h-11",
            state.tab === id ? "bg-line text-ink" : "text-soft hover:text-ink",
          )}
        >
          {t(title)}
        </button>
      ))}
    </fieldset>
  );
}
