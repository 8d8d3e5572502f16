/** Sides of payments as the form of the console offers them, and whether a payment would wait for people. */
import { toCustomerId } from "../../domain/customers/customer.ts";
import type { PaymentWait } from "../../domain/people/approvals/payment-orders.ts";
import type { PaymentSide } from "../../domain/reading/payees/payment-side.ts";
import { CurrencyAmountSchema, wireAmount } from "../fields.ts";
import { exampleId } from "../id-fields.ts";
import { wireParty } from "../reading/party.ts";
import { type Kit, wireObject } from "../wire-object.ts";

export const wirePaymentSide = wireObject("PaymentSide", ({ of, maybe }: Kit<PaymentSide>) => ({
  party: of.object(wireParty, { example: wireParty.example }),
  accountId: maybe.text({ example: exampleId("ExternalAccount", "3") }),
  umaAddress: maybe.text({ description: "Of a UMA address, which has no `accountId`." }),
  isInternal: of.boolean({ example: false }),
  currency: maybe.text({
    description: "Absent for a UMA address, which is looked up when it is paid.",
    example: "USD",
  }),
  available: maybe.json(CurrencyAmountSchema, {
    from: ({ available }) => available && wireAmount(available.minor, available.currency),
    description: "What an internal account can pay.",
  }),
  status: maybe.text({ example: "ACTIVE" }),
  customerId: maybe.text({
    from: ({ customerId }) => (customerId === null ? null : toCustomerId(customerId)),
    description: "Absent for an account of the platform itself.",
    example: exampleId("Customer"),
  }),
  lastAt: maybe.time({ description: "When it last took part in a payment like this one." }),
}));

const amountOf = (amount: PaymentWait["above"]) =>
  amount && wireAmount(amount.minor, amount.currency);

export const wirePaymentWait = wireObject("PaymentWait", ({ of, maybe }: Kit<PaymentWait>) => ({
  approvalsNeeded: of.integer({
    description: "How many other people must agree; 0 for a payment that is made at once.",
    example: 1,
  }),
  above: maybe.json(CurrencyAmountSchema, {
    from: ({ above }) => amountOf(above),
    description: "Payments up to this amount do not wait. Absent where none waits.",
  }),
  twoAbove: maybe.json(CurrencyAmountSchema, {
    from: ({ twoAbove }) => amountOf(twoAbove),
    description: "Payments above this amount need two people.",
  }),
  isBlocked: of.boolean({
    description: "Fewer people than needed may decide about a payment of yours.",
    example: false,
  }),
}));
