import { isDeepStrictEqual } from "node:util";
import Type from "typebox";
import { accountExamples } from "../../domain/accounts/external/account-examples.ts";
import {
  type AccountTypeRule,
  type BeneficiaryRule,
  BUSINESS,
  INDIVIDUAL,
  WALLET_INDIVIDUAL,
  type Way,
} from "../../domain/accounts/external/account-type-rule.ts";
import {
  type AccountType,
  accountTypes,
  ruleOf,
} from "../../domain/accounts/external/account-types.ts";
import {
  ADDRESS,
  type FieldRule,
  NAME,
  optional,
  spacedPattern,
} from "../../domain/accounts/external/field-rules.ts";
import type { JsonObject } from "../../std/json.ts";

const PLATFORM_ACCOUNT_ID = optional("platformAccountId", NAME);

/** Forms that many account types share are named, so that the document contains each only once. */
const SHARED_FORMS: readonly (readonly [name: string, fields: readonly FieldRule[]])[] = [
  ["IndividualBeneficiary", INDIVIDUAL],
  ["WalletOwner", WALLET_INDIVIDUAL],
  ["BusinessBeneficiary", BUSINESS],
  ["BeneficiaryAddress", ADDRESS.fields],
];

/** Likewise the unions of both kinds of beneficiaries, keyed by the individual's form; a business has one form everywhere. */
const SHARED_BENEFICIARIES: typeof SHARED_FORMS = [
  ["Beneficiary", INDIVIDUAL],
  ["WalletBeneficiary", WALLET_INDIVIDUAL],
];

/**
 * The 46 forms of `accountInfo` for the API reference, generated from the table that validates requests. Requests are
 * not validated with these: `checkAccountInfo` names every fault in one answer, which a union of 46 cannot. A form
 * serves requests and answers alike; the rails are the answer's.
 */
export function accountInfoForm(accountType: AccountType): Type.TSchema {
  const rule = ruleOf(accountType);
  return Type.Object(
    {
      accountType: Type.Literal(accountType),
      ...propertiesOf(rule.fields),
      ...railsProperty(rule),
      ...propertiesOf([PLATFORM_ACCOUNT_ID]),
      ...(rule.beneficiary === undefined ? {} : beneficiaryProperty(rule.beneficiary)),
    },
    {
      $id: accountType,
      title: accountType,
      description: descriptionOf(rule),
      ...alternativesOf(rule),
      examples: [exampleAccountInfo(accountType)],
    },
  );
}

export const accountInfoRequest = Type.Unsafe({
  $id: "AccountInfo",
  type: "object",
  oneOf: accountTypes.map(accountInfoForm),
  discriminator: { propertyName: "accountType" },
});

const WITHOUT_RAILS = accountTypes.filter((type) => ruleOf(type).paymentRails.length === 0);

/** The form of a request; for fiat the answer always has the rails that reach the account. */
export const accountInfoResponse = Type.Unsafe({
  allOf: [accountInfoRequest],
  if: { properties: { accountType: { enum: WITHOUT_RAILS } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; a schema is never awaited.
  then: { not: { required: ["paymentRails"] } },
  else: { required: ["paymentRails"] },
});

/** A request's `accountInfo` that is valid for the type. */
export function exampleAccountInfo(accountType: AccountType): JsonObject {
  return accountExamples[accountType];
}

function railsProperty({ paymentRails }: AccountTypeRule): Type.TProperties {
  if (paymentRails.length === 0) return {};
  const rails = Type.Array(Type.String({ enum: [...paymentRails] }), {
    readOnly: true,
    description: "The rails that reach this account; in answers alone.",
  });
  return { paymentRails: Type.Optional(rails) };
}

function descriptionOf({ currencies, countries, bankName, ...rule }: AccountTypeRule): string {
  const codes = currencies === "any-fiat" ? "any national currency" : currencies.join(", ");
  const held = countries.length === 0 ? "" : ` Held in ${countries.join(", ")}.`;
  const bank =
    bankName === "directory" ? " `bankName` is spelled as GET /discoveries lists it." : "";
  return `Currency: ${codes}.${held}${bank}${waysInWords(rule)}`;
}

function waysInWords({ ways, oneWayOnly }: Pick<AccountTypeRule, "ways" | "oneWayOnly">): string {
  if (ways.length === 0) return "";
  const named = ways.map(({ fields }) => fields.map((field) => `\`${field}\``).join(" with "));
  return ` Named by ${named.join(", or by ")}${oneWayOnly ? ", one of them alone" : ""}.`;
}

/** Alternative identifiers of an account: exactly one, or at least one. The first one given may require further fields. */
function alternativesOf(rule: AccountTypeRule): JsonObject {
  if (rule.ways.length === 0) return {};
  const ways = rule.ways.map((way, index) => wayOf(way, rule.ways.slice(0, index)));
  return rule.oneWayOnly ? { oneOf: rule.ways.map((way) => wayOf(way, [])) } : { anyOf: ways };
}

function wayOf(way: Way, earlier: readonly Way[]): JsonObject {
  const kind = way.beneficiary;
  const properties = {
    ...(way.narrows === undefined
      ? {}
      : { [way.narrows.name]: { enum: way.narrows.values ?? [] } }),
    ...(kind === undefined
      ? {}
      : { beneficiary: { type: "object", properties: { beneficiaryType: { const: kind } } } }),
  };
  return {
    required: way.fields,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(earlier.length === 0
      ? {}
      : { not: { anyOf: earlier.map(({ fields }) => ({ required: [fields[0]] })) } }),
  };
}

function beneficiaryProperty({
  required,
  individual,
  business,
}: BeneficiaryRule): Type.TProperties {
  const name = SHARED_BENEFICIARIES.find(([, known]) => isDeepStrictEqual(known, individual))?.[0];
  const beneficiary = Type.Unsafe({
    ...(name === undefined ? {} : { $id: name }),
    type: "object",
    oneOf: [kindOf("INDIVIDUAL", individual), kindOf("BUSINESS", business)],
    discriminator: { propertyName: "beneficiaryType" },
  });
  return { beneficiary: required ? beneficiary : Type.Optional(beneficiary) };
}

function kindOf(beneficiaryType: string, fields: readonly FieldRule[]): Type.TSchema {
  return Type.Object(
    { beneficiaryType: Type.Literal(beneficiaryType), ...propertiesOf(fields) },
    { ...nameOf(fields), title: beneficiaryType },
  );
}

function nameOf(fields: readonly FieldRule[]): { readonly $id?: string } {
  const shared = SHARED_FORMS.find(([, known]) => isDeepStrictEqual(known, fields));
  return shared === undefined ? {} : { $id: shared[0] };
}

function propertiesOf(fields: readonly FieldRule[]): Type.TProperties {
  return Object.fromEntries(
    fields.map((field) => {
      const schema = propertyOf(field);
      return [field.name, field.required ? schema : Type.Optional(schema)];
    }),
  );
}

function propertyOf(field: FieldRule): Type.TSchema {
  if (field.kind === "object") return Type.Object(propertiesOf(field.fields), nameOf(field.fields));
  const { minLength, maxLength, values, format, isSpaced } = field;
  const pattern = field.pattern && isSpaced ? spacedPattern(field.pattern) : field.pattern;
  const description = isSpaced ? "Spaces and hyphens are taken, and stored without." : undefined;
  const demands = { description, pattern, minLength, maxLength, enum: values, format };
  const stated = Object.entries(demands).filter(([, demand]) => demand !== undefined);
  return Type.String(Object.fromEntries(stated));
}
