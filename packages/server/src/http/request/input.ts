import type { IncomingMessage } from "node:http";
import type { TSchema } from "typebox";
import { type FieldError, messageOfCode, Refusal } from "../../engine/refusal.ts";
import { isJsonObject, type Json } from "../../std/json.ts";
import { createIgnoredFinder, type IgnoredField } from "../../validation/ignored-fields.ts";
import { badText, isBadText, type ParsedBody, parseJsonBody } from "../../validation/json-body.ts";
import { propertiesOf } from "../../validation/schema.ts";
import type { Judgement } from "../../validation/validation.ts";
import {
  type CompileSchema,
  createValidator,
  type Faults,
  joinFaults,
  plainFaults,
  refuse,
  type Validator,
  withJudgement,
} from "../../validation/validation.ts";
import { refuseOtherContent } from "../upload/body.ts";
import type { HeaderNote, JudgeSurroundings, Operation } from "./operation.ts";
import { createQueryReader } from "./query.ts";

/** Parses and validates the input of one operation. */
export interface OperationInput<C> {
  /** Compiles the schemas that were not used yet. */
  compile(): void;
  /** Parses the path parameters and the query, and collects their faults. */
  address(params: unknown, url: string): Address;
  headers(sent: IncomingMessage["headers"]): Readonly<Record<string, string | undefined>>;
  readonly takesBody: boolean;
  /** The top-level fields of the body. */
  readonly fieldNames: readonly string[];
  /** Refuses a body of another content type before it is read. */
  refuseOtherKind(sent: IncomingMessage["headers"]): void;
  parse(bytes: Buffer): ParsedBody | undefined;
  /** The fields of the body that the operation does not read. */
  ignoredIn(body: ParsedBody | undefined): readonly IgnoredField[];
  /** The body for the operation, without the ignored fields, so that the operation can neither store nor show them. */
  bodyWithout(ignored: readonly IgnoredField[], body: ParsedBody | undefined): unknown;
  /** Joins earlier faults with those of the body's schema and of the operation's `judge`. */
  check(request: {
    readonly body: ParsedBody | undefined;
    readonly found: Faults | undefined;
    readonly surroundings: JudgeSurroundings<C>;
  }): Checked;
  /** Refuses text fields of a form that do not fit their schema. */
  checkFields(fields: unknown): void;
}

export interface Checked {
  /** The value that the operation's `judge` returned. */
  readonly judged: unknown;
  /** Every fault of the request; undefined when it is valid. */
  readonly faults: Promise<Faults> | undefined;
}

export interface Address {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly faults: Faults | undefined;
}

const UNJUDGED: Judgement<undefined> = { ok: true, value: undefined };
const NOTHING: Readonly<Record<string, never>> = Object.freeze({});

export function createInput<C>(operation: Operation<C>, compile: CompileSchema): OperationInput<C> {
  const { query, body, form } = operation;
  const readQuery = createQueryReader(query);
  const ignored = createIgnoredFinder(operation.shownBody ?? body);
  const headerNames = lowerCaseNames(operation.headers ?? []);
  const nameFaults = ({ value, sent, badTexts }: ParsedBody) =>
    value === sent ? badTexts : [...badTexts, ...ignored.reservedFaults(sent)];
  const validatorOf = (schema: TSchema | undefined): Validator | undefined =>
    schema === undefined ? undefined : createValidator(schema, compile);
  const queryValidator = validatorOf(query);
  const bodyValidator = validatorOf(body);
  const fieldsValidator = validatorOf(form?.fields);

  return {
    takesBody: body !== undefined,
    fieldNames: body === undefined ? [] : Object.keys(propertiesOf(body)),
    compile() {
      for (const validator of [queryValidator, bodyValidator, fieldsValidator])
        validator?.compile();
    },
    address(found, url) {
      const params = found as Readonly<Record<string, string>>;
      const inPath = paramFaults(params);
      if (query === undefined && !url.includes("?")) return { params, query, faults: inPath };
      const { value, errors } = readQuery(url);
      const inQuery = joinFaults(plainFaults(errors), queryValidator?.faultsOf(value));
      return { params, query: value, faults: joinFaults(inPath, inQuery) };
    },
    headers(sent) {
      return headerNames.length === 0 ? NOTHING : pick(sent, headerNames);
    },
    refuseOtherKind(sent) {
      const length = sent["content-length"];
      const isEmpty =
        length === undefined ? sent["transfer-encoding"] === undefined : length === "0";
      if (!isEmpty) refuseOtherContent(sent);
    },
    parse(bytes) {
      return bytes.length > 0 ? parseJsonBody(bytes) : undefined;
    },
    ignoredIn: (parsed) => (parsed === undefined ? [] : ignored.find(parsed.sent)),
    bodyWithout: (found, parsed) =>
      found.length === 0 || operation.isBodySigned === true
        ? parsed?.value
        : ignored.without(parsed?.value),
    check({ body: parsed, found, surroundings }) {
      const inBody =
        parsed === undefined
          ? missingBody(operation)
          : joinFaults(
              plainFaults(nameFaults(parsed)),
              bodyValidator?.faultsOf(parsed.value, parsed.strict),
            );
      const judgement = isJsonObject(parsed?.value)
        ? operation.judge?.(parsed.value, surroundings)
        : undefined;
      const joined = withJudgement(joinFaults(found, inBody), judgement ?? UNJUDGED);
      return {
        judged: judgement?.ok === true ? judgement.value : undefined,
        faults: placed(operation, parsed, joined),
      };
    },
    checkFields(fields) {
      const faults = fieldsValidator?.faultsOf(fields);
      if (faults !== undefined) refuse(faults);
    },
  };
}

/** The faults, each with the item that it belongs to, of an operation whose body has items. */
async function placedFaults(
  placeOfField: NonNullable<Operation<never>["placeOfField"]>,
  body: Json,
  faults: Promise<Faults>,
): Promise<Faults> {
  const { code, errors } = await faults;
  return {
    code,
    errors: errors.map((error) => ({ ...error, ...placeOfField(body, error.field) })),
  };
}

function placed<C>(
  { placeOfField }: Operation<C>,
  parsed: ParsedBody | undefined,
  faults: Promise<Faults> | undefined,
): Promise<Faults> | undefined {
  if (faults === undefined || placeOfField === undefined) return faults;
  return placedFaults(placeOfField, (parsed?.value ?? null) as Json, faults);
}

function missingBody<C>({ body, bodyOptional }: Operation<C>): Faults | undefined {
  if (body === undefined || bodyOptional === true) return undefined;
  return plainFaults([{ field: "body", message: "is required" }]);
}

/** Refuses an empty segment, which is no id, and control characters, which would reach logs and queries. */
function paramFaults(params: Readonly<Record<string, string>>): Faults | undefined {
  let errors: FieldError[] | undefined;
  for (const name in params) {
    const value = params[name];
    if (value === undefined || value === "") {
      throw new Refusal(
        "NOT_FOUND",
        undefined,
        `${messageOfCode("NOT_FOUND")} Its ${name} is empty.`,
      );
    }
    if (isBadText(value)) {
      errors ??= [];
      errors.push(badText(name));
    }
  }
  return errors === undefined ? undefined : plainFaults(errors);
}

function lowerCaseNames(notes: readonly HeaderNote[]): readonly string[] {
  return notes.map(({ name }) => name.toLowerCase());
}

function pick(
  sent: IncomingMessage["headers"],
  names: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const picked: Record<string, string | undefined> = {};
  for (const name of names) {
    const value = sent[name];
    picked[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return picked;
}
