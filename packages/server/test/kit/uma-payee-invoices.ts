/** The invoices of an institution on the official SDK: it answers requests to pay, as a test says. */
import type { KeyObject } from "node:crypto";
import {
  getPayReqResponse,
  InMemoryNonceValidator,
  PayRequest,
  type PubKeyResponse,
  verifyPayReqSignature,
} from "@uma-sdk/core";
import { openWith } from "../../src/formats/uma/envelope.ts";

export interface AskedToPay {
  // biome-ignore lint/suspicious/noExplicitAny: the request as it came
  readonly json: any;
  /** What was told under the travel rule. */
  readonly travelRule: string | undefined;
}

export interface PayTerms {
  /** Units of the asset for one smallest unit of the currency that arrives. */
  rate: number;
  /** Units of the asset. */
  fee: number;
  currency: string;
  decimals: number;
}

export interface PayeeInvoices {
  /** Oldest first. */
  readonly asked: AskedToPay[];
  readonly terms: PayTerms;
  /** The text of the next invoice; undefined: a new one that says its amount. */
  invoice: string | undefined;
  answer(body: string, keys: PubKeyResponse): Promise<string>;
}

const DAY_MS = 24 * 60 * 60_000;

export function payeeInvoices(keys: {
  readonly receiver: string;
  readonly signing: Uint8Array;
  readonly encryption: KeyObject;
}): PayeeInvoices {
  const nonces = new InMemoryNonceValidator(Date.now() - DAY_MS);
  const secret = Buffer.from(keys.encryption.export({ format: "jwk" }).d ?? "", "base64url");
  let made = 0;
  const invoices: PayeeInvoices = {
    asked: [],
    terms: { rate: 10_000.5, fee: 0, currency: "EUR", decimals: 2 },
    invoice: undefined,
    async answer(body, askers) {
      const request = PayRequest.fromJson(body);
      if (!(await verifyPayReqSignature(request, askers, nonces)))
        throw new Error("the signature of the request to pay is wrong");
      const json = JSON.parse(body);
      const sealed: string | undefined = json.payerData.compliance.encryptedTravelRuleInfo;
      const travelRule =
        sealed === undefined ? undefined : openWith(secret, Buffer.from(sealed, "hex"))?.toString();
      invoices.asked.push({ json, travelRule });
      const { rate, fee, currency, decimals } = invoices.terms;
      const answer = await getPayReqResponse({
        request,
        metadata: '[["text/plain","Pay"]]',
        invoiceCreator: {
          createUmaInvoice: async (units) => invoices.invoice ?? `lnbc${units}x${++made}`,
          createInvoiceForSettlementLayer: async (units) =>
            invoices.invoice ?? `lnbc${units}x${++made}`,
        },
        conversionRate: rate,
        receivingCurrencyCode: currency,
        receivingCurrencyDecimals: decimals,
        receiverChannelUtxos: [],
        receiverFeesMillisats: fee,
        payeeData: { name: "Bob Stone" },
        receivingVaspPrivateKey: keys.signing,
        payeeIdentifier: keys.receiver,
      });
      return answer.toJsonString();
    },
  };
  return invoices;
}
