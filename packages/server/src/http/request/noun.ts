/**
 * The reads of a noun as data. A `Noun` holds what its operations share; `listAll` and `getOne` make whole operations of it, and
 * `listFacts`, `getFacts`, `pageOf` and `shown` are their parts, for reads with rules of their own.
 */
import Type, { type TSchema } from "typebox";
import type { IdKind } from "../../domain/id-kinds.ts";
import type { Capability } from "../../domain/people/role.ts";
import { Refusal, type RefusalCode } from "../../engine/refusal.ts";
import type { Reads } from "../../postgres/database.ts";
import { present } from "../../std/assert.ts";
import type { Condition, ListPage, ListQuery } from "../../tables/list-query.ts";
import { listOf } from "../../wire/fields.ts";
import { pathId } from "../../wire/id-fields.ts";
import { requireId } from "../../wire/ids.ts";
import { seekerOf } from "../search/seeker.ts";
import { expandParameter, jsonWithParties, type PartiesOf } from "./expand.ts";
import { answerList } from "./list.ts";
import { type AnswerNote, defineOperation, type Operation } from "./operation.ts";
import { pageParameters } from "./paging.ts";
import { conditionsIn, type Filters, fieldsOf, foundIn } from "./read-filters.ts";
import type { Services } from "./services.ts";

/** The schema of an object in answers, with an example. */
interface Shown {
  readonly schema: TSchema;
  readonly example: unknown;
}

export interface NounFacts extends Shown {
  /** The path of the list; the path of one object is below it. */
  readonly path: string;
  readonly tag: string;
  /** The capability that a person needs to read it. */
  readonly capability: Capability;
}

export interface Noun<Row> extends NounFacts {
  readonly json: (row: Row, platformId: string) => string;
  /** With it, `expand=parties` adds these parties to the object. */
  readonly partiesOf?: PartiesOf<Row>;
}

interface ReadSpec<Row> extends Noun<Row> {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
}

export interface ListSpec<Row extends { readonly id: string }> extends ReadSpec<Row> {
  /** The description of the answer, which names the order of the rows; newest first when absent. */
  readonly answer?: string;
  /** Conditions that every row of the list meets. */
  readonly where?: readonly Condition[];
  readonly filters?: Filters;
  readonly list: (reads: Reads, query: ListQuery) => Promise<ListPage<Row>>;
}

export interface GetSpec<Row> extends ReadSpec<Row> {
  readonly answer: string;
  /** The name of the id in the path, and the kind of object that it names. */
  readonly param: string;
  readonly kind: IdKind;
  readonly find: (reads: Reads, platformId: string, id: string) => Promise<Row | undefined>;
  /** The refusal for an object that does not exist; REFERENCE_NOT_FOUND when absent. */
  readonly missing?: RefusalCode;
  readonly notesRead?: true;
}

/** The type of the rows follows from `json`. */
export function defineNoun<Row>(noun: Noun<Row>): Noun<Row> {
  return noun;
}

/** An answer with one object. */
export function shown({ schema, example }: Shown, description: string): AnswerNote {
  return { description, schema, example };
}

/** An answer with a page of objects. */
export function pageOf({ schema, example }: Shown, description = "Newest first."): AnswerNote {
  const page = { data: [example], hasMore: false, totalCount: 1 };
  return { description, schema: listOf(schema), example: page };
}

/** An answer with a page of objects that are not counted. */
export function uncountedPageOf(
  { schema, example }: Shown,
  description = "Newest first.",
): AnswerNote {
  return { description, schema: listOf(schema), example: { data: [example], hasMore: false } };
}

function readFacts({ tag, capability }: NounFacts) {
  return { method: "GET", access: "VIEW", tag, capability } as const;
}

/** The facts that every list of the noun shares. */
export function listFacts(noun: NounFacts, answer?: string) {
  const answers = { 200: pageOf(noun, answer) };
  return { ...readFacts(noun), path: noun.path, answers, refusals: ["INVALID_INPUT"] } as const;
}

/** The facts that every read of one object shares. */
export function getFacts(noun: NounFacts, answer: string) {
  return { ...readFacts(noun), answers: { 200: shown(noun, answer) } } as const;
}

export function listAll<Row extends { readonly id: string }>(
  spec: ListSpec<Row>,
): Operation<Services> {
  const { id: operationId, summary, description, answer, where = [], filters = {} } = spec;
  return defineOperation({
    ...listFacts(spec, answer),
    id: operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    query: Type.Object({ ...fieldsOf(filters), ...expandOf(spec), ...pageParameters }),
    handle: async ({ principal, query }, services: Services) =>
      answerList(services, {
        operationId,
        principal,
        query,
        load: async (page) =>
          spec.list(services.reads, {
            ...page,
            conditions: [
              ...where,
              ...conditionsIn(filters, query),
              ...(await foundIn(filters, query, seekerOf(services.reads, principal))),
            ],
          }),
        idOf: ({ id }) => id,
        toJson: (row) => spec.json(row, principal.platformId),
        ...(spec.partiesOf === undefined ? {} : { partiesOf: spec.partiesOf }),
      }),
  });
}

/** The parameter of a noun that has parties. */
function expandOf({ partiesOf }: { readonly partiesOf?: unknown }) {
  return partiesOf === undefined ? {} : expandParameter;
}

export function getOne<Row>(spec: GetSpec<Row>): Operation<Services> {
  const { id, path, param, kind, summary, description, answer, notesRead } = spec;
  const { missing = "REFERENCE_NOT_FOUND" } = spec;
  return defineOperation({
    ...getFacts(spec, answer),
    id,
    path: `${path}/{${param}}`,
    summary,
    ...(description === undefined ? {} : { description }),
    ...(notesRead === undefined ? {} : { notesRead }),
    params: Type.Object({ [param]: pathId(kind) }),
    ...(spec.partiesOf === undefined ? {} : { query: Type.Object(expandParameter) }),
    refusals: [missing],
    async handle({ principal: { platformId }, params, query }, { reads }: Services) {
      const raw = present(params[param], `the ${param} of the path`);
      const found = await spec.find(reads, platformId, requireId(kind, raw, missing));
      if (found === undefined) throw new Refusal(missing);
      // Without the parameter the operation has no query at all.
      const { expand }: { readonly expand?: string } = query ?? {};
      const body = await shownOne(reads, found, { platformId, ...spec, expand });
      return { status: 200, body };
    },
  });
}

/** The JSON of one object, with its parties where the call asks for them. */
export async function shownOne<Row>(
  reads: Reads,
  row: Row,
  { platformId, json, partiesOf, expand }: Expanded<Row>,
): Promise<string> {
  const toJson = (one: Row) => json(one, platformId);
  if (expand === undefined || partiesOf === undefined) return toJson(row);
  const [text] = await jsonWithParties(reads, { platformId, rows: [row], partiesOf, toJson });
  return present(text, "the JSON of the object");
}

interface Expanded<Row> extends Pick<Noun<Row>, "json" | "partiesOf"> {
  readonly platformId: string;
  readonly expand?: string | undefined;
}
