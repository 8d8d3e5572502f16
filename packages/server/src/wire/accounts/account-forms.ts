/** The form of each type of external account, for a program that shows fields: `npm run generate` writes it for the console. */
import { accountExamples } from "../../domain/accounts/external/account-examples.ts";
import { accountTypes, ruleOf } from "../../domain/accounts/external/account-types.ts";
import type { FieldRule } from "../../domain/accounts/external/field-rules.ts";
import { isJsonObject, type JsonObject } from "../../std/json.ts";

interface FormField {
  /** A dot path below `accountInfo`, or below the beneficiary. */
  readonly name: string;
  readonly isOptional?: true;
  readonly values?: readonly string[];
  readonly hint?: string;
  readonly example?: string;
}

export interface AccountForm {
  readonly type: string;
  /** Null for a type that may be in any currency of a country. */
  readonly currencies: readonly string[] | null;
  readonly fields: readonly FormField[];
  /** Alternative sets of fields that identify the account; absent when the type has no alternatives. */
  readonly ways?: readonly (readonly string[])[];
  /** Fields in order of precedence: the last three digits of the first one present select the sandbox's outcome. */
  readonly identifiedBy: readonly string[];
  readonly beneficiary?: {
    readonly isOptional?: true;
    readonly INDIVIDUAL: readonly FormField[];
    readonly BUSINESS: readonly FormField[];
  };
}

export function accountForms(): readonly AccountForm[] {
  return accountTypes.map((type) => {
    const { currencies, fields, ways, identifiedBy, beneficiary } = ruleOf(type);
    const example = accountExamples[type];
    return {
      type,
      currencies: currencies === "any-fiat" ? null : currencies,
      fields: formFields(fields, example),
      ...(ways.length === 0 ? {} : { ways: ways.map((way) => way.fields) }),
      identifiedBy,
      ...(beneficiary === undefined
        ? {}
        : {
            beneficiary: {
              ...(beneficiary.required ? {} : { isOptional: true as const }),
              INDIVIDUAL: formFields(beneficiary.individual, example.beneficiary),
              BUSINESS: formFields(beneficiary.business, example.beneficiary),
            },
          }),
    };
  });
}

/** A required field of an optional object is needed only when the object is given, so the form may leave it empty. */
function formFields(
  rules: readonly FieldRule[],
  example: unknown,
  { path = "", isOptional = false } = {},
): readonly FormField[] {
  const values: JsonObject = isJsonObject(example as never) ? (example as JsonObject) : {};
  return rules.flatMap((rule): readonly FormField[] => {
    const name = path + rule.name;
    const mayBeEmpty = isOptional || !rule.required;
    const value = values[rule.name];
    if (rule.kind === "object")
      return formFields(rule.fields, value, { path: `${name}.`, isOptional: mayBeEmpty });
    return [
      {
        name,
        ...(mayBeEmpty ? { isOptional: true as const } : {}),
        ...(rule.values === undefined ? {} : { values: rule.values }),
        ...(rule.complaint === undefined ? {} : { hint: rule.complaint }),
        ...(typeof value === "string" ? { example: value } : {}),
      },
    ];
  });
}
