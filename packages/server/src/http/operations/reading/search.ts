import Type from "typebox";
import { readParties } from "../../../domain/reading/parties/parties.sql.ts";
import { indexState } from "../../../domain/reading/search/find.sql.ts";
import { idKinds } from "../../../domain/reading/search/find-id.sql.ts";
import { SearchSchema, searchExample, searchJson } from "../../../wire/reading/search.ts";
import { expandParameter } from "../../request/expand.ts";
import { defineOperation, route } from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";
import { searchObjects } from "../../search/search-objects.ts";
import { seekerOf } from "../../search/seeker.ts";

const MOST_OF_KIND = 5;

export const search = defineOperation({
  id: "search",
  ...route("GET /search", "VIEW", "overview.read"),
  tag: "Search",
  summary: "Search",
  description:
    "Finds an object by its id, with or without its kind; by a reference: of a payment, of a bank's entry, or one that a payer quotes; and customers, " +
    "beneficial owners, external accounts, agents and transactions by the beginnings of words: of names, `platformCustomerId`, descriptions, UMA and mail " +
    "addresses, by a phone number, the last four characters of an account, or an exact amount (`3012.50`, `3,012.50 usd`, `3.012,50`). Where a text names " +
    "customers or external accounts and no transaction, their latest transactions are found. Case and accents do not matter. Whole words come before " +
    "beginnings. The index follows the events of the platform: `indexedTo` says how far it is. Of several frequent words the latest objects of each are searched.",
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["ana ruiz"] }),
    kinds: Type.Optional(Type.Array(Type.Enum([...idKinds]), { minItems: 1, maxItems: 30 })),
    limit: Type.Integer({
      minimum: 1,
      maximum: MOST_OF_KIND,
      default: MOST_OF_KIND,
      description: "Of each kind.",
    }),
    ...expandParameter,
  }),
  answers: {
    200: { description: "By kind.", schema: SearchSchema, example: searchExample },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query }, { reads }: Services) {
    const { q, kinds = idKinds, limit, expand } = query;
    const { platformId } = principal;
    const { withPersonal, allowed } = seekerOf(reads, principal);
    // Read before the search, so that the results are at least as new as this state.
    const state = await indexState(reads, platformId);
    const found = await searchObjects(reads, platformId, {
      text: q,
      kinds: kinds.filter((kind) => allowed.includes(kind)),
      allowed,
      withPersonal,
      limit,
    });
    const sides = found.flatMap(({ hit: { sides } }) => [sides?.from, sides?.to]);
    const wanted = sides.filter((side) => side !== undefined);
    const parties = expand === undefined ? undefined : await readParties(reads, platformId, wanted);
    return { status: 200, body: searchJson(found, { state, withPersonal, parties }) };
  },
});
