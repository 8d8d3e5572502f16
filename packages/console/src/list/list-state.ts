/** The state of a list, all of which is in the URL. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { MessageKey } from "../text/messages.ts";
import { decimalsFor, readAmount } from "../text/money.ts";
import { daysAgo } from "../text/time.ts";
import type { Filter, ListQuery, ListTab } from "./list-spec.ts";

export const PAGE_SIZES = ["25", "50", "100"] as const;
const DEFAULT_SIZE = "25";

export type Search = Readonly<Record<string, string>>;

export interface ListState {
  readonly search: Search;
  readonly size: string;
  readonly tab: string;
  /** The values of active filters, by name. */
  readonly set: Readonly<Record<string, string>>;
  /** The query of the operation. */
  readonly query: ListQuery;
  readonly hasFilters: boolean;
  /** `isReplacing`: the browser's way back leads past the present state. */
  change(parts: Readonly<Record<string, string | undefined>>, isReplacing?: boolean): void;
}

const DAYS: Readonly<Record<string, number>> = { "1d": 1, "7d": 7, "30d": 30, "90d": 90 };
export const PERIODS = Object.keys(DAYS);

interface Listed {
  readonly filters: readonly Filter[];
  readonly tabs?: readonly ListTab[] | undefined;
  readonly search?: MessageKey | undefined;
}

/** The parameter of the box above a list. */
export const SEARCH = "q";

export function useListState({ filters: chips, tabs, search: hint }: Listed): ListState {
  const box: readonly Filter[] =
    hint === undefined ? [] : [{ name: SEARCH, label: hint, kind: "text" }];
  const filters = [...box, ...chips];
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const tab = tabs?.find(({ id }) => id === search.tab) ?? tabs?.[0];
  const size = PAGE_SIZES.find((one) => one === search.limit) ?? DEFAULT_SIZE;
  const set = Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = search[name];
      return value === undefined || value === "" ? [] : [[name, value]];
    }),
  );
  return {
    search,
    size,
    tab: tab?.id ?? "",
    set,
    hasFilters: Object.keys(set).length > 0 || (tab !== undefined && tab.id !== tabs?.[0]?.id),
    query: {
      ...tab?.query,
      ...valuesOf(filters, set),
      limit: size,
      ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
    },
    change(parts, isReplacing = false) {
      const next = { ...search, ...parts };
      const kept = Object.entries(next).filter(([, value]) => value !== undefined && value !== "");
      navigate({ to: ".", search: Object.fromEntries(kept) as never, replace: isReplacing });
    },
  };
}

function valuesOf(filters: readonly Filter[], set: Readonly<Record<string, string>>): ListQuery {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = set[filter.name];
      if (value === undefined) return [];
      const sent = sentValue(filter, value, set.currency);
      return sent === undefined ? [] : [[filter.name, sent]];
    }),
  );
}

/** Undefined for a text that is no amount. */
function sentValue({ kind }: Filter, value: string, currency = ""): string | undefined {
  if (kind === "period") return sinceOf(value);
  if (kind !== "amount") return value;
  return readAmount(value, decimalsFor(currency))?.toString();
}

/** Rounded down to the minute, so that repeated reads have the same query and share a cache entry. */
function sinceOf(period: string): string {
  const since = daysAgo(DAYS[period] ?? 7);
  return `${since.slice(0, 16)}:00.000Z`;
}
