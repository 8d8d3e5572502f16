/**
 * Hides personal data in an answer on its way to a person without `pii.read`: names become initials, addresses lose all but their
 * first letters, account numbers all but their last four digits. What is stored under an idempotency key is not changed. Members are
 * known by their names, wherever they stand, so data of events are masked as well.
 */
import { Refusal } from "../../engine/refusal.ts";
import { isReady, isStreamed, type OperationAnswer } from "../request/operation.ts";

type Mask = (value: unknown) => unknown;

const HIDDEN = "•••";
const hide: Mask = (value) => (value === null ? null : HIDDEN);

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

/** `a•••@d•••.tld`, of mail and of UMA addresses. */
const mailbox: Mask = (value) => {
  const found = /^(\$?.)[^@]*@(.)[^@]*?(\.[^.@]+)?$/su.exec(typeof value === "string" ? value : "");
  if (found === null) return hide(value);
  const [, local = "", domain = "", ending = ""] = found;
  return `${local}${HIDDEN}@${domain}${HIDDEN}${ending}`;
};

function group(mask: Mask, names: string): readonly (readonly [string, Mask])[] {
  return names.split(/\s+/).map((name) => [name, mask]);
}

/** By the name of the member. */
const MASKS: ReadonlyMap<string, Mask> = new Map([
  ...group(
    initials,
    "fullName firstName middleName lastName legalName doingBusinessAs businessName holderName accountHolderName " +
      "displayName counterpartyName beneficiaryName debtorName creditorName senderName receiverName FULL_NAME",
  ),
  ...group(
    mailbox,
    "email contactEmail umaAddress inviterUma inviteeUma senderUmaAddress receiverUmaAddress",
  ),
  ...group(
    lastFour,
    "accountNumber iban clabe cbu cvu pixKey routingNumber sortCode bsb swiftCode phoneNumber taxId ssn nationalId " +
      "documentNumber registrationNumber identificationNumber otherId bankAccount invoice",
  ),
  ...group(
    hide,
    "address line1 line2 city state postalCode birthDate nationality identifier BIRTH_DATE NATIONALITY ADDRESS TAX_ID EMAIL " +
      "PHONE_NUMBER businessInfo personalInfo counterpartyInformation beneficiaryVerifiedData description note memo fileName " +
      "correlationId requestBody responseBody query",
  ),
]);

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const mask = MASKS.get(name);
      if (mask === undefined) return [name, masked(member)];
      // An object of the same name is masked member by member where it holds what has a mask of its own.
      return [name, typeof member === "object" && member !== null ? hideAll(member) : mask(member)];
    }),
  );
}

function hideAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideAll);
  if (typeof value !== "object" || value === null) return hide(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, hideAll(one)]));
}

/** The answer without personal data. An answer that is no JSON is refused. */
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

function maskedText(body: string): string {
  return JSON.stringify(masked(JSON.parse(body)));
}

function refused(): Refusal {
  return new Refusal(
    "FORBIDDEN",
    { capability: "pii.read" },
    "This answer may hold personal data, which your roles do not let you see.",
  );
}
