/** What can be judged of a pay request: by its bytes and its token alone, and by what its customer can be paid in. Nothing is read or written. */

import type { CustomerInfo, RequestedField } from "../../../domain/customers/customer-info.ts";
import { isCustomerInfoField } from "../../../domain/customers/customer-info.ts";
import type { Platform } from "../../../domain/platform.ts";
import { supportedCurrency } from "../../../domain/platform.ts";
import type { SettlementChoice } from "../../../domain/rails/routes/settlement-assets.ts";
import { readVaspDomain } from "../../../domain/uma/domains/vasp-domain.ts";
import { isOutOfTime } from "../../../domain/uma/nonces/uma-nonce.ts";
import type { CallbackGrant } from "../../../domain/uma/receiving/callback-token.ts";
import type { LookupReceiver } from "../../../domain/uma/receiving/lookup-receiver.ts";
import { customerFieldOf, protocolName } from "../../../formats/uma/field-names.ts";
import { MessageFault } from "../../../formats/uma/message-fault.ts";
import { type PayRequest, readPayRequest } from "../../../formats/uma/pay-message.ts";
import { type UmaAnswer, umaError } from "../uma-answer.ts";

export type Refused = { readonly kind: "refused"; readonly answer: UmaAnswer };

export interface AskedPayment {
  readonly kind: "asked";
  readonly request: PayRequest;
  /** The time of the request, in milliseconds. */
  readonly signedAt: number;
}

/** Refuses, in this order: a body out of form; one without the payer and a signature; a payer of another institution; another time. */
export function readPayment(
  bytes: Uint8Array,
  { vaspDomain }: Pick<CallbackGrant, "vaspDomain">,
  now: number,
): AskedPayment | Refused {
  try {
    const request = readPayRequest(bytes);
    const { identifier, compliance } = request.payer;
    if (domainOf(identifier) !== vaspDomain) return refused(otherInstitution);
    const signedAt = Number.parseInt(compliance.signature.timestamp.toString(), 10) * 1_000;
    if (isOutOfTime(signedAt, now)) return refused(outOfTime);
    return { kind: "asked", request, signedAt };
  } catch (error) {
    if (!(error instanceof MessageFault)) throw error;
    return refused(umaError(400, error.code, error.message));
  }
}

/** The institution of `$user@domain`, in lower case; undefined for another form. */
function domainOf(address: string): string | undefined {
  const [, domain] = /^\$[^@\s]{1,128}@([^@\s]+)$/.exec(address) ?? [];
  return domain === undefined ? undefined : readVaspDomain(domain);
}

export interface Payable {
  readonly platform: Platform;
  readonly receiver: LookupReceiver;
  readonly assets: readonly SettlementChoice[];
}

/** What is paid, in what, and what each side must know of the other. */
export interface PayTerms {
  readonly kind: "terms";
  readonly currency: string;
  readonly asset: SettlementChoice;
  readonly locked: { readonly side: "RECEIVING" | "SENDING"; readonly minor: bigint };
  readonly information: CustomerInfo;
  readonly requestedFields: readonly RequestedField[];
}

const LIGHTNING = { layer: "ln", assetIdentifier: "BTC" } as const;

/**
 * Refuses, in this order: a currency that the customer is not paid in; a layer or an asset that was not offered; what the platform must know
 * of a payer and was not told; a mandatory question about the customer that has no meaning here.
 */
export function termsOf(request: PayRequest, payable: Payable): PayTerms | Refused {
  const { convert: currency, amount } = request;
  const priced = payable.receiver.currencies.find((each) => each.currency === currency);
  if (priced === undefined || (amount.currency ?? currency) !== currency) {
    return refused(invalidCurrency);
  }
  const { layer, assetIdentifier } = request.settlement ?? LIGHTNING;
  const isAsked = (asset: { readonly layer: string; readonly identifier: string }) =>
    asset.layer === layer && asset.identifier === assetIdentifier;
  const asset = payable.assets.find(isAsked);
  if (asset === undefined || !priced.prices.some((price) => isAsked(price.asset))) {
    return refused(notOffered(payable.assets));
  }
  const information = informationIn(request);
  const lacking = lackingFields(payable.platform, currency, information);
  const lacksTravelRule =
    payable.platform.isRegulatedFinancialInstitution &&
    request.payer.compliance.encryptedTravelRuleInfo === undefined;
  if (lacking.length > 0 || lacksTravelRule) {
    return refused(missingData([...lacking, ...(lacksTravelRule ? ["travel rule data"] : [])]));
  }
  const questions = [...request.payeeData].filter(([name]) => !OWN_PARTS.has(name));
  const unknown = questions.find(([name, mandatory]) => mandatory && !customerFieldOf(name));
  if (unknown !== undefined) return refused(unknownKey(unknown[0]));
  const requestedFields = questions.flatMap(([name, mandatory]) => {
    const field = customerFieldOf(name);
    return field === undefined ? [] : [{ name: field, mandatory }];
  });
  const side = amount.currency === undefined ? "SENDING" : "RECEIVING";
  const locked = { side, minor: amount.units } as const;
  return { kind: "terms", currency, asset, locked, information, requestedFields };
}

/** This server fills them in by itself. */
const OWN_PARTS: ReadonlySet<string> = new Set(["identifier", "compliance"]);

function informationIn({ payer }: PayRequest): CustomerInfo {
  const known = [...payer.fields].flatMap(([name, value]) => {
    const field = customerFieldOf(name);
    return field === undefined ? [] : [[field, value] as const];
  });
  return Object.fromEntries(known) as CustomerInfo;
}

/** The protocol's names of what the platform must know of a payer in this currency, and was not told. */
function lackingFields(
  platform: Platform,
  currency: string,
  information: CustomerInfo,
): readonly string[] {
  const required = supportedCurrency(platform, currency)?.requiredCounterpartyFields ?? [];
  return required.flatMap(({ name, mandatory }) =>
    mandatory && isCustomerInfoField(name) && information[name] === undefined
      ? [protocolName(name)]
      : [],
  );
}

function refused(answer: UmaAnswer): Refused {
  return { kind: "refused", answer };
}

const otherInstitution = umaError(
  403,
  "COUNTERPARTY_NOT_ALLOWED",
  "The payer is not at the institution that has looked the address up.",
);

const outOfTime = umaError(
  400,
  "INVALID_TIMESTAMP",
  "The timestamp is more than 300 seconds from the time here.",
);

const invalidCurrency = umaError(
  400,
  "INVALID_CURRENCY",
  "convert is not one of the currencies of the lookup, or the amount is in another one.",
);

function notOffered(assets: readonly SettlementChoice[]): UmaAnswer {
  const offered = assets.map(({ layer, identifier }) => `${layer} ${identifier}`).join(", ");
  return umaError(400, "INVALID_INPUT", `settlement: it can be one of ${offered}.`);
}

function missingData(names: readonly string[]): UmaAnswer {
  const reason = `payerData lacks ${names.join(", ")}.`;
  return umaError(400, "MISSING_MANDATORY_PAYER_DATA", reason);
}

function unknownKey(name: string): UmaAnswer {
  const reason = `payeeData: ${name.slice(0, 64)} is not known here.`;
  return umaError(501, "UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY", reason);
}
