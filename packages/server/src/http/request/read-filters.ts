/**
 * The filters of a list as data: each is the schema of a query parameter and the conditions that its value puts on the rows.
 * `listAll` asks them in the order in which they are written. The values have been validated by the schemas.
 */
import Type, { type TProperties, type TSchema } from "typebox";
import type { IdKind } from "../../domain/id-kinds.ts";
import type { SearchableList } from "../../domain/platforms/searchable-metadata.ts";
import { currencyFacet } from "../../tables/facets.ts";
import type { Condition } from "../../tables/list-query.ts";
import type { Facet } from "../../tables/list-totals.ts";
import { dateTimeParameter } from "../../wire/fields.ts";
import { customerIdParameter, idField } from "../../wire/id-fields.ts";
import { queryId } from "../../wire/ids.ts";
import { textParameter } from "../search/found-conditions.ts";
import { metadataConditions, metadataParameter } from "../search/metadata-filter.ts";
import type { Seeker } from "../search/seeker.ts";
import { createdConditions, currencyParameter, when, whenFacet } from "./filters.ts";

type Conditions = readonly (Condition | undefined)[];

export interface Filter {
  readonly field: TSchema;
  readonly conditionsOf: (value: string | undefined) => Conditions;
  /** The condition that follows from a search of the text, in place of `conditionsOf`. */
  readonly find?: (seeker: Seeker, text: string) => Promise<Condition | undefined>;
  /** The conditions of a parameter with members, in place of `conditionsOf`. */
  readonly findMembers?: (
    seeker: Seeker,
    members: Readonly<Record<string, string>>,
  ) => Promise<Conditions>;
}

export type Filters = Readonly<Record<string, Filter>>;

/** A condition with the text of the parameter as its value. */
export function byText(field: TSchema, sql: Condition["sql"]): Filter {
  return { field, conditionsOf: (value) => [when(value, sql)] };
}

export function byEnum(values: readonly string[], sql: Condition["sql"]): Filter {
  return byText(Type.Optional(Type.Enum([...values])), sql);
}

/** Filters by what a search of the text finds. */
export function bySearch(description: string, find: NonNullable<Filter["find"]>): Filter {
  return { field: textParameter(description), conditionsOf: () => [], find };
}

/** Filters by the keys of metadata that the platform has declared. */
export function byMetadata(list: SearchableList): Filter {
  return {
    field: metadataParameter,
    conditionsOf: () => [],
    findMembers: (seeker, members) => metadataConditions(seeker, list, members),
  };
}

/** Filters by a column by which the totals of the list are stored. */
export function byFacet(
  facet: Pick<Facet<never>, "name" | "sql">,
  values: readonly string[],
): Filter {
  const field = Type.Optional(Type.Enum([...values]));
  return { field, conditionsOf: (value) => [whenFacet(value, facet)] };
}

export const byCurrency: Filter = {
  field: currencyParameter,
  conditionsOf: (value) => [whenFacet(value, currencyFacet)],
};

/** Filters by the id of another object, which `column` holds. */
export function byId(
  kind: IdKind,
  column: string,
  field: TSchema = Type.Optional(idField(kind)),
): Filter {
  return { field, conditionsOf: (value) => [when(queryId(kind, value), `${column} = ?::uuid`)] };
}

export const byCustomer = byId("Customer", "t.customer_id", customerIdParameter());

export function createdFrom(description: string): Filter {
  return {
    field: dateTimeParameter(description),
    conditionsOf: (value) => createdConditions(value, undefined),
  };
}

export function createdTo(description: string): Filter {
  return {
    field: dateTimeParameter(description),
    conditionsOf: (value) => createdConditions(undefined, value),
  };
}

/** The schemas of the query parameters. */
export function fieldsOf(filters: Filters): TProperties {
  return Object.fromEntries(Object.entries(filters).map(([name, { field }]) => [name, field]));
}

export function conditionsIn(
  filters: Filters,
  query: Readonly<Record<string, unknown>>,
): Conditions {
  return Object.entries(filters).flatMap(([name, { conditionsOf }]) => {
    const value = query[name];
    return conditionsOf(typeof value === "string" ? value : undefined);
  });
}

/** The conditions of the filters that search. */
export async function foundIn(
  filters: Filters,
  query: Readonly<Record<string, unknown>>,
  seeker: Seeker,
): Promise<Conditions> {
  const found: (Condition | undefined)[] = [];
  for (const [name, { find, findMembers }] of Object.entries(filters)) {
    const value = query[name];
    if (find !== undefined && typeof value === "string") found.push(await find(seeker, value));
    if (findMembers !== undefined && typeof value === "object")
      found.push(...(await findMembers(seeker, value as Readonly<Record<string, string>>)));
  }
  return found;
}
