import {
  invoiceEnds,
  type UmaInvoice,
  umaInvoiceStates,
} from "../../domain/uma/incoming/uma-invoice.ts";
import { CurrencyAmountSchema, wireAmount } from "../fields.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wireUmaPayment = wireObject("UmaPayment", ({ of, maybe }: Kit<UmaInvoice>) => ({
  transactionId: of.id("Transaction", { from: ({ id }) => id, example: 6 }),
  invoiceId: of.id("UmaInvoice", {
    from: ({ id }) => id,
    description:
      "The id under which the connector has the invoice, and by which its entries name it.",
    example: 6,
  }),
  state: of.enum(umaInvoiceStates, {
    description:
      "`ASKED`: the platform is asked whether it takes the payment. `WANTED`: a connector makes the invoice. `OPEN`: the payer's institution " +
      "has it. `PAID`: an entry paid it. `CLOSED`: nothing is taken for it any more; `endedAs` says why.",
    example: "OPEN",
  }),
  endedAs: maybe.enum(invoiceEnds, {
    description:
      "`REFUSED`: the platform did not take the payment. `NOT_MADE`: no connector made the invoice. `EXPIRED`: it was not paid in time. " +
      "`UNDELIVERABLE`: money came, and the account took none.",
  }),
  vaspDomain: of.text({ description: "The payer's institution.", example: "vasp.example" }),
  connectionId: of.id("RailConnection", { example: 21 }),
  layer: of.text({ description: "The network on which the payer pays.", example: "ln" }),
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
    description: "The platform's fee, and what rounding leaves, as part of the settlement amount.",
    example: wireAmount(100_000n, "MSAT"),
  }),
  receivingAmount: of.amount("receivingMinor", {
    description: "What the customer gets.",
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
  createdAt: of.time({ example: "2026-11-21T10:00:00.000Z" }),
}));
