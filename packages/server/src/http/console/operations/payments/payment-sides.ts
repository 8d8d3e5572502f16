/** What the form of a new payment asks: who can pay, who can be paid, and whether the payment would wait for other people. */
import Type from "typebox";
import {
  type ExternalAccount,
  externalAccountRows,
  findExternalAccount,
} from "../../../../domain/accounts/external/external-account.ts";
import {
  findInternalAccount,
  internalAccountRows,
} from "../../../../domain/accounts/internal/internal-account.sql.ts";
import { normalizeUmaAddress } from "../../../../domain/customers/uma-address.ts";
import { findApprovalPolicy } from "../../../../domain/people/approvals/approval-policy.ts";
import { paymentWait } from "../../../../domain/people/approvals/payment-orders.ts";
import { readParties } from "../../../../domain/reading/parties/parties.sql.ts";
import {
  addressSide,
  externalSide,
  internalSide,
  isNamedBy,
  keyOfSide,
  type PaymentSide,
  type SideDraft,
} from "../../../../domain/reading/payees/payment-side.ts";
import {
  type RecentSide,
  recentPayees,
  recentSources,
} from "../../../../domain/reading/payees/recent-sides.sql.ts";
import { Refusal } from "../../../../engine/refusal.ts";
import { NOT_DELETED, OWNED_BY_CUSTOMERS } from "../../../../tables/facets.ts";
import type { Condition } from "../../../../tables/list-query.ts";
import { currencyField } from "../../../../wire/fields.ts";
import { accountIdField } from "../../../../wire/id-fields.ts";
import { soundAccountId } from "../../../../wire/ids.ts";
import { wirePaymentSide, wirePaymentWait } from "../../../../wire/payments/payment-side.ts";
import { placeOf } from "../../../approvals/approval-content.ts";
import { shown } from "../../../request/noun.ts";
import { defineOperation, route } from "../../../request/operation.ts";
import type { Services } from "../../../request/services.ts";
import { textParameter, whenFound, whenFoundBy } from "../../../search/found-conditions.ts";
import { type Seeker, seekerOf } from "../../../search/seeker.ts";
import { ofPlatform } from "../../place.ts";

/** The most sides of an answer. */
const MOST_SHOWN = 20;
/** The accounts of one owner that are compared with the text one by one. Beyond them the index of the search finds. */
const MOST_COMPARED = 100;

const answers = {
  200: {
    description: "Those of the latest payments first.",
    schema: Type.Object({ data: Type.Array(wirePaymentSide.schema), hasMore: Type.Boolean() }),
    example: { data: [wirePaymentSide.example], hasMore: false },
  },
};

const facts = {
  opensPersonalData: true,
  tag: "Payments",
  answers,
} as const;

const textField = textParameter(
  "Beginnings of words of the name, the bank, the number, the currency or the holder; or an id.",
);

/** The platform's own. The order by both columns lets the index of owners answer, also where few of many accounts are. */
const OWNED_BY_NONE: Condition = { sql: "t.customer_id is null", nullColumn: "t.customer_id" };

/** Drafts, in the order in which they are shown. */
type Drafts = Promise<readonly SideDraft[]>;

interface Asked {
  readonly seeker: Seeker;
  readonly text: string | undefined;
}

const listPaymentSources = defineOperation({
  ...facts,
  id: "listPaymentSources",
  ...route(`GET ${ofPlatform("/payment-sources")}`, "PERSON", "payments.create"),
  summary: "List who can pay",
  description: `At most ${MOST_SHOWN} accounts. Embedded wallets are left out, because their owner signs each payment.`,
  query: Type.Object({ q: textField }),
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, query }, { reads }: Services) {
    const { platformId } = principal;
    const asked = { seeker: seekerOf(reads, principal), text: query.q };
    const recent = await recentSources(reads, platformId);
    return answerSides(asked, { recent, drafts: await sourceDrafts(asked, recent) });
  },
});

async function sourceDrafts(asked: Asked, recent: readonly RecentSide[]): Drafts {
  const again = whenAgain(recent);
  const own = await internals(asked, [OWNED_BY_NONE]);
  const isFunded = ({ available }: SideDraft) => available !== undefined && available.minor > 0n;
  const drafts = await Promise.all([
    internals(asked, [again]),
    externals(asked, [again]),
    own.filter(isFunded),
    asked.text === undefined
      ? internals(asked, [OWNED_BY_CUSTOMERS], MOST_SHOWN)
      : foundInternals(asked, asked.text),
    asked.text === undefined
      ? externals(asked, [OWNED_BY_CUSTOMERS], MOST_SHOWN)
      : foundExternals(asked, { text: asked.text }),
    own,
  ]);
  return drafts.flat().filter(({ isWallet }) => !isWallet);
}

const listPaymentDestinations = defineOperation({
  ...facts,
  id: "listPaymentDestinations",
  ...route(`GET ${ofPlatform("/payment-destinations")}`, "PERSON", "payments.create"),
  summary: "List who can be paid from an account",
  description:
    `At most ${MOST_SHOWN} accounts and UMA addresses. An internal account pays external accounts of its own customer, any internal account and any ` +
    "address; an external account pays internal accounts of its own customer.",
  query: Type.Object({ source: accountIdField(), q: textField }),
  refusals: ["INVALID_INPUT", "REFERENCE_NOT_FOUND"],
  async handle({ principal, query }, { reads }: Services) {
    const { platformId } = principal;
    const asked = { seeker: seekerOf(reads, principal), text: query.q };
    const id = soundAccountId(query.source);
    const isInternal = query.source.startsWith("InternalAccount:");
    const source = isInternal
      ? (await findInternalAccount(reads, platformId, id))?.account
      : await findExternalAccount(reads, platformId, id);
    if (source === undefined) throw new Refusal("REFERENCE_NOT_FOUND");
    const owner = ownedLike(source);
    const recent = await recentPayees(reads, platformId, id);
    const drafts = isInternal
      ? await payeeDrafts(asked, { owner, recent })
      : await internals(asked, [owner]);
    const others = drafts.filter(({ accountId }) => accountId !== query.source);
    return answerSides(asked, { recent, drafts: others });
  },
});

async function payeeDrafts(
  asked: Asked,
  { owner, recent }: { readonly owner: Condition; readonly recent: readonly RecentSide[] },
): Drafts {
  const { text } = asked;
  const typed = text === undefined ? undefined : normalizeUmaAddress(text.trim());
  const addresses = [typed, ...recent.map(({ umaAddress }) => umaAddress)];
  const again = whenAgain(recent);
  const drafts = await Promise.all([
    addresses.flatMap((address) => (address == null ? [] : [addressSide(address)])),
    internals(asked, [again]),
    externals(asked, [again, owner]),
    externals(asked, [owner]),
    text === undefined ? [] : foundExternals(asked, { text, owner }),
    internals(asked, [owner]),
    text === undefined ? [] : foundInternals(asked, text),
    internals(asked, [OWNED_BY_NONE]),
  ]);
  return drafts.flat();
}

const ownedLike = ({ customerId }: Pick<ExternalAccount, "customerId">): Condition =>
  customerId === null ? OWNED_BY_NONE : { sql: "t.customer_id = ?::uuid", value: customerId };

const whenAgain = (recent: readonly RecentSide[]): Condition => ({
  sql: "t.id = any (?::uuid[])",
  value: recent.flatMap(({ accountId }) => accountId ?? []),
});

type Conditions = readonly (Condition | undefined)[];

async function internals(
  { seeker: { reads, platformId } }: Asked,
  conditions: Conditions,
  limit = MOST_COMPARED,
  isFound = false,
): Drafts {
  const query = { platformId, conditions, after: undefined, limit };
  const { rows } = await internalAccountRows(reads, query);
  return rows.map((row) => internalSide(row, isFound));
}

async function externals(
  { seeker: { reads, platformId } }: Asked,
  conditions: Conditions,
  limit = MOST_COMPARED,
  isFound = false,
): Drafts {
  const query = { platformId, conditions: [NOT_DELETED, ...conditions], after: undefined, limit };
  const { rows } = await externalAccountRows(reads, query);
  return rows.map((row) => externalSide(row, isFound));
}

/** The accounts of the customers that the text names. */
async function foundInternals(asked: Asked, text: string): Drafts {
  const wish = { text, kind: "InternalAccount", by: "Customer", column: "t.customer_id" } as const;
  return internals(asked, [await whenFoundBy(asked.seeker, wish)], MOST_COMPARED, true);
}

async function foundExternals(
  asked: Asked,
  { text, owner }: { readonly text: string; readonly owner?: Condition },
): Drafts {
  const found = await whenFound(asked.seeker, { text, kind: "ExternalAccount" });
  return externals(asked, [owner, found], MOST_COMPARED, true);
}

interface Offered {
  readonly recent: readonly RecentSide[];
  readonly drafts: readonly SideDraft[];
}

/** Each side once: those of the latest payments first, and else in the order of the drafts. */
async function answerSides(
  { seeker: { reads, platformId }, text }: Asked,
  { recent, drafts }: Offered,
) {
  const distinct = new Map<string, SideDraft>();
  for (const draft of drafts) {
    const key = keyOfSide(draft);
    if (draft.isFound || !distinct.has(key)) distinct.set(key, draft);
  }
  const all = [...distinct.values()];
  const parties = await readParties(
    reads,
    platformId,
    all.map(({ reference }) => reference),
  );
  const sides = all.flatMap(({ reference, isFound, ...side }): readonly PaymentSide[] => {
    const party = parties(reference);
    if (party === undefined) return [];
    const lastAt = recent.find((one) => isRecent(one, side))?.lastAt;
    const named = { ...side, party, lastAt };
    return isFound || text === undefined || isNamedBy(text, named) ? [named] : [];
  });
  const ordered = sides.toSorted((one, other) => (other.lastAt ?? 0) - (one.lastAt ?? 0));
  const page = ordered.slice(0, MOST_SHOWN).map(wirePaymentSide.json);
  const hasMore = ordered.length > MOST_SHOWN;
  return { status: 200, body: `{"data":[${page.join(",")}],"hasMore":${hasMore}}` };
}

function isRecent(
  { accountId, umaAddress }: RecentSide,
  side: Pick<PaymentSide, "accountId" | "umaAddress">,
) {
  return accountId === null
    ? umaAddress === side.umaAddress
    : side.accountId?.endsWith(`:${accountId}`) === true;
}

const minorUnits = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: "What is sent, in the smallest unit of the currency.",
  examples: [125_000],
});

const getPaymentWait = defineOperation({
  id: "getPaymentWait",
  ...route(`GET ${ofPlatform("/payment-wait")}`, "PERSON", "payments.create"),
  tag: "Payments",
  summary: "Tell whether a payment of yours would wait for other people",
  description: "By the policy of this moment. The order itself is judged when it is sent.",
  query: Type.Object({ currency: currencyField(), amount: minorUnits }),
  answers: { 200: shown(wirePaymentWait, "What the policy says.") },
  refusals: ["INVALID_INPUT", "NOT_FOUND"],
  async handle({ principal, query }, services: Services) {
    const { platformId, personId, people } = principal;
    const [policy, place] = await Promise.all([
      findApprovalPolicy(services.reads, platformId),
      placeOf(services, platformId),
    ]);
    const amount = { currency: query.currency, minor: BigInt(query.amount) };
    const wait = paymentWait({ amount, policy, place, by: { personId, people } });
    return { status: 200, body: wirePaymentWait.json(wait) };
  },
});

export const paymentFormOperations = [listPaymentSources, listPaymentDestinations, getPaymentWait];
