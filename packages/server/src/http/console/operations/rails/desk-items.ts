import Type from "typebox";
import type { RailItem } from "../../../../domain/rails/entries/rail-item.ts";
import {
  findRailItem,
  itemStates,
  listRailItems,
} from "../../../../domain/rails/entries/rail-item.ts";
import { partiesOfItems } from "../../../../domain/reading/parties/rail-parties.sql.ts";
import { findByTerms } from "../../../../domain/reading/search/find.sql.ts";
import { fold, wordsOf } from "../../../../domain/reading/search/terms.ts";
import {
  findAccounts,
  findCandidates,
  withReferences,
} from "../../../../domain/reading/suspense/candidates.sql.ts";
import { resolversOf, withEntries } from "../../../../domain/reading/suspense/desk-items.sql.ts";
import { searchItems } from "../../../../domain/reading/suspense/find-items.sql.ts";
import { suggestionsFor } from "../../../../domain/reading/suspense/suggestions.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { present } from "../../../../std/assert.ts";
import { stateFacet } from "../../../../tables/facets.ts";
import type { ListPage } from "../../../../tables/list-query.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { pathId } from "../../../../wire/id-fields.ts";
import { requireId } from "../../../../wire/ids.ts";
import {
  DeskAccountsSchema,
  type DeskItem,
  deskAccountsExample,
  deskAccountsJson,
  wireDeskItem,
} from "../../../../wire/rails/desk-item.ts";
import { partiesIn } from "../../../request/expand.ts";
import { answerPage } from "../../../request/list.ts";
import { pageOf, shown } from "../../../request/noun.ts";
import { defineOperation, type PersonPrincipal, route } from "../../../request/operation.ts";
import { pageParameters } from "../../../request/paging.ts";
import { platformTime } from "../../../request/platform-time.ts";
import { byFacet, byId, conditionsIn, fieldsOf } from "../../../request/read-filters.ts";
import type { Services } from "../../../request/services.ts";
import { textParameter } from "../../../search/found-conditions.ts";
import { ofPlatform } from "../../place.ts";

const filters = {
  connectionId: byId("RailConnection", "t.connection_id"),
  state: byFacet(stateFacet, itemStates),
};

const listDeskItems = defineOperation({
  id: "listDeskItems",
  ...route(`GET ${ofPlatform("/rails/desk/items")}`, "PERSON", "rails.read"),
  tag: "Rails",
  summary: "List items in suspense with what they may be for",
  query: Type.Object({
    ...fieldsOf(filters),
    order: Type.Optional(Type.Enum(["OLDEST"], { description: "The oldest first." })),
    q: textParameter(
      "Words of the payer, of the remittance and of references, or an amount. The list is searched: it has no total then, and a page may hold few items and have a next one.",
    ),
    ...pageParameters,
  }),
  answers: { 200: pageOf(wireDeskItem) },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  handle({ principal, query }, services: Services) {
    const order = query.order === undefined ? undefined : ("asc" as const);
    const { q: text } = query;
    const { reads } = services;
    return answerPage(services, {
      operationId: "listDeskItems",
      principal,
      query,
      async load(page): Promise<ListPage<DeskItem>> {
        const wish = { ...page, conditions: conditionsIn(filters, query), order };
        const withPersonal = principal.capabilities.has("pii.read");
        const { rows, ...more } =
          text === undefined
            ? await listRailItems(reads, wish)
            : await searchItems(reads, wish, { text, withPersonal });
        return { ...more, rows: await deskItems(services, principal, rows) };
      },
      positionOf: ({ item }) => item.id,
      toJson: wireDeskItem.json,
    });
  },
});

const getDeskItem = defineOperation({
  id: "getDeskItem",
  ...route(`GET ${ofPlatform("/rails/desk/items/{itemId}")}`, "PERSON", "rails.read"),
  tag: "Rails",
  summary: "Get an item in suspense with what it may be for",
  params: Type.Object({ itemId: pathId("RailItem") }),
  answers: { 200: shown(wireDeskItem, "The item.") },
  refusals: ["REFERENCE_NOT_FOUND"],
  async handle({ principal, params }, services: Services) {
    const id = requireId("RailItem", params.itemId, "REFERENCE_NOT_FOUND");
    const item = await findRailItem(services.reads, principal.platformId, id);
    if (item === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const [row] = await deskItems(services, principal, [item]);
    return { status: 200, body: wireDeskItem.json(present(row, "the row of an item")) };
  },
});

async function deskItems(
  services: Services,
  { platformId, workspaceId, capabilities }: PersonPrincipal,
  items: readonly RailItem[],
): Promise<readonly DeskItem[]> {
  const { reads } = services;
  const [rows, names, now, parties] = await Promise.all([
    withEntries(reads, platformId, items).then(withReferences),
    resolversOf(reads, { platformId, workspaceId }, items),
    platformTime(services, platformId),
    partiesIn(reads, { platformId, rows: items, partiesOf: partiesOfItems }),
  ]);
  const withNames = capabilities.has("pii.read");
  const candidates = await findCandidates(reads, platformId, rows, { now, withNames });
  return rows.map((row, index) => ({
    item: row.item,
    parties: parties[index] ?? {},
    entry: row.entry,
    suggestions: suggestionsFor(row, candidates),
    resolvedBy: names.get(row.item.resolution?.by ?? ""),
  }));
}

/** The most accounts that a name finds. */
const MOST_FOUND = 20;

const listDeskAccounts = defineOperation({
  id: "listDeskAccounts",
  ...route(`GET ${ofPlatform("/rails/desk/accounts")}`, "PERSON", "reconciliation.write"),
  opensPersonalData: true,
  tag: "Rails",
  summary: "Find accounts by the name of their holder",
  description: `At most ${MOST_FOUND} accounts in the currency that can be credited, by the beginnings of words.`,
  query: Type.Object({
    currency: currencyField(),
    q: Type.String({ minLength: 1, maxLength: 100 }),
  }),
  answers: {
    200: {
      description: "The accounts.",
      schema: DeskAccountsSchema,
      example: deskAccountsExample,
    },
  },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal: { platformId }, query: { q, currency } }, { reads }: Services) {
    const words = wordsOf(fold(q));
    if (words.length === 0) return { status: 200, body: deskAccountsJson([]) };
    const found = await findByTerms(reads, platformId, {
      alternatives: [words],
      kinds: ["Customer"],
      withPersonal: true,
      fields: ["name", "platformCustomerId", "email"],
      limit: MOST_FOUND,
    });
    const customerIds = found.map(({ id }) => id);
    const { accounts } = await findAccounts(reads, platformId, {
      accountIds: [],
      customerIds,
      currencies: [currency],
    });
    const open = [...accounts.values()].filter(({ isOpen }) => isOpen);
    return { status: 200, body: deskAccountsJson(open.slice(0, MOST_FOUND)) };
  },
});

export const deskItemOperations = [listDeskItems, getDeskItem, listDeskAccounts];
