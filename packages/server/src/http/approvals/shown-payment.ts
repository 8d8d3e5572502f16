/** The two sides and the amounts of an order that moves money, as they are at this moment. */
import { primaryIdentifierOf, ruleOf } from "../../domain/accounts/external/account-types.ts";
import {
  beneficiaryNameIn,
  type ExternalAccount,
  findExternalAccount,
  fromExternalAccountId,
} from "../../domain/accounts/external/external-account.ts";
import {
  findInternalAccount,
  internalAccountRows,
} from "../../domain/accounts/internal/internal-account.sql.ts";
import { toInternalAccountId } from "../../domain/accounts/internal/internal-account.ts";
import { findCustomer } from "../../domain/customers/customer.sql.ts";
import type { Customer } from "../../domain/customers/customer.ts";
import { findHold, heldMinorOf } from "../../domain/payments/holds/hold.ts";
import { findQuote, rateOf } from "../../domain/payments/quotes/quote.ts";
import { refundableMinor } from "../../domain/payments/transactions/incoming-refund.ts";
import { findTransaction } from "../../domain/payments/transactions/transaction.sql.ts";
import type { Party } from "../../domain/payments/transactions/transaction.ts";
import type { ShownAmount, ShownPayment } from "../../domain/people/approvals/shown/describe.ts";
import {
  actorAt,
  paidBefore,
  usualAmounts,
} from "../../domain/people/approvals/shown/history.sql.ts";
import type { ExternalSide, Side } from "../../domain/people/approvals/shown/sides.ts";
import { amountOf } from "../../domain/people/approvals/shown/words.ts";
import { rateToNumber } from "../../money/ratio.ts";
import { toIso } from "../../std/clock.ts";
import { fromWireId } from "../../std/ids.ts";
import { isJsonObject, type Json, type JsonObject, textOrUndefined } from "../../std/json.ts";
import type { Services } from "../request/services.ts";

export interface ShownAt {
  readonly services: Pick<Services, "reads">;
  readonly platformId: string;
  /** The name of an actor, such as `token:<uuid>`. */
  readonly nameOfActor: (actor: string) => Promise<string | null>;
}

/** A side with what only the server needs of it. */
interface FoundSide {
  readonly side: Side;
  readonly currency?: string;
  /** Undefined for a side that is not of the platform. */
  readonly customerId?: string | null;
}

/** Undefined for an order that moves no money and adds no account. */
export async function shownPayment(
  act: string,
  content: JsonObject,
  at: ShownAt,
): Promise<ShownPayment | undefined> {
  switch (act) {
    case "transferOut":
    case "transferIn":
    case "createTransfer":
      return shownTransfer(content, at);
    case "createPaymentSchedule":
    case "updatePaymentSchedule":
    case "runPaymentSchedule":
      return shownTransfer(templateIn(content), at);
    case "createAdjustment":
      return shownAdjustment(content, at);
    case "refundTransaction":
      return shownRefund(content, at);
    case "captureHold":
      return shownCapture(content, at);
    case "executeQuote":
      return shownQuote(content, at);
    case "createCustomerExternalAccount":
    case "createPlatformExternalAccount":
      return { to: await newAccount(content, at) };
    default:
      return undefined;
  }
}

async function shownTransfer(content: JsonObject, at: ShownAt): Promise<ShownPayment> {
  if (Array.isArray(content.legs)) return shownLegs(content.legs.filter(isJsonObject), at);
  const [from, to] = await Promise.all([
    accountSide(accountIn(content.source), at, false),
    accountSide(accountIn(content.destination), at, true),
  ]);
  const currency = from?.currency ?? to?.currency;
  if (currency === undefined) return sidesOf(from, to);
  return withUsual({ from, to, sends: amountIn(content.amount, currency) }, at);
}

/** The payment of a schedule; of a change that keeps it, the one that the schedule has. */
function templateIn({ template, before }: JsonObject): JsonObject {
  if (template !== undefined && isJsonObject(template)) return template;
  return before !== undefined && isJsonObject(before) ? templateIn(before) : {};
}

/** The accounts of all legs are read at once. */
async function shownLegs(legs: readonly JsonObject[], at: ShownAt): Promise<ShownPayment> {
  const ids = legs.flatMap(({ source }) => {
    const id = fromWireId("InternalAccount", String(accountIn(source)));
    return id === undefined ? [] : [id];
  });
  const { rows } = await internalAccountRows(at.services.reads, {
    platformId: at.platformId,
    conditions: [{ sql: "t.id = any (?::uuid[])", value: [...new Set(ids)] }],
    after: undefined,
    limit: Math.max(1, ids.length),
  });
  const currencies = new Map(rows.map(({ id, account }) => [id, account.currency]));
  const shown = legs.flatMap(({ source, destination, amount, ...rest }) => {
    const from = String(accountIn(source));
    const currency = currencies.get(from);
    if (currency === undefined) return [];
    return { from, to: String(accountIn(destination)), sends: amountIn(amount, currency), rest };
  });
  // Without the account of a leg the transfer is refused; a part of its legs would mislead.
  return shown.length === legs.length ? { legs: shown } : {};
}

async function shownAdjustment(content: JsonObject, at: ShownAt): Promise<ShownPayment> {
  const { accountId, direction, amount, currency } = content;
  const found = await accountSide(accountId, at, false);
  const sends = amountIn(amount, String(currency));
  return direction === "CREDIT"
    ? { ...sidesOf(undefined, found), sends }
    : { ...sidesOf(found, undefined), sends };
}

/** A refund goes from the account that received the payment back to its payer. */
async function shownRefund(
  { transactionId, amount }: JsonObject,
  at: ShownAt,
): Promise<ShownPayment> {
  const id = fromWireId("Transaction", String(transactionId));
  const original =
    id === undefined ? undefined : await findTransaction(at.services.reads, at.platformId, id);
  if (original === undefined) return {};
  const [from, to] = await Promise.all([
    partySide(original.destination, at, false),
    partySide(original.source, at, true),
  ]);
  const { receivedCurrency, receivedMinor } = original;
  if (receivedCurrency === null || receivedMinor === null) return sidesOf(from, to);
  const minor = amount === undefined ? refundableMinor(original) : BigInt(String(amount));
  return { ...sidesOf(from, to), sends: { minor, currency: receivedCurrency } };
}

async function shownCapture(
  { holdId, amount, destination, final: isFinal = true }: JsonObject,
  at: ShownAt,
): Promise<ShownPayment> {
  const id = fromWireId("Hold", String(holdId));
  const hold = id === undefined ? undefined : await findHold(at.services.reads, at.platformId, id);
  if (hold === undefined) return {};
  const [from, to] = await Promise.all([
    accountSide(toInternalAccountId(hold.accountId), at, false),
    accountSide(accountIn(destination), at, true),
  ]);
  const left = heldMinorOf(hold);
  const minor = amount === undefined ? left : BigInt(String(amount));
  const sends = { minor, currency: hold.currency };
  return withUsual({ from, to, sends, freedMinor: isFinal === true ? left - minor : 0n }, at);
}

async function shownQuote(content: JsonObject, at: ShownAt): Promise<ShownPayment> {
  const { quoteId, source, destination, sendingCurrency, receivingCurrency } = content;
  const [from, to] = await Promise.all([
    accountSide(accountIn(source), at, false),
    quoteDestination(destination, at),
  ]);
  const id = fromWireId("Quote", String(quoteId));
  const quote =
    id === undefined ? undefined : await findQuote(at.services.reads, at.platformId, id);
  const bound = boundText(content);
  if (quote === undefined) return { ...sidesOf(from, to), ...bound };
  const [sends, receives] = [
    { minor: quote.sendingMinor, currency: String(sendingCurrency) },
    { minor: quote.receivingMinor, currency: String(receivingCurrency) },
  ];
  const rate = `1 ${receives.currency} = ${rateToNumber(rateOf(quote))} ${sends.currency}`;
  return withUsual({ from, to, sends, receives, rate, ...bound }, at);
}

/** The order of a person executes a fresh quote, whose price may differ from the one shown within this bound. */
function boundText({ minReceived, maxSent, sendingCurrency, receivingCurrency }: JsonObject) {
  if (minReceived !== undefined)
    return {
      bound: `until the payee gets ${amountOf(BigInt(String(minReceived)), String(receivingCurrency))}`,
    };
  return maxSent === undefined
    ? {}
    : { bound: `until ${amountOf(BigInt(String(maxSent)), String(sendingCurrency))} is sent` };
}

function sidesOf(from: FoundSide | undefined, to: FoundSide | undefined): ShownPayment {
  return {
    ...(from === undefined ? {} : { from: from.side }),
    ...(to === undefined ? {} : { to: to.side }),
  };
}

async function withUsual(
  {
    from,
    to,
    ...shown
  }: Omit<ShownPayment, "from" | "to"> & {
    readonly from: FoundSide | undefined;
    readonly to: FoundSide | undefined;
    readonly sends: ShownAmount;
  },
  { services, platformId }: ShownAt,
): Promise<ShownPayment> {
  const sides = sidesOf(from, to);
  if (from?.side.kind !== "INTERNAL") return { ...sides, ...shown };
  const { customerId = null } = from;
  const asked = { customerId, currency: shown.sends.currency };
  return { ...sides, ...shown, usual: await usualAmounts(services.reads, platformId, asked) };
}

function amountIn(amount: Json | undefined, currency: string): ShownAmount {
  return { minor: BigInt(String(amount ?? 0)), currency };
}

function accountIn(party: Json | undefined): Json | undefined {
  return party !== undefined && isJsonObject(party) ? party.accountId : undefined;
}

async function quoteDestination(
  destination: Json | undefined,
  at: ShownAt,
): Promise<FoundSide | undefined> {
  if (destination === undefined || !isJsonObject(destination)) return undefined;
  const { umaAddress } = destination;
  return typeof umaAddress === "string"
    ? { side: await umaSide(umaAddress, at) }
    : accountSide(destination.accountId, at, true);
}

async function umaSide(address: string, { services, platformId }: ShownAt): Promise<Side> {
  const paid = await paidBefore(services.reads, platformId, { umaAddress: address });
  return { kind: "UMA", address, paid };
}

/** One side of a payment that was made. */
async function partySide(
  party: Party,
  at: ShownAt,
  isPayee: boolean,
): Promise<FoundSide | undefined> {
  switch (party.type) {
    case "ACCOUNT":
      return accountSide(party.accountId, at, isPayee);
    case "UMA_ADDRESS":
      return { side: await umaSide(party.umaAddress, at) };
    case "REALTIME_FUNDING": {
      const { accountHolderName: name = null, accountIdentifier: account = null } = party;
      return { side: { kind: "OUTSIDE", name, account } };
    }
  }
}

/** Undefined for an account that the platform does not have, or no longer has. */
async function accountSide(
  wireId: Json | undefined,
  at: ShownAt,
  isPayee: boolean,
): Promise<FoundSide | undefined> {
  if (typeof wireId !== "string") return undefined;
  const { services, platformId } = at;
  const internalId = fromWireId("InternalAccount", wireId);
  if (internalId !== undefined) return internalSide(internalId, at, isPayee);
  const id = fromExternalAccountId(wireId);
  const account = id && (await findExternalAccount(services.reads, platformId, id));
  if (account === undefined || account === "") return undefined;
  const [paid, owner, by] = await Promise.all([
    isPayee ? paidBefore(services.reads, platformId, { accountId: account.id }) : null,
    ownerName(account.customerId, at),
    makerOf(account, at),
  ]);
  const side = externalSide(account, {
    id: wireId,
    created: { at: account.createdAt, by },
    owner,
    paid,
  });
  return { side, currency: account.currency };
}

async function makerOf({ createdAt }: ExternalAccount, at: ShownAt): Promise<string | null> {
  const actor = await actorAt(at.services.reads, at.platformId, toIso(createdAt));
  return actor === undefined ? null : at.nameOfActor(actor);
}

function externalSide(
  account: Pick<
    ExternalAccount,
    | "accountType"
    | "accountInfo"
    | "primaryIdentifier"
    | "beneficiaryVerificationStatus"
    | "beneficiaryVerifiedFullName"
  >,
  rest: Pick<ExternalSide, "id" | "created" | "owner" | "paid">,
): ExternalSide {
  const { accountInfo, accountType, primaryIdentifier } = account;
  return {
    kind: "EXTERNAL",
    ...rest,
    name: beneficiaryNameIn(accountInfo),
    bank: bankIn(accountInfo),
    countries: countriesOf(account),
    lastFour: primaryIdentifier.replaceAll(/[^\p{L}\p{N}]/gu, "").slice(-4),
    accountType,
    nameCheck: account.beneficiaryVerificationStatus,
    verifiedName: account.beneficiaryVerifiedFullName,
  };
}

function bankIn({ bankName, provider, vaspName }: JsonObject): string | null {
  return (
    textOrUndefined(bankName) ?? textOrUndefined(provider) ?? textOrUndefined(vaspName) ?? null
  );
}

function countriesOf({
  accountType,
  accountInfo: { country, region, iban },
}: Pick<ExternalAccount, "accountType" | "accountInfo">): readonly string[] {
  const { countries } = ruleOf(accountType);
  const told =
    textOrUndefined(country) ?? textOrUndefined(region) ?? textOrUndefined(iban)?.slice(0, 2);
  return told === undefined ? countries : [told];
}

/** An account that the order adds. */
async function newAccount(content: JsonObject, at: ShownAt): Promise<Side> {
  const { accountInfo, customerId } = content;
  const info = accountInfo !== undefined && isJsonObject(accountInfo) ? accountInfo : {};
  const accountType = String(info.accountType) as ExternalAccount["accountType"];
  const id = typeof customerId === "string" ? fromWireId("Customer", customerId) : undefined;
  return externalSide(
    {
      accountType,
      accountInfo: info,
      primaryIdentifier: primaryIdentifierOf(accountType, info),
      beneficiaryVerificationStatus: null,
      beneficiaryVerifiedFullName: null,
    },
    { created: null, owner: await ownerName(id ?? null, at), paid: null },
  );
}

async function internalSide(
  id: string,
  at: ShownAt,
  isPayee: boolean,
): Promise<FoundSide | undefined> {
  const { services, platformId } = at;
  const found = await findInternalAccount(services.reads, platformId, id);
  if (found === undefined) return undefined;
  const { customerId, currency } = found.account;
  const [holder, paid] = await Promise.all([
    ownerName(customerId, at),
    isPayee ? paidBefore(services.reads, platformId, { accountId: id }) : null,
  ]);
  const { balanceMinor } = found.ledger;
  const side: Side = { kind: "INTERNAL", id: found.id, holder, currency, balanceMinor, paid };
  return { side, currency, customerId };
}

async function ownerName(
  customerId: string | null,
  { services, platformId }: ShownAt,
): Promise<string> {
  if (customerId === null) return "The platform itself";
  const customer = await findCustomer(services.reads, platformId, customerId);
  return customer === undefined ? "A customer that was deleted" : customerName(customer);
}

export function customerName({ fullName, businessInfo, platformCustomerId }: Customer): string {
  return fullName ?? businessInfo?.legalName ?? platformCustomerId;
}
