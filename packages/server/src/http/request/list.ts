/** Runs a list operation: decodes the cursor, loads a page, and writes the envelope. */

import type { Answer } from "../../engine/command.ts";
import type { ListPage, ListQuery } from "../../tables/list-query.ts";
import type { Caller } from "./operation.ts";
import { toListBody } from "./paging.ts";
import type { Services } from "./services.ts";

interface PageParameters {
  readonly limit: number;
  readonly cursor?: string;
}

export interface ListSource<Row> {
  readonly load: (
    page: Pick<ListQuery, "platformId" | "after" | "limit">,
  ) => Promise<ListPage<Row>>;
  readonly idOf: (row: Row) => string;
  readonly toJson: (row: Row) => string;
}

export interface ListOptions<Query extends PageParameters, Row> extends ListSource<Row> {
  readonly operationId: string;
  readonly principal: Pick<Caller, "platformId">;
  readonly query: Query;
}

export async function answerList<Query extends PageParameters, Row>(
  { cursors }: Services,
  options: ListOptions<Query, Row>,
): Promise<Answer> {
  const { principal, operationId, query } = options;
  const { limit, cursor, ...filters } = query;
  const binding = { platformId: principal.platformId, operationId, filters };
  const after = cursor === undefined ? undefined : cursors.read(cursor, binding)[0];
  const page = await options.load({ platformId: principal.platformId, after, limit });
  const last = page.rows.at(-1);
  return {
    status: 200,
    body: toListBody(page.rows.map(options.toJson), {
      hasMore: page.hasMore,
      nextCursor: last === undefined ? undefined : cursors.write([options.idOf(last)], binding),
      totalCount: page.totalCount,
    }),
  };
}

export interface PageOptions<Query extends PageParameters, Row>
  extends Omit<ListOptions<Query, Row>, "load" | "idOf"> {
  readonly load: (page: Pick<ListQuery, "platformId" | "after" | "limit">) => Promise<{
    readonly rows: readonly Row[];
    readonly hasMore: boolean;
  }>;
  /** The text that the cursor holds. */
  readonly positionOf: (row: Row) => string;
}

/** The same for a list whose place is no id and whose length is not counted. */
export async function answerPage<Query extends PageParameters, Row>(
  { cursors }: Services,
  options: PageOptions<Query, Row>,
): Promise<Answer> {
  const { principal, operationId, query } = options;
  const { limit, cursor, ...filters } = query;
  const binding = { platformId: principal.platformId, operationId, filters };
  const after = cursor === undefined ? undefined : cursors.read(cursor, binding)[0];
  const { rows, hasMore } = await options.load({ platformId: principal.platformId, after, limit });
  const last = rows.at(-1);
  return {
    status: 200,
    body: toListBody(rows.map(options.toJson), {
      hasMore,
      nextCursor:
        last === undefined ? undefined : cursors.write([options.positionOf(last)], binding),
    }),
  };
}
