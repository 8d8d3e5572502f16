import Type, { type Static } from "typebox";
import { otherKindComplaint } from "../../../domain/id-kinds.ts";
import { metadataOf } from "../../../domain/metadata.ts";
import {
  type Captured,
  type CaptureHoldInput,
  captureHold as captureHoldCommand,
  MOST_CAPTURES,
} from "../../../domain/payments/holds/capture-hold.ts";
import {
  createHold as createHoldCommand,
  LONGEST_HOLD_DAYS,
} from "../../../domain/payments/holds/create-hold.ts";
import { releaseHold as releaseHoldCommand } from "../../../domain/payments/holds/end-hold.ts";
import {
  findHold,
  holdStatuses,
  listHolds as loadHolds,
} from "../../../domain/payments/holds/hold.ts";
import type { HoldableOrder } from "../../../domain/people/approvals/hold-order.ts";
import {
  paymentFacts,
  transactionResult,
} from "../../../domain/people/approvals/payment-orders.ts";
import { invalidField, Refusal } from "../../../engine/refusal.ts";
import { statusFacet } from "../../../tables/facets.ts";
import { requestAmount } from "../../../validation/schema.ts";
import { pathId } from "../../../wire/id-fields.ts";
import { parseId, requireId } from "../../../wire/ids.ts";
import { descriptionField, MetadataSchema } from "../../../wire/metadata.ts";
import { transactionDryRun } from "../../../wire/payments/dry-run.ts";
import { endedHoldExample, wireHold } from "../../../wire/payments/hold.ts";
import {
  bookTransactionExample,
  TransactionSchema,
  transactionJson,
} from "../../../wire/payments/transaction.ts";
import { listedText } from "../../../wire/value-lists.ts";
import { submitOrder } from "../../approvals/submit-held.ts";
import { ofEach } from "../../request/expand.ts";
import { defineNoun, getOne, listAll, shown } from "../../request/noun.ts";
import { defineOperation, route } from "../../request/operation.ts";
import { byFacet, byId, byMetadata } from "../../request/read-filters.ts";
import type { Services } from "../../request/services.ts";
import { submitForCaller } from "../../request/submit-for-caller.ts";
import { payoutEvents } from "../event-lists.ts";

const holds = defineNoun({
  path: "/holds",
  tag: "Holds",
  capability: "payments.read",
  ...wireHold,
  partiesOf: ofEach(({ accountId }) => ({ from: { kind: "INTERNAL_ACCOUNT", id: accountId } })),
});

const changes = { access: "TRANSACT", capability: "payments.create", tag: holds.tag } as const;
const ofHold = { holdId: pathId("Hold") };

const createHold = defineOperation({
  ...changes,
  id: "createHold",
  ...route("POST /internal-accounts/{internalAccountId}/holds"),
  summary: "Create a hold",
  description:
    "Sets money of an internal account aside for payments that come later. A hold lowers the available balance, not the total. It is " +
    `captured, released, or expires; without \`expiresAt\` after ${LONGEST_HOLD_DAYS} days.`,
  params: Type.Object({ internalAccountId: pathId("InternalAccount") }),
  body: Type.Object({
    amount: requestAmount(),
    expiresAt: Type.Optional(
      Type.String({
        format: "date-time",
        description: `In the future, at most ${LONGEST_HOLD_DAYS} days away.`,
      }),
    ),
    description: descriptionField,
    metadata: Type.Optional(MetadataSchema),
  }),
  requestExample: {
    amount: 12500,
    expiresAt: "2026-11-28T10:00:00.000Z",
    description: "Order 1042",
  },
  answers: { 201: shown(wireHold, "The hold.") },
  events: ["HOLD.CREATED", "HOLD.EXPIRED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "AMOUNT_OUT_OF_RANGE",
    "INSUFFICIENT_BALANCE",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "REFERENCE_NOT_FOUND",
  ],
  handle: ({ principal, params, body, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: createHoldCommand,
      input: {
        accountId: requireId("InternalAccount", params.internalAccountId, "REFERENCE_NOT_FOUND"),
        amountMinor: BigInt(body.amount),
        expiresAt:
          body.expiresAt === undefined ? undefined : Date.parse(body.expiresAt.toUpperCase()),
        description: body.description,
        metadata: metadataOf(body.metadata),
      },
      toAnswer: (hold) => ({ status: 201, body: wireHold.json(hold) }),
      idempotency,
    }),
});

const listHolds = listAll({
  ...holds,
  id: "listHolds",
  summary: "List holds",
  filters: {
    internalAccountId: byId("InternalAccount", "t.account_id"),
    status: byFacet(statusFacet, holdStatuses),
    metadata: byMetadata("holds"),
  },
  list: loadHolds,
});

const getHold = getOne({
  ...holds,
  id: "getHold",
  summary: "Get a hold",
  param: "holdId",
  kind: "Hold",
  answer: "The hold.",
  find: findHold,
});

const captureMembers = {
  amount: Type.Optional(requestAmount({ description: "All that is left, when absent." })),
  destination: Type.Object({
    accountId: Type.String({ description: "An internal or an external account." }),
    paymentRail: Type.Optional(
      listedText("PaymentRail", {
        maxLength: 64,
        description: "Of an external account: one of its rails.",
      }),
    ),
  }),
  final: Type.Optional(
    Type.Boolean({
      default: true,
      description: "Whether the rest is released; `false` keeps it held.",
    }),
  ),
  description: descriptionField,
  metadata: Type.Optional(MetadataSchema),
  remittanceInformation: Type.Optional(
    Type.String({ maxLength: 80, description: "To an external account." }),
  ),
};

/** A capture that waits for other people. */
export const CaptureContent = Type.Object({ holdId: Type.String(), ...captureMembers });
type CaptureContent = Static<typeof CaptureContent>;

export function captureInput(
  body: CaptureContent,
  { rails }: Pick<Services, "rails">,
): CaptureHoldInput {
  const { holdId, amount, destination, final: isFinal = true } = body;
  return {
    holdId: requireId("Hold", holdId, "REFERENCE_NOT_FOUND"),
    amountMinor: amount === undefined ? undefined : BigInt(amount),
    destination: destinationIn(body),
    paymentRail: destination.paymentRail,
    remittanceInformation: body.remittanceInformation,
    description: body.description,
    metadata: metadataOf(body.metadata),
    isFinal,
    rails,
  };
}

function destinationIn({
  destination: { accountId, paymentRail },
  remittanceInformation,
}: CaptureContent): CaptureHoldInput["destination"] {
  const external = parseId("ExternalAccount", accountId);
  if (external !== undefined) return { kind: "EXTERNAL", id: external };
  const internal = parseId("InternalAccount", accountId);
  if (internal === undefined) throw noDestination(accountId);
  const message = "is of a transfer out; an internal account is paid by a book transfer";
  if (paymentRail !== undefined) throw invalidField("destination.paymentRail", message);
  if (remittanceInformation !== undefined) throw invalidField("remittanceInformation", message);
  return { kind: "INTERNAL", id: internal };
}

function noDestination(raw: string): Refusal {
  const field = "destination.accountId";
  const reason = otherKindComplaint(raw, ["InternalAccount", "ExternalAccount"]);
  return new Refusal("REFERENCE_NOT_FOUND", { field }, `${field}: ${reason ?? "names no account"}`);
}

export const captureOrder: HoldableOrder<CaptureHoldInput, Captured> = {
  kind: "PAYMENT",
  act: "captureHold",
  command: captureHoldCommand,
  factsOf: ({ transaction }) => paymentFacts("Capture of a hold")(transaction),
  resultOf: ({ transaction }) => transactionResult(transaction),
};

const captureHold = defineOperation({
  ...changes,
  id: "captureHold",
  ...route("POST /holds/{holdId}/capture"),
  summary: "Capture a hold",
  description:
    "Pays from the money of a hold: by a book transfer to an internal account, or by a transfer out to an external one, with the rules of those " +
    "calls. The hold is released and the payment made in one commit. At most what is left of it; the rest is released, unless `final` is `false`. " +
    "A payment that fails at once leaves the hold as it is; the money of one that fails later comes back to the available balance. " +
    `At most ${MOST_CAPTURES} captures.`,
  params: Type.Object(ofHold),
  body: Type.Object(captureMembers),
  requestExample: {
    amount: 10000,
    destination: { accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000012" },
    final: false,
  },
  answers: {
    201: {
      description: "The payer's transaction, as the transfer's own call answers it.",
      schema: TransactionSchema,
      example: { ...bookTransactionExample, holdId: wireHold.example.id },
    },
  },
  dryRun: transactionDryRun,
  events: [...payoutEvents, "INCOMING_PAYMENT.COMPLETED", "HOLD.CAPTURED", "RAIL_PAYMENT.UNKNOWN"],
  refusals: [
    "INVALID_INPUT",
    "INVALID_AMOUNT",
    "INVALID_CURRENCY",
    "AMOUNT_OUT_OF_RANGE",
    "SELF_PAYMENT",
    "USER_NOT_READY",
    "ACCOUNT_FROZEN",
    "CUSTOMER_FROZEN",
    "RAIL_PAUSED",
    "CONFLICT",
    "REFERENCE_NOT_FOUND",
    "NOT_IMPLEMENTED",
  ],
  handle: async ({ principal, params, body, idempotency }, services: Services) => {
    const content = { ...body, ...params };
    return submitOrder(services, principal, {
      order: captureOrder,
      content,
      input: captureInput(content, services),
      toAnswer: ({ transaction }) => ({
        status: 201,
        body: transactionJson(transaction, principal.platformId),
      }),
      idempotency,
    });
  },
});

const releaseHold = defineOperation({
  ...changes,
  id: "releaseHold",
  ...route("POST /holds/{holdId}/release"),
  summary: "Release a hold",
  description: "Makes what is left of a hold available again, also on a frozen account.",
  params: Type.Object(ofHold),
  answers: {
    200: { ...shown(wireHold, "The hold."), example: endedHoldExample("RELEASED") },
  },
  events: ["HOLD.RELEASED", "INTERNAL_ACCOUNT.BALANCE_UPDATED"],
  refusals: ["REFERENCE_NOT_FOUND", "CONFLICT"],
  handle: ({ principal, params, idempotency }, { engine }: Services) =>
    submitForCaller(engine, principal, {
      command: releaseHoldCommand,
      input: { holdId: requireId("Hold", params.holdId, "REFERENCE_NOT_FOUND") },
      toAnswer: (hold) => ({ status: 200, body: wireHold.json(hold) }),
      idempotency,
    }),
});

export const holdOperations = [createHold, listHolds, getHold, captureHold, releaseHold];
