import type { FieldError } from "../../../engine/refusal.ts";
import { getCurrency, isCurrencyCode } from "../../../money/currency.ts";
import { present } from "../../../std/assert.ts";
import { isJsonObject, type JsonObject } from "../../../std/json.ts";
import { isInstitution, nearestInstitutions } from "../discoveries/directory.ts";
import type { AccountTypeRule, BeneficiaryKind, Way } from "./account-type-rule.ts";
import {
  type AccountType,
  accountTypes,
  isAccountType,
  isPullable,
  primaryIdentifierOf,
  ruleOf,
} from "./account-types.ts";
import { checkFields, memberOf, type Report } from "./check-fields.ts";
import { asNeeded, type FieldRule, NAME, needed, oneOf, optional } from "./field-rules.ts";

export interface SoundAccountInfo {
  readonly ok: true;
  readonly accountType: AccountType;
  /** The fields to store, as sent; for a fiat account also its payment rails. */
  readonly accountInfo: JsonObject;
  /** The platform's own id for the account when it was sent inside `accountInfo`. An id sent beside `accountInfo` takes precedence. */
  readonly platformAccountId?: string;
  readonly primaryIdentifier: string;
  readonly pullable: boolean;
}

export interface FaultyAccountInfo {
  readonly ok: false;
  /** `INVALID_CURRENCY` when nothing but the currency is wrong, `INVALID_BANK_ACCOUNT` when nothing but the bank's name is. */
  readonly code: "INVALID_INPUT" | "INVALID_CURRENCY" | "INVALID_BANK_ACCOUNT";
  readonly errors: readonly FieldError[];
}

/**
 * Validates the `currency` and `accountInfo` of a request to add an external account, and reports every fault at once. Spaces and hyphens
 * are removed where the field's rule says so; nothing else is converted. Check digits are not verified here: the sandbox's magic suffixes
 * would fail them, and only the command knows the environment.
 */
export function checkAccountInfo(
  currency: unknown,
  input: unknown,
): SoundAccountInfo | FaultyAccountInfo {
  const errors: FieldError[] = [];
  const report: Report = (error) => errors.push(error);
  const accountType = typeOf(input, report);
  checkCurrency(currency, accountType, report);
  const fields =
    accountType === undefined || !isJsonObject(input)
      ? {}
      : soundFields(input, accountType, report);
  if (accountType === undefined || errors.length > 0)
    return { ok: false, errors, code: codeOf(errors) };

  const { platformAccountId } = fields;
  return {
    ok: true,
    accountType,
    accountInfo: { accountType, ...fields },
    ...(typeof platformAccountId === "string" ? { platformAccountId } : {}),
    primaryIdentifier: primaryIdentifierOf(accountType, fields),
    pullable: isPullable(accountType),
  };
}

function codeOf(errors: readonly FieldError[]): FaultyAccountInfo["code"] {
  if (errors.every((error) => error.field === "currency")) return "INVALID_CURRENCY";
  return errors.every(isUnlistedBank) ? "INVALID_BANK_ACCOUNT" : "INVALID_INPUT";
}

function typeOf(input: unknown, report: Report): AccountType | undefined {
  if (!isJsonObject(input)) {
    report({ field: PATH, message: "must be an object" });
    return undefined;
  }
  const accountType = memberOf(input, "accountType");
  if (typeof accountType === "string" && isAccountType(accountType)) return accountType;
  const message = accountType === undefined ? "is required" : "is not a known account type";
  report({ field: `${PATH}.accountType`, message, constraint: { enum: accountTypes } });
  return undefined;
}

function checkCurrency(code: unknown, accountType: AccountType | undefined, report: Report): void {
  if (typeof code !== "string") {
    report({ field: "currency", message: "must be a string" });
    return;
  }
  if (!isCurrencyCode(code)) {
    report({ field: "currency", message: "is not a known currency" });
    return;
  }
  if (accountType === undefined) return;
  const allowed = ruleOf(accountType).currencies;
  if (allowed === "any-fiat") {
    if (getCurrency(code).kind === "fiat") return;
    report({ field: "currency", message: `a ${accountType} holds no ${code}` });
    return;
  }
  if (allowed.includes(code)) return;
  report({
    field: "currency",
    message: `a ${accountType} is in ${allowed.join(" or ")}`,
    constraint: { enum: allowed },
  });
}

function soundFields(input: JsonObject, accountType: AccountType, report: Report): JsonObject {
  const rule = ruleOf(accountType);
  const way = wayTaken(input, rule, report);
  const { paymentRails } = rule;
  const beneficiary = soundBeneficiary(input, { rule, way }, report);
  const fields = checkFields(input, { rules: fieldsOf(rule, way), path: PATH }, report);
  if (rule.bankName === "directory") checkBankName(fields.bankName, rule, report);
  return {
    ...fields,
    ...(paymentRails.length > 0 ? { paymentRails } : {}),
    ...checkFields(input, { rules: [PLATFORM_ACCOUNT_ID], path: PATH }, report),
    ...(beneficiary === undefined ? {} : { beneficiary }),
  };
}

/** The name must equal a name of the country's directory: a similar name may be another bank's. */
function checkBankName(bankName: unknown, { countries }: AccountTypeRule, report: Report): void {
  const country = present(countries[0], "the country of a type with a directory");
  if (typeof bankName !== "string" || isInstitution(country, bankName)) return;
  report({
    field: `${PATH}.bankName`,
    message: `must be a bankName that GET /discoveries lists for ${country}`,
    nearest: nearestInstitutions(country, bankName),
  });
}

function isUnlistedBank({ field, nearest }: FieldError): boolean {
  return field === `${PATH}.bankName` && nearest !== undefined;
}

/** The alternative that the request uses to identify the account, by its leading fields. */
function wayTaken(input: JsonObject, rule: AccountTypeRule, report: Report): Way | undefined {
  const leads = rule.ways.map((way) => way.fields[0]).join(", ");
  const [taken, ...others] = rule.ways.filter((way) => has(input, way.fields[0]));
  if (taken === undefined) {
    for (const way of rule.ways) {
      report({ field: `${PATH}.${way.fields[0]}`, message: `one of ${leads} is required` });
    }
  }
  if (rule.oneWayOnly) {
    for (const way of others) {
      report({ field: `${PATH}.${way.fields[0]}`, message: `only one of ${leads} is allowed` });
    }
  }
  return taken;
}

/** The type's fields, with those that the chosen alternative adds. */
function fieldsOf(rule: AccountTypeRule, way: Way | undefined): readonly FieldRule[] {
  if (way === undefined) return rule.fields;
  return rule.fields.map((field) => {
    if (field.name === way.narrows?.name) return way.narrows;
    return way.fields.includes(field.name) ? asNeeded(field) : field;
  });
}

function soundBeneficiary(
  input: JsonObject,
  { rule, way }: { readonly rule: AccountTypeRule; readonly way: Way | undefined },
  report: Report,
): JsonObject | undefined {
  const path = `${PATH}.beneficiary`;
  const value = memberOf(input, "beneficiary");
  if (rule.beneficiary === undefined) return undefined;
  if (value === undefined) {
    if (rule.beneficiary.required) report({ field: path, message: "is required" });
    return undefined;
  }
  if (!isJsonObject(value)) {
    report({ field: path, message: "must be an object" });
    return undefined;
  }
  const kinds = way?.beneficiary === undefined ? KINDS : [way.beneficiary];
  const typeRule = needed("beneficiaryType", oneOf(...kinds));
  const given = memberOf(value, "beneficiaryType");
  const own = given === "BUSINESS" ? rule.beneficiary.business : rule.beneficiary.individual;
  const known = given === "BUSINESS" || given === "INDIVIDUAL";
  return checkFields(value, { rules: known ? [typeRule, ...own] : [typeRule], path }, report);
}

function has(input: JsonObject, name: string): boolean {
  return memberOf(input, name) !== undefined;
}

const PATH = "accountInfo";
const KINDS: readonly BeneficiaryKind[] = ["INDIVIDUAL", "BUSINESS"];
const PLATFORM_ACCOUNT_ID = optional("platformAccountId", NAME);
