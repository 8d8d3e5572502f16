import Type from "typebox";
import type { UmaPayment } from "../../domain/reading/uma-payments/uma-payment.sql.ts";
import { hookStates } from "../../domain/uma/hooks/uma-hook.ts";
import { invoiceEnds, umaInvoiceStates } from "../../domain/uma/incoming/uma-invoice.ts";
import { CurrencyAmountSchema, wireAmount } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

const HookSchema = Type.Object({
  state: Type.Enum([...hookStates], {
    description:
      "`NONE`: the payment has not settled, or the institution does not want to be told. `PENDING`: it will be told, or told again. " +
      "`SENT`: it has taken the message. `FAILED`: it did not in five tries over a day, or the payment came back. The payment does not depend on it.",
  }),
  tries: Type.Integer({ description: "How many times the message was sent.", minimum: 0 }),
});

const ChannelSchema = Type.Object({
  utxo: Type.String({ description: "The channel, as the institution names it." }),
  amountMsats: Type.String({ description: "Millisatoshis, in digits." }),
});

export const wireUmaPayment = wireObject("UmaPayment", (kit: Kit<UmaPayment>) => {
  const { of, maybe } = kit;
  return {
    transactionId: of.id("Transaction", { from: ({ id }) => id, example: 6 }),
    direction: of.enum(["INCOMING", "OUTGOING"] as const, { example: "INCOMING" }),
    invoiceId: maybe.id("UmaInvoice", {
      from: ({ id, direction }) => (direction === "INCOMING" ? id : undefined),
      description:
        "Of an incoming payment. The id under which the connector has the invoice, and by which its entries name it.",
      example: 6,
    }),
    state: of.enum(umaInvoiceStates, {
      description:
        "`ASKED`: the platform is asked whether it takes the payment. `WANTED`: a connector makes the invoice. `OPEN`: the payer's institution " +
        "has it. `PAID`: an entry paid it. `CLOSED`: nothing is taken for it any more; `endedAs` says why. " +
        "An outgoing payment is `OPEN`, `PAID` or `CLOSED`, as its transaction is under way, completed or over.",
      example: "OPEN",
    }),
    endedAs: maybe.enum(invoiceEnds, {
      description:
        "`REFUSED`: the platform did not take the payment. `NOT_MADE`: no connector made the invoice. `EXPIRED`: it was not paid in time. " +
        "`UNDELIVERABLE`: money came, and the account took none.",
    }),
    vaspDomain: of.text({ description: "The other institution.", example: "vasp.example" }),
    connectionId: of.id("RailConnection", { example: 21 }),
    layer: of.text({ description: "The network on which it is settled.", example: "ln" }),
    assetIdentifier: of.text({
      from: ({ identifier }) => identifier,
      description: "What moves there, by the layer's own name.",
      example: "BTC",
    }),
    settlementAmount: of.json(CurrencyAmountSchema, {
      from: ({ amountMinor, asset }) => wireAmount(amountMinor, asset),
      description: "What is to be paid.",
      example: wireAmount(12_600_000n, "MSAT"),
    }),
    fee: of.json(CurrencyAmountSchema, {
      from: ({ feeMinor, asset }) => wireAmount(feeMinor, asset),
      description:
        "The fee of the payee's institution, as part of the settlement amount. Of an incoming payment it is the platform's, with what rounding leaves.",
      example: wireAmount(100_000n, "MSAT"),
    }),
    receivingAmount: of.amount("receivingMinor", {
      description: "What the payee gets.",
      example: 1_000n,
    }),
    multiplier: of.text({
      description: "Units of the asset for one smallest unit of the receiving currency: the price.",
      example: "12500",
    }),
    invoiceExpiresAt: maybe.time({
      from: ({ expiresAt }) => expiresAt,
      description: "Absent until the connector has made the invoice.",
      example: "2026-11-21T10:05:00.000Z",
    }),
    railPaymentId: maybe.id("RailPayment", {
      description: "Of an outgoing payment: the order that pays the invoice, once there is one.",
    }),
    ...exchangedIn(kit),
    ...toldAfterIn(kit),
    createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
  };
});

/** What the two institutions tell each other after the payment. */
function toldAfterIn({ of, maybe }: Kit<UmaPayment>) {
  return {
    hook: of.json(HookSchema, {
      description: "The message that tells the other institution of the settled payment.",
      example: { state: "SENT", tries: 1 },
    }),
    utxos: maybe.json(Type.Array(ChannelSchema), {
      description:
        "The channels over which the payment went, as the other institution tells it; absent until it has told. Nothing is compared with it.",
      example: [{ utxo: "9a52c5:1", amountMsats: "12600000" }],
    }),
  };
}

/** What the two institutions have told each other about an outgoing payment. */
function exchangedIn({ maybe }: Kit<UmaPayment>) {
  return {
    umaVersion: maybe.text({ from: ({ exchanged }) => exchanged?.umaVersion }),
    receiverKyc: maybe.text({
      from: ({ exchanged }) => exchanged?.receiverKyc,
      description: "What the payee's institution says of the payee.",
    }),
    isSubjectToTravelRule: maybe.boolean({
      from: ({ exchanged }) => exchanged?.isSubjectToTravelRule,
      description: "What the payee's institution says of itself.",
    }),
    travelRule: maybe.json(
      Type.Object({
        format: Type.String(),
        sha256: Type.String({ description: "The digest of what was told." }),
      }),
      {
        from: ({ exchanged }) => exchanged?.travelRule,
        description: "Of an outgoing payment, where something was told under the travel rule.",
      },
    ),
    fieldsSent: maybe.json(Type.Array(Type.String()), {
      from: ({ exchanged }) => exchanged?.fieldsSent,
      description: "The fields about the payer that were told, by their names in the protocol.",
    }),
    fieldsReceived: maybe.json(Type.Array(Type.String()), {
      from: ({ exchanged }) => exchanged?.fieldsReceived,
      description: "The fields about the payee that were told, by their names in the protocol.",
    }),
  };
}
