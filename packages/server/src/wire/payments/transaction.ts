import Type from "typebox";
import { toCustomerId } from "../../domain/customers/customer.ts";
import { incomingRefundReasons } from "../../domain/payments/transactions/incoming-refund.ts";
import {
  type Party,
  type PaymentOutcome,
  type Transaction,
  type TransactionSubject,
  toTransactionId,
  transactionStatuses,
} from "../../domain/payments/transactions/transaction.ts";
import { toPlatformConfigId, transactionTypes } from "../../domain/platform.ts";
import { rateToNumber, ratio } from "../../money/ratio.ts";
import { present } from "../../std/assert.ts";
import { toIso } from "../../std/clock.ts";
import { taggedUnion } from "../../validation/schema.ts";
import { PaymentInstructionSchema } from "../accounts/internal-account.ts";
import { RequestedFieldSchema } from "../customers/customer-info.ts";
import { CurrencyAmountSchema, DateTimeSchema, wireAmount } from "../fields.ts";
import { MetadataSchema } from "../metadata.ts";
import { partiesMember } from "../reading/party.ts";
import { listedText } from "../value-lists.ts";
import { RateDetailsSchema } from "./rate-details.ts";

/** One end of a payment, tagged by its type. */
function partySchema(tag: "sourceType" | "destinationType", $id: string) {
  const party = (type: Party["type"], own: Type.TProperties) =>
    Type.Object({ [tag]: Type.Literal(type), ...own, customerId: Type.Optional(Type.String()) });
  const currency = listedText("CurrencyCode");
  const account = party("ACCOUNT", { accountId: Type.String(), currency });
  const address = party("UMA_ADDRESS", {
    umaAddress: Type.String(),
    currency: Type.Optional(currency),
  });
  const payer = {
    accountHolderName: Type.Optional(Type.String()),
    accountIdentifier: Type.Optional(Type.String({ description: "Its last four characters." })),
    remittanceInformation: Type.Optional(Type.String()),
    endToEndId: Type.Optional(Type.String()),
  };
  const funding = tag === "sourceType" ? [party("REALTIME_FUNDING", { currency, ...payer })] : [];
  return taggedUnion(tag, [account, address, ...funding], { $id });
}

const RefundSchema = Type.Object(
  {
    reference: Type.String(),
    initiatedAt: DateTimeSchema,
    settledAt: Type.Optional(DateTimeSchema),
    status: Type.Enum(["PENDING", "COMPLETED", "FAILED"]),
    reason: Type.Optional(Type.Enum(["TRANSACTION_FAILED", "USER_CANCELLATION", "TIMEOUT"])),
    amount: Type.Optional(
      Type.Object(CurrencyAmountSchema.properties, {
        description:
          "Of a settled payout that came back by a connection: what is given back. Less than `sentAmount` when a bank kept a charge, or " +
          "when the payment was exchanged. Otherwise all that was taken is given back.",
      }),
    ),
    returnedAmount: Type.Optional(
      Type.Object(CurrencyAmountSchema.properties, {
        description: "What came back, where it is in another currency than `amount`.",
      }),
    ),
    exchangeRate: Type.Optional(
      Type.Number({
        description:
          "Units of the currency of `amount` for a unit of `returnedAmount`: the rate of the platform's source when it came back, without a spread.",
      }),
    ),
  },
  { $id: "Refund" },
);

export const FailureSchema = Type.Object(
  {
    code: listedText("FailureCode"),
    message: Type.String({ description: "A sentence for an operator." }),
    stage: listedText("FailureStage"),
    at: DateTimeSchema,
    rail: Type.Optional(
      Type.Object(
        { scheme: Type.String(), code: Type.String(), text: Type.String() },
        { description: "What the rail said; in a sandbox the suffix that decided the outcome." },
      ),
    ),
  },
  {
    $id: "Failure",
    description:
      "Why the payment failed or was called off. Absent for payments that failed before it was recorded.",
  },
);

const ReconciliationInstructionsSchema = Type.Object(
  {
    reference: Type.String(),
    endToEndId: Type.Optional(
      Type.String({
        description: "Of a payment that a rail connection carries: that of its order.",
      }),
    ),
    bankReference: Type.Optional(
      Type.String({ description: "The rail's own reference, once it has told it." }),
    ),
  },
  { $id: "ReconciliationInstructions", description: "What finds the payment on a statement." },
);

export const TransactionSchema = Type.Object(
  {
    id: Type.String({ description: "`Transaction:<uuid>`" }),
    status: Type.Enum([...transactionStatuses]),
    type: Type.Enum([...transactionTypes]),
    direction: Type.Enum(["CREDIT", "DEBIT"], {
      description: "CREDIT: INCOMING, to the holder. DEBIT: OUTGOING.",
    }),
    source: Type.Optional(partySchema("sourceType", "TransactionSource")),
    destination: partySchema("destinationType", "TransactionDestination"),
    customerId: Type.String({ description: "The platform's own id when it moves its own money." }),
    platformCustomerId: Type.String(),
    sentAmount: Type.Optional(CurrencyAmountSchema),
    receivedAmount: Type.Optional(CurrencyAmountSchema),
    exchangeRate: Type.Optional(
      Type.Number({ description: "Whole sending units for one whole receiving unit." }),
    ),
    fees: Type.Optional(Type.Integer({ minimum: 0, description: "In the sending currency." })),
    rateDetails: Type.Optional(RateDetailsSchema),
    paymentInstructions: Type.Optional(Type.Array(PaymentInstructionSchema)),
    counterpartyInformation: Type.Optional(Type.Record(Type.String(), Type.String())),
    paymentRail: Type.Optional(
      listedText("PaymentRail", {
        description: "The caller's choice, or the rail that was taken.",
      }),
    ),
    reference: Type.Optional(
      Type.String({
        description:
          "What the beneficiary finds on a statement. It follows from the transaction's id. To a bank account or a wallet: " +
          "`FL` and 13 characters of 0-9 and A-Z without I, L, O, U. To a UMA address: the receiver's reconciliation reference.",
      }),
    ),
    remittanceInformation: Type.Optional(Type.String()),
    purposeOfPayment: Type.Optional(listedText("PurposeOfPayment")),
    quoteId: Type.Optional(Type.String()),
    agentId: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    counterpartTransactionId: Type.Optional(
      Type.String({
        description: "Of a book transfer: the transaction of the other side.",
      }),
    ),
    batchId: Type.Optional(
      Type.String({
        description: "Of a payment that is an item of a batch: `PaymentBatch:<uuid>`.",
      }),
    ),
    batchReference: Type.Optional(
      Type.String({ description: "The reference of the item in its batch." }),
    ),
    depositAccountId: Type.Optional(
      Type.String({
        description:
          "Of an incoming UMA payment: the customer's external account that the money goes on to. Absent where it stays on an internal account.",
      }),
    ),
    depositTransactionId: Type.Optional(
      Type.String({
        description:
          "Of an incoming UMA payment of another institution with `depositAccountId`: the payout that takes the money on.",
      }),
    ),
    depositFallback: Type.Optional(
      Type.Literal(true, {
        description:
          "Of an incoming UMA payment of another institution with `depositAccountId`: no payout could be made, so the money stays on the internal account.",
      }),
    ),
    depositOf: Type.Optional(
      Type.String({
        description:
          "Of a payout that takes the money of an incoming UMA payment on: that payment.",
      }),
    ),
    expectedSettlementAt: Type.Optional(
      Type.String({
        format: "date-time",
        description:
          "Of a transfer that a rail connection carries: when it is expected to have settled, by its rail and the connection's calendar.",
      }),
    ),
    railPaymentId: Type.Optional(
      Type.String({
        description: "Of money of a payout that came back and was credited by a person: its order.",
      }),
    ),
    railEntryId: Type.Optional(
      Type.String({
        description: "Of money that came in at a rail connection: the entry that told of it.",
      }),
    ),
    invoiceId: Type.Optional(
      Type.String({
        description:
          "Of money for an invoice that its own payment did not take and a person credited: `UmaInvoice:<uuid>`.",
      }),
    ),
    refundOf: Type.Optional(
      Type.String({ description: "Of a refund: the INCOMING transaction whose money goes back." }),
    ),
    refundReason: Type.Optional(Type.Enum([...incomingRefundReasons])),
    groupId: Type.Optional(
      Type.String({
        description:
          "Of a leg of a transfer of several legs: the transfer. All of its transactions have it.",
      }),
    ),
    holdId: Type.Optional(
      Type.String({ description: "Of a payment that captured a hold: the hold." }),
    ),
    refundedAmount: Type.Optional(CurrencyAmountSchema),
    refundPendingAmount: Type.Optional(CurrencyAmountSchema),
    reconciliationInstructions: Type.Optional(ReconciliationInstructionsSchema),
    failureReason: Type.Optional(listedText("FailureReason")),
    failure: Type.Optional(FailureSchema),
    rejectionReason: Type.Optional(
      Type.String({
        description: "Why the platform turned an incoming payment away, in its words.",
      }),
    ),
    requiredPayerDataFields: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), mandatory: Type.Boolean() }), {
        description: "What the receiver's platform must know of the sender to take such a payment.",
      }),
    ),
    refund: Type.Optional(RefundSchema),
    metadata: Type.Optional(MetadataSchema),
    parties: partiesMember("from", "to", "by"),
    settledAt: Type.Optional(DateTimeSchema),
    createdAt: DateTimeSchema,
    updatedAt: DateTimeSchema,
  },
  { $id: "Transaction" },
);

/** The answer to a book transfer. */
export const TransferSchema = Type.Object(
  {
    ...TransactionSchema.properties,
    legs: Type.Optional(
      Type.Array(TransactionSchema, {
        description: "Of a transfer of several legs: the payers' transactions, in their order.",
      }),
    ),
  },
  { $id: "Transfer" },
);

/** A transaction in an approval request. */
export const AskedTransactionSchema = Type.Object(
  {
    ...TransactionSchema.properties,
    requestedReceiverCustomerInfoFields: Type.Optional(
      Type.Array(RequestedFieldSchema, {
        description: "Of a UMA payment: what the sender's institution asks of the receiver.",
      }),
    ),
  },
  { $id: "AskedTransaction" },
);

/** The latest row and its JSON: a command needs the JSON twice, for the event and for the answer, and a row is immutable. */
let latest: { readonly transaction: Transaction; readonly json: string } | undefined;

export function transactionJson(transaction: Transaction, platformId: string): string {
  if (latest?.transaction === transaction) return latest.json;
  const json = JSON.stringify(toWire(transaction, platformId));
  latest = { transaction, json };
  return json;
}

export function transferOfLegsJson(legs: readonly Transaction[], platformId: string): string {
  const shown = legs.map((leg) => transactionJson(leg, platformId));
  return `${present(shown[0], "the first leg").slice(0, -1)},"legs":[${shown.join(",")}]}`;
}

/** The transaction in an approval request, with the fields that the sender's institution requires of the receiver. */
export function transactionSubjectJson(
  { transaction, requestedFields }: TransactionSubject,
  platformId: string,
): string {
  const json = transactionJson(transaction, platformId);
  if (requestedFields === undefined) return json;
  const fields = JSON.stringify(requestedFields);
  return `${json.slice(0, -1)},"requestedReceiverCustomerInfoFields":${fields}}`;
}

/**
 * One literal with all members; JSON leaves out the undefined ones. V8 takes several times as long over members that follow a spread, so
 * the spreads of `details` and `outcome` come last.
 */
function toWire(transaction: Transaction, platformId: string) {
  const { status, customerId, quoteId, agentId, reference, settledAt } = transaction;
  const isReferred = reference !== null && status !== "CREATED";
  return {
    id: toTransactionId(transaction.id),
    status,
    type: transaction.type,
    direction: transaction.type === "INCOMING" ? "CREDIT" : "DEBIT",
    source: sourceOf(transaction.source),
    destination: destinationOf(transaction.destination),
    customerId: customerId === null ? toPlatformConfigId(platformId) : toCustomerId(customerId),
    platformCustomerId: transaction.platformCustomerId,
    sentAmount: amountOf(transaction.sentMinor, transaction.sentCurrency),
    receivedAmount: amountOf(transaction.receivedMinor, transaction.receivedCurrency),
    quoteId: quoteId === null ? undefined : `Quote:${quoteId}`,
    agentId: agentId === null ? undefined : `Agent:${agentId}`,
    description: transaction.description ?? undefined,
    reconciliationInstructions: isReferred ? { reference } : undefined,
    failureReason: transaction.failureReason ?? undefined,
    failure: transaction.failure ?? undefined,
    refund: refundJson(transaction),
    metadata: transaction.metadata ?? undefined,
    settledAt: settledAt === null ? undefined : toIso(settledAt),
    createdAt: toIso(transaction.createdAt),
    updatedAt: toIso(transaction.updatedAt),
    ...transaction.details,
    ...(transaction.outcome === null ? undefined : outcomeJson(transaction.outcome, transaction)),
  };
}

function refundJson({ refund, sentCurrency, receivedCurrency }: Transaction) {
  if (refund?.returned === undefined) return refund ?? undefined;
  const { returned, ...others } = refund;
  const amount = amountOf(BigInt(returned.refundMinor), sentCurrency);
  if (returned.rate === undefined) return { ...others, amount };
  const { numerator, denominator } = returned.rate;
  return {
    ...others,
    amount,
    returnedAmount: amountOf(BigInt(returned.cameMinor), receivedCurrency),
    exchangeRate: rateToNumber(ratio(BigInt(numerator), BigInt(denominator))),
  };
}

/** The amounts of refunds as the API writes amounts, and the other members as they are. */
function outcomeJson(
  { refundedMinor, refundPendingMinor, ...others }: PaymentOutcome,
  { receivedCurrency }: Transaction,
) {
  const shown = (minor: string | undefined) =>
    minor === undefined || minor === "0" ? undefined : amountOf(BigInt(minor), receivedCurrency);
  return {
    ...others,
    refundedAmount: shown(refundedMinor),
    refundPendingAmount: shown(refundPendingMinor),
  };
}

function amountOf(minor: bigint | null, currency: string | null) {
  return minor === null || currency === null ? undefined : wireAmount(minor, currency);
}

/** Every member that a party of any type may have. */
interface AnyParty {
  readonly type: Party["type"];
  readonly accountId?: string;
  readonly umaAddress?: string;
  readonly currency?: string;
  readonly customerId?: string;
  readonly accountHolderName?: string;
  readonly accountIdentifier?: string;
  readonly remittanceInformation?: string;
  readonly endToEndId?: string;
}

function sourceOf(party: AnyParty) {
  return {
    sourceType: party.type,
    accountId: party.accountId,
    umaAddress: party.umaAddress,
    currency: party.currency,
    customerId: party.customerId,
    accountHolderName: party.accountHolderName,
    accountIdentifier: party.accountIdentifier,
    remittanceInformation: party.remittanceInformation,
    endToEndId: party.endToEndId,
  };
}

function destinationOf({ type, accountId, umaAddress, currency, customerId }: AnyParty) {
  return { destinationType: type, accountId, umaAddress, currency, customerId };
}

export const transactionExample = {
  id: "Transaction:019a4f00-0000-7000-8000-000000000004",
  status: "PENDING",
  type: "OUTGOING",
  direction: "DEBIT",
  source: {
    sourceType: "ACCOUNT",
    accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000002",
    currency: "USD",
  },
  destination: {
    destinationType: "ACCOUNT",
    accountId: "ExternalAccount:019a4f00-0000-7000-8000-000000000003",
    currency: "USD",
  },
  customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  platformCustomerId: "ana-1",
  sentAmount: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  receivedAmount: {
    amount: 12500,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  paymentRail: "ACH",
  reference: "FL8000000000004",
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};

export const bookTransactionExample = {
  ...transactionExample,
  status: "COMPLETED",
  destination: {
    destinationType: "ACCOUNT",
    accountId: "InternalAccount:019a4f00-0000-7000-8000-000000000012",
    currency: "USD",
  },
  description: "Monthly fee",
  settledAt: "2026-11-21T10:00:00.000Z",
  counterpartTransactionId: "Transaction:019a4f00-0000-7000-8000-000000000014",
};

export const refundTransactionExample = {
  ...bookTransactionExample,
  description: "Order 1042 was cancelled",
  paymentRail: "BOOK",
  refundOf: "Transaction:019a4f00-0000-7000-8000-000000000008",
  refundReason: "REQUESTED_BY_PAYER",
};

export const incomingTransactionExample = {
  id: "Transaction:019a4f00-0000-7000-8000-000000000008",
  status: "PENDING",
  type: "INCOMING",
  direction: "CREDIT",
  source: { sourceType: "UMA_ADDRESS", umaAddress: "$success.usd@sandbox.florin.test" },
  destination: {
    destinationType: "UMA_ADDRESS",
    umaAddress: "$ana@florin.test",
    currency: "USD",
  },
  customerId: "Customer:019a4f00-0000-7000-8000-000000000001",
  platformCustomerId: "ana-1",
  receivedAmount: {
    amount: 5000,
    currency: { code: "USD", name: "US Dollar", symbol: "$", decimals: 2 },
  },
  paymentRail: "UMA",
  counterpartyInformation: { FULL_NAME: "Bo Lind" },
  rateDetails: {
    serviceApiMultiplier: 0.0001,
    serviceApiFixedFee: 0,
    serviceApiVariableFeeRate: 0,
    serviceApiVariableFeeAmount: 0,
  },
  reconciliationInstructions: { reference: "UMA-8000000000000008" },
  createdAt: "2026-11-21T10:00:00.000Z",
  updatedAt: "2026-11-21T10:00:00.000Z",
};
