import type { FastifyServerOptions } from "fastify";
import type { TSchema } from "typebox";
import {
  type CodedFault,
  commonCode,
  type FieldError,
  invalidFields,
  type RefusalCode,
} from "../engine/refusal.ts";
import { isCalendarDate } from "../std/calendar-date.ts";
import { isCountryCode } from "../std/countries.ts";
import { isEmailAddress } from "../std/email-address.ts";
import { toFieldErrors, type ValidationError } from "./field-errors.ts";
import { isDateTime, isPhoneNumber } from "./formats.ts";
import { MAX_ERRORS } from "./json-body.ts";
import {
  complaintKeyword,
  documentKeyword,
  idKindsKeyword,
  isNode,
  lengthsFirst,
  refusalKeyword,
  sharedMembersFirst,
  valuesKeyword,
  withoutIds,
} from "./schema.ts";

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
    keywords: [
      refusalKeyword,
      complaintKeyword,
      documentKeyword,
      idKindsKeyword,
      valuesKeyword,
      "example",
    ],
  },
  onCreate(ajv) {
    ajv.addFormat("date", isCalendarDate);
    ajv.addFormat("date-time", isDateTime);
    ajv.addFormat("iso3166-1-alpha-2", isCountryCode);
    ajv.addFormat("e.164", isPhoneNumber);
    ajv.addFormat("email", isEmailAddress);
  },
};

/** A compiled schema: true when the value fits; else the errors are on the function until its next call. */
export interface Check {
  (value: unknown): unknown;
  errors?: readonly ValidationError[] | null | undefined;
}

export type CompileSchema = (schema: unknown) => Check;

export interface Validator {
  /** What does not fit, undefined when all does; fills in defaults. `strict` is the twin that json-body.ts makes. */
  faultsOf(value: unknown, strict?: unknown): Faults | undefined;
}

/** Bad fields, and the code to refuse them with. */
export interface Faults {
  readonly code: RefusalCode;
  readonly errors: readonly FieldError[];
}

export function createValidator(schema: TSchema, compile: CompileSchema): Validator {
  const check = compile(lengthsFirst(sharedMembersFirst(withoutIds(schema))));
  const errorsOf = (value: unknown) =>
    check(value) === true ? [] : (check.errors ?? []).filter(({ keyword }) => keyword !== "if");
  return {
    faultsOf(value, strict) {
      const errors = errorsOf(value);
      if (strict !== undefined) {
        const named = new Set(errors.map(({ instancePath }) => instancePath));
        const unplain = errorsOf(strict).filter(wantsInteger);
        errors.push(...unplain.filter(({ instancePath }) => !named.has(instancePath)));
      }
      return errors.length > 0 ? toFaults(errors) : undefined;
    },
  };
}

export function refuse({ errors, code }: Faults): never {
  throw invalidFields(errors, code);
}

/** What both found: a field that the first one names is not named again; codes that differ come to plainly invalid. */
export function joinFaults(first: Faults, second: Faults | undefined): Faults;
export function joinFaults(
  first: Faults | undefined,
  second: Faults | undefined,
): Faults | undefined;
export function joinFaults(
  first: Faults | undefined,
  second: Faults | undefined,
): Faults | undefined {
  if (first === undefined) return second;
  if (second === undefined) return first;
  const named = new Set(first.errors.map(({ field }) => field));
  const added = second.errors.filter(({ field }) => !named.has(field));
  if (added.length === 0) return first;
  return {
    code: first.code === second.code ? first.code : "INVALID_INPUT",
    errors: [...first.errors, ...added].slice(0, MAX_ERRORS),
  };
}

/** What an operation says of a body, beyond its schema. */
export type Judgement<Value> = (
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly errors: readonly FieldError[];
      /** Counts when no field but these is wrong. */
      readonly code?: RefusalCode;
    }
) & {
  /**
   * Asked for when there are other faults, to be named beside them: without others the command judges these fields, after
   * the answer that the key got before and after what it refuses first. It may have to look something up.
   */
  readonly besides?: () => readonly FieldError[] | Promise<readonly FieldError[]>;
};

/** What stands against a request, with what its operation says of the body. */
export function withJudgement(
  faults: Faults | undefined,
  judgement: Judgement<unknown>,
): Promise<Faults> | undefined {
  const { code = "INVALID_INPUT", errors } = judgement.ok ? NOTHING_SAID : judgement;
  const all = joinFaults(faults, errors.length === 0 ? undefined : { code, errors });
  return all && withBesides(all, judgement);
}

async function withBesides(all: Faults, { besides }: Judgement<unknown>): Promise<Faults> {
  return besides === undefined ? all : joinFaults(all, plainFaults(await besides()));
}

const NOTHING_SAID: Partial<Faults> & Pick<Faults, "errors"> = { errors: [] };

/** A judgement that finds these faults, or else makes this of the body. */
export function judgementOf(faults: readonly CodedFault[]): Judgement<undefined>;
export function judgementOf<Value>(faults: readonly CodedFault[], value: Value): Judgement<Value>;
export function judgementOf(faults: readonly CodedFault[], value?: unknown): Judgement<unknown> {
  if (faults.length === 0) return { ok: true, value };
  return { ok: false, errors: faults.map(({ error }) => error), code: commonCode(faults) };
}

/** Fields that are wrong whatever they are for; undefined when there is none. */
export function plainFaults(errors: readonly FieldError[]): Faults | undefined {
  return errors.length === 0 ? undefined : { code: "INVALID_INPUT", errors };
}

/** A field's own code counts when nothing but such fields is wrong; a field that is missing is plainly invalid. */
function toFaults(errors: readonly ValidationError[]): Faults {
  const codes = new Set(errors.map(refusalCodeOf));
  const [only] = codes;
  const code = codes.size === 1 && only !== undefined ? only : "INVALID_INPUT";
  return { code, errors: toFieldErrors(errors) };
}

function refusalCodeOf(error: ValidationError): RefusalCode {
  const { parentSchema } = error;
  const code = isNode(parentSchema) ? parentSchema[refusalKeyword] : undefined;
  return typeof code === "string" ? (code as RefusalCode) : "INVALID_INPUT";
}

function wantsInteger(error: ValidationError): boolean {
  return error.keyword === "type" && [error.params.type].flat().includes("integer");
}
