/** Writes the answer to a pay request, which holds the invoice. */
import type { CustomerInfo } from "../../../domain/customers/customer-info.ts";
import { isCustomerInfoField } from "../../../domain/customers/customer-info.ts";
import type { UmaInvoice } from "../../../domain/uma/incoming/uma-invoice.ts";
import { protocolName } from "../../../formats/uma/field-names.ts";
import { type PayAnswer, writePayAnswer } from "../../../formats/uma/pay-message.ts";
import type { Signature } from "../../../formats/uma/signature-members.ts";
import { getCurrency } from "../../../money/currency.ts";
import { ratioFromDecimal } from "../../../money/ratio.ts";
import { present } from "../../../std/assert.ts";
import { convertedWith, type Fault } from "../sandbox-faults.ts";

export interface PayAnswerFacts {
  readonly invoice: UmaInvoice;
  /** The customer's address, as the lookup had it. */
  readonly address: string;
  /** What the platform gave of its customer. */
  readonly information: CustomerInfo;
  readonly signature: Signature;
  /** Where the payer's institution may tell of the payment. */
  readonly utxoCallback: string | undefined;
  readonly fault: Fault;
}

export function payAnswer(facts: PayAnswerFacts): string {
  const { invoice, address, information, signature, utxoCallback, fault } = facts;
  const { currency, multiplier, text, nodePubKey, utxos } = invoice;
  const fields = Object.entries(information).flatMap(([name, value]) =>
    isCustomerInfoField(name) ? [[protocolName(name), value] as const] : [],
  );
  const answer: PayAnswer = {
    invoice: present(text ?? undefined, "the text of an open invoice"),
    converted: convertedWith(fault, {
      amount: invoice.receivingMinor,
      currencyCode: currency,
      decimals: getCurrency(currency).decimals,
      multiplier: { value: ratioFromDecimal(multiplier), digits: multiplier },
      fee: invoice.feeMinor,
    }),
    payee: {
      fields: new Map([...fields, ["identifier", address]]),
      compliance: {
        utxos: utxos ?? [],
        nodePubKey: nodePubKey ?? undefined,
        utxoCallback,
        signature,
      },
    },
  };
  return writePayAnswer(answer);
}
