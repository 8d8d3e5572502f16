import type { FastifyServerOptions } from "fastify";
import type { TSchema } from "typebox";
import { invalidFields, type RefusalCode } from "../engine/refusal.ts";
import { isCountryCode } from "../std/countries.ts";
import { toFieldErrors, type ValidationError } from "./field-errors.ts";
import { isDate, isDateTime, isPhoneNumber } from "./formats.ts";
import { documentKeyword, isNode, refusalKeyword, withoutIds } from "./schema.ts";

/**
 * Fastify's Ajv with its own habits switched off: text is never turned into numbers, nothing is cut out of a body, every
 * error is found. Properties that a schema does not name are allowed; an operation reads only those that it knows.
 */
export const validatorOptions: NonNullable<FastifyServerOptions["ajv"]> = {
  customOptions: {
    coerceTypes: false,
    removeAdditional: false,
    allErrors: true,
    useDefaults: true,
    discriminator: true,
    // Puts the schema beside each error: messages and refusal codes come from there.
    verbose: true,
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    keywords: [refusalKeyword, documentKeyword, "example"],
  },
  onCreate(ajv) {
    ajv.addFormat("date", isDate);
    ajv.addFormat("date-time", isDateTime);
    ajv.addFormat("iso3166-1-alpha-2", isCountryCode);
    ajv.addFormat("e.164", isPhoneNumber);
  },
};

/** A compiled schema: true when the value fits; else the errors are on the function until its next call. */
export interface Check {
  (value: unknown): unknown;
  errors?: readonly ValidationError[] | null | undefined;
}

export type CompileSchema = (schema: unknown) => Check;

export interface Validator {
  /** Refuses a value that does not fit; fills in defaults. `strict` is the twin that json-body.ts makes. */
  check(value: unknown, strict?: unknown): void;
}

export function createValidator(schema: TSchema, compile: CompileSchema): Validator {
  const check = compile(withoutIds(schema));
  return {
    check(value, strict) {
      if (check(value) !== true) throw toRefusal(check.errors ?? []);
      if (strict === undefined || check(strict) === true) return;
      const errors = (check.errors ?? []).filter(wantsInteger);
      if (errors.length > 0) throw toRefusal(errors);
    },
  };
}

/** A field's own code counts when nothing but such fields is wrong; a field that is missing is plainly invalid. */
function toRefusal(errors: readonly ValidationError[]) {
  const codes = new Set(errors.map(refusalCodeOf));
  const [only] = codes;
  const code = codes.size === 1 && only !== undefined ? only : "INVALID_INPUT";
  return invalidFields(toFieldErrors(errors), code);
}

function refusalCodeOf(error: ValidationError): RefusalCode {
  const { parentSchema } = error;
  const code = isNode(parentSchema) ? parentSchema[refusalKeyword] : undefined;
  return typeof code === "string" ? (code as RefusalCode) : "INVALID_INPUT";
}

function wantsInteger(error: ValidationError): boolean {
  return error.keyword === "type" && error.params.type === "integer";
}
