import Type from "typebox";
import { freeAccountFault } from "../../../domain/accounts/external/check-digits.ts";
import {
  findRailItem,
  itemStates,
  listRailItems as loadRailItems,
  type PartKind,
  type PartOutcome,
  type PartPrice,
  partKinds,
  partOutcomes,
  partPrices,
} from "../../../domain/rails/entries/rail-item.ts";
import {
  MOST_PARTS,
  type Part,
  resolveRailItem as resolveRailItemCommand,
} from "../../../domain/rails/entries/resolve-rail-item.ts";
import { partiesOfItems } from "../../../domain/reading/parties/rail-parties.sql.ts";
import type { FieldError } from "../../../engine/refusal.ts";
import { present } from "../../../std/assert.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { stateFacet } from "../../../tables/facets.ts";
import { requestAmount } from "../../../validation/schema.ts";
import type { Judgement } from "../../../validation/validation.ts";
import { filledText } from "../../../wire/fields.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { requireId, requireIdField } from "../../../wire/ids.ts";
import {
  RailItemSchema,
  railItemExample,
  railItemJson,
  resolvedItemExample,
} from "../../../wire/rails/rail-item.ts";
import { askedAnswer, waitingAnswer } from "../../../wire/rails/rail-mark.ts";
import { isGuarded } from "../../approvals/approval-content.ts";
import { defineNoun, getOne, listAll } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byFacet, byId, bySearch } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { whenFound } from "../../search/found-conditions.ts";
import { executionEvents } from "../event-lists.ts";

const items = defineNoun({
  path: "/rails/items",
  tag: "Rails",
  capability: "rails.read",
  schema: RailItemSchema,
  example: railItemExample,
  json: railItemJson,
  partiesOf: partiesOfItems,
});

const listRailItems = listAll({
  ...items,
  id: "listRailItems",
  summary: "List items in suspense",
  filters: {
    connectionId: byId("RailConnection", "t.connection_id"),
    state: byFacet(stateFacet, itemStates),
    q: bySearch("A reference of the bank, or an id.", (seeker, text) =>
      whenFound(seeker, { text, kind: "RailItem" }),
    ),
  },
  list: loadRailItems,
});

const getRailItem = getOne({
  ...items,
  id: "getRailItem",
  summary: "Get an item in suspense",
  param: "itemId",
  kind: "RailItem",
  answer: "The item.",
  find: findRailItem,
});

const partField = Type.Object({
  kind: Type.Enum([...partKinds]),
  amount: requestAmount(),
  accountId: Type.Optional(
    Type.String({ description: "`InternalAccount:<uuid>`. Of `ACCOUNT`: the account to credit." }),
  ),
  quoteId: Type.Optional(
    Type.String({
      description: "`Quote:<uuid>`. Of `QUOTE`: one that waits for exactly this amount.",
    }),
  ),
  paymentId: Type.Optional(
    Type.String({
      description:
        "`RailPayment:<uuid>`. Of `PAYMENT`: the order, whose amount is that of the part.",
    }),
  ),
  outcome: Type.Optional(
    Type.Enum([...partOutcomes], { description: "Of `PAYMENT`: what the line was to the order." }),
  ),
  receivableId: Type.Optional(
    Type.String({ description: "`RailReceivable:<uuid>`. Of `RECEIVABLE`: what is paid." }),
  ),
  details: Type.Optional(
    Type.Object(
      { name: Type.Optional(filledText(140)), account: filledText(64) },
      {
        description:
          "Of `RETURN`: the payer, where the entry did not tell the account. Another token must confirm it.",
      },
    ),
  ),
  label: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 80,
      description: "Of `OWN_FUNDS`: what it is, such as a charge or interest.",
    }),
  ),
  entryId: Type.Optional(
    Type.String({
      description: "`RailEntry:<uuid>`. Of `DUPLICATE_OF`: the same line, told before.",
    }),
  ),
  invoiceId: Type.Optional(
    Type.String({
      description: "`UmaInvoice:<uuid>`. Of `INVOICE`: one of the connection, in the item's asset.",
    }),
  ),
  price: Type.Optional(
    Type.Enum([...partPrices], {
      description:
        "Of `INVOICE`: `QUOTED` credits the share of the invoice's amount, its fee included; `CURRENT` is today's price.",
    }),
  ),
});

const resolveRailItem = defineOperation({
  id: "resolveRailItem",
  ...route("POST /rails/items/{itemId}/resolve", "TRANSACT", "reconciliation.write"),
  needsProof: true,
  tag: "Rails",
  summary: "Resolve an item in suspense",
  description:
    "Says what the money is, once; the parts sum to the item. `ACCOUNT` credits an internal account by an INCOMING transaction, of money " +
    "that came in. `QUOTE` funds a quote that waits for exactly this amount. `RETURN` orders the money back to its payer, whose account the " +
    "entry or `details` must tell; if the order is declined, a new item opens. `PAYMENT` is the settlement or the return of an order that the line did not " +
    "name. `RECEIVABLE` pays what a holder owes. `FX` is one leg of an exchange that was made at the bank, and moves the position. " +
    "`OWN_FUNDS` is the platform's own. `DUPLICATE_OF` undoes a line that was told twice under two references. " +
    "`INVOICE` credits the customer of an invoice, by an INCOMING transaction from its payer, and rounds down; there is one at most. An item " +
    "that is `HELD`, and a part with `details`, wait for another token at every connection.",
  params: Type.Object({ itemId: pathId("RailItem") }),
  body: Type.Object({
    parts: Type.Array(partField, { minItems: 1, maxItems: MOST_PARTS }),
    note: filledText(500),
  }),
  requestExample: {
    parts: [
      {
        kind: "ACCOUNT",
        amount: 12500,
        accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
      },
    ],
    note: "Invoice 17 is Ana's",
  },
  answers: {
    200: {
      description: "The item, resolved.",
      schema: RailItemSchema,
      example: resolvedItemExample,
    },
    202: waitingAnswer,
  },
  events: [
    "INCOMING_PAYMENT.COMPLETED",
    "INTERNAL_ACCOUNT.BALANCE_UPDATED",
    "RAIL_ITEM.OPEN",
    ...executionEvents,
  ],
  refusals: [
    "FORBIDDEN",
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "REFERENCE_NOT_FOUND",
    "CONFLICT",
    "RATE_STALE",
    "FX_LIMIT",
  ],
  judge: judgeParts,
  handle: async ({ principal, params, body, idempotency }, services: Services) =>
    submitForCaller(services.engine, principal, {
      command: resolveRailItemCommand,
      input: {
        itemId: requireId("RailItem", params.itemId, "REFERENCE_NOT_FOUND"),
        parts: body.parts.map(partOf),
        note: body.note,
        isGuarded: await isGuarded(services, principal),
      },
      toAnswer: (asked) => askedAnswer(asked, { status: 200, bodyOf: railItemJson }),
      idempotency,
    }),
});

interface PartBody {
  readonly kind: (typeof partKinds)[number];
  readonly amount: number;
  readonly accountId?: string;
  readonly quoteId?: string;
  readonly paymentId?: string;
  readonly outcome?: PartOutcome;
  readonly receivableId?: string;
  readonly details?: { readonly name?: string; readonly account: string };
  readonly label?: string;
  readonly entryId?: string;
  readonly invoiceId?: string;
  readonly price?: PartPrice;
}

/** The members that each kind needs; the others must be absent. */
const MEMBERS_OF: Readonly<Record<PartKind, readonly string[]>> = {
  ACCOUNT: ["accountId"],
  QUOTE: ["quoteId"],
  RETURN: [],
  PAYMENT: ["paymentId", "outcome"],
  RECEIVABLE: ["receivableId"],
  FX: [],
  OWN_FUNDS: ["label"],
  DUPLICATE_OF: ["entryId"],
  INVOICE: ["invoiceId", "price"],
};

/** Members that are optional for a kind. */
const MAY_HAVE: Readonly<Partial<Record<PartKind, readonly string[]>>> = { RETURN: ["details"] };
const ALL_MEMBERS = [...Object.values(MEMBERS_OF), ...Object.values(MAY_HAVE)].flat();

function judgeParts({ parts }: JsonObject): Judgement<undefined> {
  const errors: FieldError[] = [];
  for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
    const kind = isJsonObject(part) ? partKinds.find((known) => known === part.kind) : undefined;
    if (!isJsonObject(part) || kind === undefined) continue;
    for (const member of ALL_MEMBERS) {
      const isNeeded = MEMBERS_OF[kind].includes(member);
      if (MAY_HAVE[kind]?.includes(member) === true) continue;
      if ((part[member] !== undefined) === isNeeded) continue;
      const message = isNeeded ? `is needed for ${kind}` : `is not a member of ${kind}`;
      errors.push({ field: `parts[${index}].${member}`, message });
    }
    const account = isJsonObject(part.details) ? part.details.account : undefined;
    const message = typeof account === "string" ? freeAccountFault(account) : undefined;
    if (message !== undefined) {
      errors.push({ field: `parts[${index}].details.account`, message });
    }
  }
  return errors.length === 0 ? { ok: true, value: undefined } : { ok: false, errors };
}

function partOf(part: PartBody, index: number): Part {
  const { kind } = part;
  const minor = BigInt(part.amount);
  const fieldOf = (name: string) => `parts[${index}].${name}`;
  switch (kind) {
    case "ACCOUNT": {
      const named = { field: fieldOf("accountId"), raw: present(part.accountId, "an account") };
      const accountId = requireIdField("InternalAccount", named, "REFERENCE_NOT_FOUND");
      return { kind, minor, accountId };
    }
    case "QUOTE": {
      const named = { field: fieldOf("quoteId"), raw: present(part.quoteId, "a quote") };
      return { kind, minor, quoteId: requireIdField("Quote", named, "REFERENCE_NOT_FOUND") };
    }
    case "RETURN":
      return { kind, minor, ...(part.details === undefined ? {} : { details: part.details }) };
    case "PAYMENT": {
      const named = { field: fieldOf("paymentId"), raw: present(part.paymentId, "an order") };
      const paymentId = requireIdField("RailPayment", named, "REFERENCE_NOT_FOUND");
      return { kind, minor, paymentId, outcome: present(part.outcome, "an outcome") };
    }
    case "RECEIVABLE": {
      const raw = present(part.receivableId, "a receivable");
      const named = { field: fieldOf("receivableId"), raw };
      const receivableId = requireIdField("RailReceivable", named, "REFERENCE_NOT_FOUND");
      return { kind, minor, receivableId };
    }
    case "FX":
      return { kind, minor };
    case "OWN_FUNDS":
      return { kind, minor, label: present(part.label, "a label") };
    case "DUPLICATE_OF": {
      const named = { field: fieldOf("entryId"), raw: present(part.entryId, "an entry") };
      return { kind, minor, entryId: requireIdField("RailEntry", named, "REFERENCE_NOT_FOUND") };
    }
    case "INVOICE": {
      const named = { field: fieldOf("invoiceId"), raw: present(part.invoiceId, "an invoice") };
      const invoiceId = requireIdField("UmaInvoice", named, "REFERENCE_NOT_FOUND");
      return { kind, minor, invoiceId, price: present(part.price, "a price") };
    }
  }
}

export const itemOperations = [listRailItems, getRailItem, resolveRailItem];
