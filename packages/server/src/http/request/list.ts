/** Runs a list operation: decodes the cursor, loads a page, and writes the envelope. */

import type { Answer } from "../../engine/command.ts";
import type { ListPage, ListQuery } from "../../tables/list-query.ts";
import { jsonWithParties, type PartiesOf } from "./expand.ts";
import type { Caller } from "./operation.ts";
import { toListBody } from "./paging.ts";
import type { Services } from "./services.ts";

interface PageParameters {
  readonly limit: number;
  readonly cursor?: string;
  readonly expand?: string;
}

type Load<Page> = (page: Pick<ListQuery, "platformId" | "after" | "limit">) => Promise<Page>;

export interface ListSource<Row> {
  readonly load: Load<ListPage<Row>>;
  readonly idOf: (row: Row) => string;
  readonly toJson: (row: Row) => string;
  /** The parties that `expand=parties` adds to each row. */
  readonly partiesOf?: PartiesOf<Row>;
}

interface Call<Query extends PageParameters> {
  readonly operationId: string;
  readonly principal: Pick<Caller, "platformId">;
  readonly query: Query;
}

export interface ListOptions<Query extends PageParameters, Row>
  extends ListSource<Row>,
    Call<Query> {}

export function answerList<Query extends PageParameters, Row>(
  services: Services,
  options: ListOptions<Query, Row>,
): Promise<Answer> {
  return answerPage(services, { ...options, positionOf: options.idOf });
}

interface PageMore {
  readonly totalCount?: number | undefined;
  /** The position after which the next page begins, when that is not the position of the last row. */
  readonly end?: string | undefined;
}

export interface PageOptions<Query extends PageParameters, Row> extends Call<Query> {
  readonly load: Load<Omit<ListPage<Row>, "totalCount"> & PageMore>;
  /** The text that the cursor holds. */
  readonly positionOf: (row: Row) => string;
  readonly toJson: (row: Row) => string;
  readonly partiesOf?: PartiesOf<Row>;
}

/** Runs a list whose position is not an id, or whose rows may be uncounted. */
export async function answerPage<Query extends PageParameters, Row>(
  { cursors, reads }: Services,
  options: PageOptions<Query, Row>,
): Promise<Answer> {
  const { principal, operationId, query, toJson, partiesOf } = options;
  const { limit, cursor, expand, ...filters } = query;
  const { platformId } = principal;
  const binding = { platformId, operationId, filters };
  const after = cursor === undefined ? undefined : cursors.read(cursor, binding)[0];
  const page = await options.load({ platformId, after, limit });
  const last = page.rows.at(-1);
  const end = page.end ?? (last && options.positionOf(last));
  const { rows } = page;
  const texts =
    expand === undefined || partiesOf === undefined
      ? rows.map(toJson)
      : await jsonWithParties(reads, { platformId, rows, partiesOf, toJson });
  return {
    status: 200,
    body: toListBody(texts, {
      hasMore: page.hasMore,
      nextCursor: end === undefined ? undefined : cursors.write([end], binding),
      totalCount: page.totalCount,
    }),
  };
}
