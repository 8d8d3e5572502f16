import Type from "typebox";
import { accountExamples } from "../../domain/external-accounts/account-examples.ts";
import type {
  AccountTypeRule,
  BeneficiaryRule,
  Way,
} from "../../domain/external-accounts/account-type-rule.ts";
import {
  type AccountType,
  accountTypes,
  ruleOf,
} from "../../domain/external-accounts/account-types.ts";
import { type FieldRule, NAME, optional } from "../../domain/external-accounts/field-rules.ts";
import type { JsonObject } from "../../std/json.ts";

const PLATFORM_ACCOUNT_ID = optional("platformAccountId", NAME);

/**
 * The 46 forms of `accountInfo` for the API reference, made from the table that requests are judged by. Requests are
 * not validated with these: `checkAccountInfo` names every fault in one answer, which a union of 46 cannot.
 */
export function accountInfoRequestSchema(accountType: AccountType): Type.TSchema {
  return schemaOf(accountType, {}, exampleAccountInfo(accountType));
}

/** As in a request, and for fiat the rails that reach the account. */
export function accountInfoResponseSchema(accountType: AccountType): Type.TSchema {
  const { paymentRails } = ruleOf(accountType);
  if (paymentRails.length === 0) return accountInfoRequestSchema(accountType);
  const rail = Type.String({ enum: [...paymentRails] });
  const rails = Type.Array(rail, { description: "The rails that reach this account." });
  const example = { ...exampleAccountInfo(accountType), paymentRails };
  return schemaOf(accountType, { paymentRails: rails }, example);
}

export const accountInfoRequest = union(accountInfoRequestSchema);
export const accountInfoResponse = union(accountInfoResponseSchema);

/** A request's `accountInfo` that is valid for the type. */
export function exampleAccountInfo(accountType: AccountType): JsonObject {
  return accountExamples[accountType];
}

function union(schemaFor: (accountType: AccountType) => Type.TSchema): Type.TSchema {
  return Type.Unsafe({
    type: "object",
    oneOf: accountTypes.map(schemaFor),
    discriminator: { propertyName: "accountType" },
  });
}

function schemaOf(
  accountType: AccountType,
  extra: Type.TProperties,
  example: JsonObject,
): Type.TSchema {
  const rule = ruleOf(accountType);
  return Type.Object(
    {
      accountType: Type.Literal(accountType),
      ...propertiesOf(rule.fields),
      ...extra,
      ...propertiesOf([PLATFORM_ACCOUNT_ID]),
      ...(rule.beneficiary === undefined ? {} : beneficiaryProperty(rule.beneficiary)),
    },
    {
      title: accountType,
      description: descriptionOf(rule),
      ...alternativesOf(rule),
      examples: [example],
    },
  );
}

function descriptionOf({ currencies, countries, bankName }: AccountTypeRule): string {
  const codes = currencies === "any-fiat" ? "any national currency" : currencies.join(", ");
  const held = countries.length === 0 ? "" : ` Held in ${countries.join(", ")}.`;
  const bank =
    bankName === "directory" ? " `bankName` is spelled as GET /discoveries lists it." : "";
  return `Currency: ${codes}.${held}${bank}`;
}

/** The ways to name the account: one of them, or at least one. The first that is taken may ask for more. */
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
  const beneficiary = Type.Unsafe({
    type: "object",
    oneOf: [kindOf("INDIVIDUAL", individual), kindOf("BUSINESS", business)],
    discriminator: { propertyName: "beneficiaryType" },
  });
  return { beneficiary: required ? beneficiary : Type.Optional(beneficiary) };
}

function kindOf(beneficiaryType: string, fields: readonly FieldRule[]): Type.TSchema {
  return Type.Object(
    { beneficiaryType: Type.Literal(beneficiaryType), ...propertiesOf(fields) },
    { title: beneficiaryType },
  );
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
  if (field.kind === "object") return Type.Object(propertiesOf(field.fields));
  const { pattern, minLength, maxLength, values, format } = field;
  const demands = { pattern, minLength, maxLength, enum: values, format };
  const stated = Object.entries(demands).filter(([, demand]) => demand !== undefined);
  return Type.String(Object.fromEntries(stated));
}
