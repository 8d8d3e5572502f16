import fastify, { type FastifyServerOptions } from "fastify";
import type { TSchema } from "typebox";
import {
  type CodedFault,
  commonCode,
  type FieldError,
  invalidFields,
  type RefusalCode,
} from "../engine/refusal.ts";
import { present } from "../std/assert.ts";
import { isCalendarDate } from "../std/calendar/calendar-date.ts";
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
  sensitiveKeyword,
  sharedMembersFirst,
  valuesKeyword,
  withoutIds,
} from "./schema.ts";

/**
 * Ajv without the defaults of Fastify: no type coercion, no removal of properties, all errors. Properties that a schema does
 * not name are allowed; an operation reads only the ones that it knows.
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
      sensitiveKeyword,
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

/** A compiled schema: true for a valid value; otherwise `errors` of the function holds the errors until its next call. */
export interface Check {
  (value: unknown): unknown;
  errors?: readonly ValidationError[] | null | undefined;
}

export type CompileSchema = (schema: unknown) => Check;

export interface Validator {
  /** Compiles the schema, unless a value was validated before. */
  compile(): void;
  /** The field errors, undefined for a valid value; fills in defaults. `strict` is the strict copy that json-body.ts makes. */
  faultsOf(value: unknown, strict?: unknown): Faults | undefined;
}

/** Bad fields, and the code to refuse them with. */
export interface Faults {
  readonly code: RefusalCode;
  readonly errors: readonly FieldError[];
}

/** Compiled checks by schema; all compilers share them, because they have the same options. */
const compiled = new WeakMap<TSchema, Check>();

function checkOf(schema: TSchema, compile: CompileSchema): Check {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const check = compile(lengthsFirst(sharedMembersFirst(withoutIds(schema))));
  compiled.set(schema, check);
  return check;
}

/** The schema is compiled with the first value: compiling those of all operations would add a second to the start. */
export function createValidator(schema: TSchema, compile: CompileSchema): Validator {
  let check: Check | undefined;
  const compiledCheck = () => {
    check ??= checkOf(schema, compile);
    return check;
  };
  const errorsOf = (value: unknown) => {
    const ask = compiledCheck();
    return ask(value) === true ? [] : (ask.errors ?? []).filter(({ keyword }) => keyword !== "if");
  };
  return {
    compile: compiledCheck,
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

/** Merges two findings: the first error of a field is kept; two different codes become INVALID_INPUT. */
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

/** The errors of a body that its operation finds, beyond the schema. */
export type Judgement<Value> = (
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly errors: readonly FieldError[];
      /** The refusal code when no other field is wrong. */
      readonly code?: RefusalCode;
    }
) & {
  /**
   * Called only when there are other errors, to report these fields with them. Without other errors the command judges
   * these fields, after the replay of the idempotency key and after its earlier refusals. It may query the database.
   */
  readonly furtherFaults?: () => readonly FieldError[] | Promise<readonly FieldError[]>;
};

/** All field errors of a request: those of the schemas and those of its operation. */
export function withJudgement(
  faults: Faults | undefined,
  judgement: Judgement<unknown>,
): Promise<Faults> | undefined {
  const { code = "INVALID_INPUT", errors } = judgement.ok ? NOTHING_SAID : judgement;
  const all = joinFaults(faults, errors.length === 0 ? undefined : { code, errors });
  return all && withFurtherFaults(all, judgement);
}

async function withFurtherFaults(
  all: Faults,
  { furtherFaults }: Judgement<unknown>,
): Promise<Faults> {
  return furtherFaults === undefined ? all : joinFaults(all, plainFaults(await furtherFaults()));
}

const NOTHING_SAID: Partial<Faults> & Pick<Faults, "errors"> = { errors: [] };

/** A judgement with these errors, or with the value when there are none. */
export function judgementOf(faults: readonly CodedFault[]): Judgement<undefined>;
export function judgementOf<Value>(faults: readonly CodedFault[], value: Value): Judgement<Value>;
export function judgementOf(faults: readonly CodedFault[], value?: unknown): Judgement<unknown> {
  if (faults.length === 0) return { ok: true, value };
  return { ok: false, errors: faults.map(({ error }) => error), code: commonCode(faults) };
}

/** The errors as faults with the code INVALID_INPUT; undefined when there are none. */
export function plainFaults(errors: readonly FieldError[]): Faults | undefined {
  return errors.length === 0 ? undefined : { code: "INVALID_INPUT", errors };
}

/** The code of a field is used when all wrong fields have it; for a missing field it is INVALID_INPUT. */
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

/** Compiles a schema with the validator of requests, for data that does not arrive as a request body. */
export async function createSchemaCompiler(): Promise<CompileSchema> {
  // Fastify creates its validator only for a route with a schema; this instance never listens.
  const app = fastify({ logger: false, ajv: validatorOptions });
  app.route({
    method: "GET",
    url: "/",
    schema: { querystring: { type: "object" } },
    handler: async () => "",
  });
  await app.ready();
  const compile = present(app.validatorCompiler, "the validator");
  return (schema) => compile({ schema, method: "", url: "", httpPart: "" }) as Check;
}
