/**
 * The filters of a list by metadata: of the keys that the platform has declared, and of those in the address, so that a link is right before the
 * configuration has been read.
 */
import { useSearch } from "@tanstack/react-router";
import { useMay, useRead } from "../api/platform.ts";
import { t } from "../text/messages.ts";
import type { Filter } from "./list-spec.ts";
import type { Search } from "./list-state.ts";

/** A call takes so many. */
const MOST_AT_ONCE = 3;
const NAME = /^metadata\[([A-Za-z0-9_.-]{1,40})\]$/;

interface Listed {
  readonly filters: readonly Filter[];
  readonly byMetadata?: true;
}

/** The filters of the list with those by metadata. */
export function useFilters({ filters, byMetadata }: Listed): readonly Filter[] {
  const search: Search = useSearch({ strict: false });
  const may = useMay("settings.read", "pii.read");
  const isOff = byMetadata === undefined || !may;
  const { data } = useRead<"getConfig">({ method: "GET", path: ["config"] }, { isOff });
  if (byMetadata === undefined) return filters;
  const active = metadataNames(search);
  const declared = (may ? (data?.searchableMetadata ?? []) : []).map((key) => `metadata[${key}]`);
  const names = active.length < MOST_AT_ONCE ? [...active, ...declared] : active;
  return [...filters, ...[...new Set(names)].toSorted().map(byName)];
}

/** The parameters of the address by which a list is filtered by metadata. */
export function metadataNames(search: Search): readonly string[] {
  return Object.keys(search).filter((name) => NAME.test(name) && search[name] !== "");
}

function byName(name: string): Filter {
  const key = NAME.exec(name)?.[1] ?? name;
  return { name, label: "filter.metadata", labelText: t("filter.metadata", { key }), kind: "text" };
}
