/**
 * Hides personal data in an answer to a person without `pii.read`: names become initials, mail and UMA addresses keep their first letters,
 * account numbers keep their last four digits. The answer stored under an idempotency key is not changed. A member is recognised by its
 * name at any depth, so event data are masked as well; a name with several meanings is listed with the name of its parent. Free texts, such
 * as notes and metadata, are hidden as a whole. Only references that this server made are shown. A party is masked by its kind, because
 * its name is that of a customer, of a token or of the platform. A test walks the schemas of all answers:
 * each text in them has a mask, or is listed there as not personal.
 */
import {
  accountNameIn,
  type Party,
  type PartyKind,
  UNNAMED_PAYER,
} from "../../domain/reading/parties/party.ts";
import { Refusal } from "../../engine/refusal.ts";
import { isReady, isStreamed, type OperationAnswer } from "../request/operation.ts";

type Mask = (value: unknown) => unknown;

const HIDDEN = "•••";
const hide: Mask = (value) => (value === null ? null : HIDDEN);

/** What the request log keeps in place of a value. */
const MARKS: ReadonlySet<unknown> = new Set(["[redacted]", "[omitted]"]);

const initials: Mask = (value) =>
  typeof value === "string"
    ? value
        .split(/\s+/)
        .filter((word) => word !== "")
        .map((word) => `${[...word][0]}.`)
        .join(" ")
    : hide(value);

const lastFour: Mask = (value) =>
  typeof value === "string" && value.length > 4 ? `${HIDDEN}${value.slice(-4)}` : hide(value);

/** Masks mail and UMA addresses as `a•••@d•••.tld`. */
const mailbox: Mask = (value) => {
  const found = /^(\$?.)[^@]*@(.)[^@]*?(\.[^.@]+)?$/su.exec(typeof value === "string" ? value : "");
  if (found === null) return hide(value);
  const [, local = "", domain = "", ending = ""] = found;
  return `${local}${HIDDEN}@${domain}${HIDDEN}${ending}`;
};

/**
 * References that this server makes: of payments (`FL…`), of funding (`RF18FL…`, `FL…`), of transactions (`TI-…`), and the end-to-end id of
 * an order. Any other reference was written by a payer, a bank or a person.
 */
const MADE_HERE =
  /^(FL[0-9A-HJKMNP-TV-Z]{13,14}|RF\d{2}FL[0-9A-HJKMNP-TV-Z]{14}|(RF|SF|TI|UMA)-[0-9A-F]{16}|UMA-[0-9A-F]{32}|[0-9A-F]{32})$/;

const unlessMadeHere: Mask = (value) =>
  typeof value === "string" && MADE_HERE.test(value) ? value : hide(value);

function group(mask: Mask, names: string): readonly (readonly [string, Mask])[] {
  return names.split(/\s+/).map((name) => [name, mask]);
}

/** Masks the members of a JSON text, such as the body of an event. */
const maskedJson: Mask = (value) => {
  try {
    return typeof value === "string" ? JSON.stringify(masked(JSON.parse(value))) : hide(value);
  } catch {
    return hide(value);
  }
};

/** Masks by the name of the member, or by `parent.name`. */
const MASKS: ReadonlyMap<string, Mask> = new Map([
  ...group(
    initials,
    "fullName firstName middleName lastName legalName doingBusinessAs businessName holderName accountHolderName " +
      "displayName counterpartyName beneficiaryName debtorName creditorName senderName receiverName FULL_NAME COMPANY_LEGAL_NAME " +
      "primaryContactFirstName primaryContactLastName customerName createInternalAccount.name updateInternalAccount.name payer.name counterparty.name details.name",
  ),
  ...group(
    mailbox,
    "email contactEmail umaAddress umaAddresses inviterUma inviteeUma senderUmaAddress receiverUmaAddress vpa lightningAddress",
  ),
  ...group(
    lastFour,
    "accountNumber iban clabe clabeNumber virtualAccount accountIdentifier bolt12 cbu cvu pixKey routingNumber sortCode bsb swiftCode phoneNumber taxId ssn nationalId " +
      "documentNumber registrationNumber identificationNumber otherId bankAccount invoice senderAccountIdentifier receiverAccountIdentifier ACCOUNT_IDENTIFIER payer.account details.account",
  ),
  ...group(
    hide,
    "address line1 line2 city postalCode birthDate nationality identifier BIRTH_DATE NATIONALITY ADDRESS TAX_ID EMAIL IDENTIFIER ID_NUMBER REGISTRATION_NUMBER POSTAL_ADDRESS " +
      "PHONE_NUMBER businessInfo personalInfo counterpartyInformation beneficiaryVerifiedData description note memo fileName " +
      "correlationId requestBody responseBody response_body query remittance remittanceInformation fiToFiInformation qrCode paymentUrl " +
      "sourceOfFundsOtherDescription sourceOfWealthOtherDescription purposeOfAccountOtherDescription " +
      "metadata nickname personal personalBefore comment rejectionReason filter.q filter.name filter.counterparty rail.text lastReport.text reason.text parts.label",
  ),
  ...group(unlessMadeHere, "reference bankReference batchReference endToEndId"),
  ["body", maskedJson],
]);

/** The mask of a member; undefined when it holds no personal data. */
function maskOf(parent: string, name: string): Mask | undefined {
  return MASKS.get(`${parent}.${name}`) ?? MASKS.get(name);
}

/** Whether a text with this name is masked in an object that is the value of the member `parent`. */
export function isMasked(parent: string, name: string): boolean {
  return maskOf(parent, name) !== undefined;
}

/** The masks of a party's own texts. Accounts, agents and addresses of customers have the holder's name in them besides. */
const PARTY_MASKS: Readonly<Record<PartyKind, { readonly name?: Mask; readonly detail?: Mask }>> = {
  CUSTOMER: { name: initials },
  INTERNAL_ACCOUNT: {},
  // Without a beneficiary the name is the last four characters.
  EXTERNAL_ACCOUNT: { name: (text) => (String(text).startsWith("••") ? text : initials(text)) },
  UMA: { name: mailbox, detail: initials },
  OUTSIDE: { name: (text) => (text === UNNAMED_PAYER ? text : initials(text)), detail: hide },
  PLATFORM: {},
  AGENT: {},
  PERSON: { detail: mailbox },
  TOKEN: {},
  SYSTEM: {},
};

function isParty(value: object): value is Party {
  const { kind, name, detail } = value as Partial<Party>;
  const isKind = typeof kind === "string" && Object.hasOwn(PARTY_MASKS, kind);
  return isKind && typeof name === "string" && typeof detail === "string";
}

function maskedParty(party: Party): Party {
  const { kind, holder } = party;
  const masks = PARTY_MASKS[kind];
  const shown = (text: string, mask: Mask = (own) => own) =>
    text === "" ? "" : String(mask(text));
  const name = shown(party.name, masks.name);
  const detail = shown(party.detail, masks.detail);
  if (holder === undefined) return { ...party, name, detail };
  const hidden = shown(holder.name, initials);
  const isNamedByHolder = kind === "INTERNAL_ACCOUNT";
  return {
    ...party,
    name: isNamedByHolder ? hidden : name,
    detail: detailOfHeld(party, { detail, hidden }),
    holder: { ...holder, name: hidden },
  };
}

/** The name of an agent may have the holder's name in it, that of a customer's account is a text about the customer. */
function detailOfHeld(
  party: Party,
  { detail, hidden }: { readonly detail: string; readonly hidden: string },
): string {
  if (party.kind === "AGENT") return detail.replaceAll(party.holder?.name ?? "", hidden);
  const name = accountNameIn(party);
  return name === undefined ? detail : detail.replace(name, () => String(initials(name)));
}

/** The name of a customer's account is a text about the customer. Accounts of the platform have names of its own. */
function isAccountOfCustomer(value: object): boolean {
  return "customerId" in value && "fundingPaymentInstructions" in value;
}

/** A copy of a JSON value without personal data. */
export function masked(value: unknown, parent = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => masked(one, parent));
  if (typeof value !== "object" || value === null) return value;
  if (isParty(value)) return maskedParty(value);
  const isNamedAccount = "name" in value && isAccountOfCustomer(value);
  const isAddress = "line1" in value || "city" in value || "postalCode" in value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      // Beside an address, `state` is a part of it; everywhere else it is the status of an object.
      const mask = name === "state" && isAddress ? hide : maskOf(parent, name);
      if (isNamedAccount && name === "name") return [name, initials(member)];
      if (mask === undefined) return [name, masked(member, name)];
      if (MARKS.has(member)) return [name, member];
      // When the member with a masked name is an object, every value in it is hidden.
      return [name, typeof member === "object" && member !== null ? hideAll(member) : mask(member)];
    }),
  );
}

function hideAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideAll);
  if (typeof value !== "object" || value === null) return hide(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideAll(one)]));
}

/** The answer without personal data. Refuses an answer that is not JSON, except a stream marked `isImpersonal`. */
export function maskAnswer(answer: OperationAnswer): OperationAnswer {
  if (isStreamed(answer)) {
    if (answer.isImpersonal === true) return answer;
    throw refused();
  }
  if (isReady(answer)) {
    if (answer.contentType !== undefined) throw refused();
    return { status: answer.status, body: maskedText(String(answer.body)) };
  }
  return answer.body === "" ? answer : { ...answer, body: maskedText(answer.body) };
}

/** A JSON text without personal data. */
export function maskedText(body: string): string {
  return JSON.stringify(masked(JSON.parse(body)));
}

/** Finds a member in a JSON text that `masked` may change, or its parent where the mask depends on it. Every party has `detail`. */
const MASKED_MEMBER = new RegExp(
  // The second one is a name of a customer's account.
  '"detail":"|"customerId":"[^"]+","name":"|' +
    `"(?:${namesWith((mask) => mask !== unlessMadeHere)})":|` +
    `"(?:${namesWith((mask) => mask === unlessMadeHere)})":(?!"(?:${MADE_HERE.source.slice(1, -1)})")`,
);

function namesWith(isWanted: (mask: Mask) => boolean): string {
  const names = [...MASKS].filter(([, mask]) => isWanted(mask)).map(([name]) => name.split(".")[0]);
  return [...new Set(names)].join("|");
}

/** Whether `maskedText` would change the text. May be true of a text that it leaves as it is, but never false of another. */
export function mayHoldPersonalData(body: string): boolean {
  return MASKED_MEMBER.test(body);
}

function refused(): Refusal {
  return new Refusal(
    "FORBIDDEN",
    { capability: "pii.read" },
    "This answer may hold personal data, which your roles do not let you see.",
  );
}
