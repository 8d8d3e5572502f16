/** An institution on the SDK for JavaScript, in the process of the test. */
import { createRequire } from "node:module";
import {
  Currency,
  getLnurlpResponse,
  getPayReqResponse,
  getPayRequest,
  getPostTransactionCallback,
  getPubKeyResponse,
  getSignedLnurlpRequestUrl,
  InMemoryNonceValidator,
  KycStatus,
  LnurlpResponse,
  PayReqResponse,
  PayRequest,
  PubKeyResponse,
  parseLnurlpRequest,
  parsePostTransactionCallback,
  selectHighestSupportedVersion,
  verifyPayReqResponseSignature,
  verifyPayReqSignature,
  verifyPostTransactionCallbackSignature,
  verifyUmaLnurlpQuerySignature,
  verifyUmaLnurlpResponseSignature,
} from "@uma-sdk/core";
import { present } from "../../src/std/assert.ts";
import type { Given, Opening, Result, Sdk, SdkCall, SdkVasp } from "./sdk-calls.ts";

/** With which the SDK encrypts. */
const { decrypt } = createRequire(import.meta.resolve("@uma-sdk/core"))("eciesjs") as {
  decrypt(secret: string, sealed: Uint8Array): Uint8Array;
};

type Handlers = {
  readonly [Name in SdkCall]: (given: Given<Name>) => Promise<Result<Name>> | Result<Name>;
};

const keysIn = (document: string) => PubKeyResponse.fromJson(document);
const hold = (isGood: boolean) => {
  if (!isGood) throw new Error("the signature is wrong");
};

function startJavaScript(): SdkVasp {
  let own: Opening | undefined;
  const opening = () => present(own, "the keys");
  const secret = () => Buffer.from(opening().signingSecret, "hex");
  const nonces = new InMemoryNonceValidator(Date.now() - 3_600_000);
  const handlers: Handlers = {
    ...sending({ opening, secret, nonces }),
    ...receiving({ opening, secret, nonces }, (asked) => vasp.invoice(asked)),
    open(given) {
      own = given;
      const document = getPubKeyResponse({
        signingCertChainPem: given.signingChain,
        encryptionCertChainPem: given.encryptionChain,
        expirationTimestamp: given.expiresAt,
      });
      return { document: document.toJsonString() };
    },
    async hook({ utxos }) {
      const message = await getPostTransactionCallback({
        utxos: [...utxos],
        vaspDomain: opening().domain,
        signingPrivateKey: secret(),
      });
      return { text: JSON.stringify(message) };
    },
    async readHook({ text, keys }) {
      const message = parsePostTransactionCallback(text);
      hold(await verifyPostTransactionCallbackSignature(message, keysIn(keys), nonces));
      return { vaspDomain: message.vaspDomain ?? "", utxos: message.utxos };
    },
  };
  const vasp: SdkVasp = {
    invoice: () => Promise.reject(new Error("no test makes invoices")),
    call: async (name, given) => handlers[name](given),
    close: async () => undefined,
  };
  return vasp;
}

interface Tools {
  readonly opening: () => Opening;
  readonly secret: () => Buffer;
  readonly nonces: InMemoryNonceValidator;
}

type Sending = "lookUp" | "speakOf" | "readLookupAnswer" | "payRequest" | "readPayAnswer";

function sending({ opening, secret, nonces }: Tools): Pick<Handlers, Sending> {
  return {
    async lookUp({ receiver, isRegulated, umaVersion }) {
      const url = await getSignedLnurlpRequestUrl({
        isSubjectToTravelRule: isRegulated,
        receiverAddress: receiver,
        senderVaspDomain: opening().domain,
        signingPrivateKey: secret(),
        ...(umaVersion === undefined ? {} : { umaVersionOverride: umaVersion }),
      });
      return { url: url.href };
    },
    speakOf({ text }) {
      const { supportedMajorVersions } = JSON.parse(text);
      return { umaVersion: selectHighestSupportedVersion(supportedMajorVersions) ?? null };
    },
    async readLookupAnswer({ text, keys }) {
      const answer = LnurlpResponse.fromJson(text);
      hold(await verifyUmaLnurlpResponseSignature(answer, keysIn(keys), nonces));
      const { currencies = [], compliance } = answer;
      return {
        callback: answer.callback,
        umaVersion: answer.umaVersion ?? "",
        currencies: currencies.map(({ code, decimals, multiplier, minSendable, maxSendable }) => ({
          code,
          decimals,
          multiplier,
          min: minSendable,
          max: maxSendable,
        })),
        payerData: answer.payerData ?? {},
        receiver: compliance?.receiverIdentifier ?? "",
        isRegulated: compliance?.isSubjectToTravelRule ?? false,
      };
    },
    async payRequest(given) {
      const request = await getPayRequest({
        amount: given.amount,
        isAmountInReceivingCurrency: given.isReceived,
        receivingCurrencyCode: given.currency,
        payerIdentifier: given.payer,
        payerKycStatus: KycStatus.Verified,
        payerName: given.name,
        payerUtxos: [],
        receiverEncryptionPubKey: keysIn(given.keys).getEncryptionPubKey(),
        sendingVaspPrivateKey: secret(),
        trInfo: given.travelRule,
        travelRuleFormat: given.travelRule === undefined ? undefined : "ivms@101.2023",
        utxoCallback: given.utxoCallback,
        requestedPayeeData: { ...given.payeeData },
        comment: given.comment,
        umaMajorVersion: 1,
      });
      return { text: request.toJsonString() };
    },
    async readPayAnswer({ text, keys, payer, payee }) {
      const answer = PayReqResponse.fromJson(text);
      hold(await verifyPayReqResponseSignature(answer, payer, payee, keysIn(keys), nonces));
      const { amount, currencyCode, ...info } = present(answer.converted, "converted");
      return {
        invoice: answer.pr,
        amount: amount ?? 0,
        currency: currencyCode,
        ...info,
        payeeData: answer.payeeData ?? {},
      };
    },
  };
}

function receiving(
  { opening, secret, nonces }: Tools,
  invoice: SdkVasp["invoice"],
): Pick<Handlers, "answerLookup" | "answerPayRequest"> {
  return {
    async answerLookup(given) {
      const request = parseLnurlpRequest(new URL(given.url));
      hold(await verifyUmaLnurlpQuerySignature(request, keysIn(given.keys), nonces));
      const answer = await getLnurlpResponse({
        request,
        privateKeyBytes: secret(),
        requiresTravelRuleInfo: given.isRegulated,
        callback: given.callback,
        encodedMetadata: given.metadata,
        minSendableSats: 1,
        maxSendableSats: 10_000_000,
        payerDataOptions: { ...given.payerData },
        currencyOptions: given.currencies.map(
          ({ code, name, multiplier, min, max, decimals }) =>
            new Currency(code, name, "", multiplier, min, max, decimals),
        ),
        receiverKycStatus: KycStatus.Verified,
        commentCharsAllowed: 140,
      });
      return { text: answer.toJsonString() };
    },
    async answerPayRequest(given) {
      const request = PayRequest.fromJson(given.text);
      hold(await verifyPayReqSignature(request, keysIn(given.keys), nonces));
      const { code, decimals, multiplier } = given.currency;
      const answer = await getPayReqResponse({
        request,
        conversionRate: multiplier,
        receivingCurrencyCode: code,
        receivingCurrencyDecimals: decimals,
        invoiceCreator: {
          createUmaInvoice: (amount, metadata) => invoice({ amount, metadata }),
        },
        metadata: given.metadata,
        receiverChannelUtxos: [],
        receiverFeesMillisats: given.fee,
        utxoCallback: given.utxoCallback,
        payeeData: { identifier: given.payee, ...given.payeeData },
        receivingVaspPrivateKey: secret(),
        payeeIdentifier: given.payee,
      });
      const sealed = request.payerData?.compliance?.encryptedTravelRuleInfo;
      const open = (hex: string) =>
        Buffer.from(decrypt(opening().encryptionSecret, Buffer.from(hex, "hex"))).toString();
      return {
        text: answer.toJsonString(),
        travelRule: sealed === undefined || sealed === null ? null : open(sealed),
        payerData: request.payerData ?? {},
      };
    },
  };
}

export const javaScript: Sdk = { name: "JavaScript", start: async () => startJavaScript() };
