import Type from "typebox";
import type { IdKind } from "../../../domain/id-kinds.ts";
import type { Capability } from "../../../domain/people/role.ts";
import {
  type FoundObject,
  findByTerms,
  indexState,
} from "../../../domain/reading/search/find.sql.ts";
import { findById, idKinds } from "../../../domain/reading/search/find-id.sql.ts";
import { toSearchQuery } from "../../../domain/reading/search/query.ts";
import { searchedKinds } from "../../../domain/reading/search/searched-kinds.ts";
import { SearchSchema, searchExample, searchJson } from "../../../wire/reading/search.ts";
import {
  defineOperation,
  isPerson,
  maySeePersonalData,
  type Principal,
  route,
} from "../../request/operation.ts";
import type { Services } from "../../request/services.ts";

/** The capability that a person needs to find objects of a kind; `rails.read` for any other kind. */
const NEEDED: Readonly<Partial<Record<IdKind, Capability>>> = {
  Customer: "customers.read",
  BeneficialOwner: "customers.read",
  Verification: "customers.read",
  Document: "documents.read",
  Job: "customers.read",
  ExternalAccount: "accounts.read",
  InternalAccount: "accounts.read",
  Agent: "agents.read",
  AgentAction: "agents.read",
  Transaction: "payments.read",
  Quote: "quotes.read",
  WebhookEndpoint: "webhooks.read",
  EventResend: "deliveries.read",
  Statement: "statements.read",
  Export: "exports.create",
  Checkpoint: "ledger.read",
  Token: "tokens.read",
  RateSource: "rates.read",
};

function mayFind(principal: Principal, kind: IdKind): boolean {
  return !isPerson(principal) || principal.capabilities.has(NEEDED[kind] ?? "rails.read");
}

const MOST_OF_KIND = 5;

export const search = defineOperation({
  id: "search",
  ...route("GET /search", "VIEW", "overview.read"),
  tag: "Search",
  summary: "Search",
  description:
    "Finds an object by its id, with or without its kind, and customers, beneficial owners, external accounts, agents and transactions by the beginnings of " +
    "words: of names, references, `platformCustomerId`, descriptions, UMA and mail addresses, the last four characters of an account, or by an exact amount " +
    "(`1250.00` or `1250.00 usd`). Case and accents do not matter. The index follows the events of the platform: `indexedTo` says how far it is. Of " +
    "several frequent words the latest objects of each are searched.",
  query: Type.Object({
    q: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", examples: ["ana ruiz"] }),
    kinds: Type.Optional(Type.Array(Type.Enum([...idKinds]), { minItems: 1, maxItems: 30 })),
    limit: Type.Integer({
      minimum: 1,
      maximum: MOST_OF_KIND,
      default: MOST_OF_KIND,
      description: "Of each kind.",
    }),
  }),
  answers: {
    200: { description: "By kind.", schema: SearchSchema, example: searchExample },
  },
  refusals: ["INVALID_INPUT"],
  async handle({ principal, query: { q, kinds = idKinds, limit } }, { reads }: Services) {
    const { platformId } = principal;
    const withPersonal = maySeePersonalData(principal);
    const allowed = kinds.filter((kind) => mayFind(principal, kind));
    const asked = toSearchQuery(q);
    // Read before the search, so that the results are at least as new as this state.
    const state = await indexState(reads, platformId);
    let found: readonly FoundObject[];
    if ("id" in asked) {
      const wanted = allowed.filter((kind) => asked.kind === undefined || kind === asked.kind);
      found = await findById(reads, platformId, { id: asked.id, kinds: wanted });
    } else {
      const { alternatives } = asked;
      const own = searchedKinds.map(({ kind }) => kind).filter((kind) => allowed.includes(kind));
      found = await findByTerms(reads, platformId, {
        alternatives,
        kinds: own,
        withPersonal,
        limit,
      });
    }
    return { status: 200, body: searchJson(found, { state, withPersonal }) };
  },
});
