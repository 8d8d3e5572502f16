import type { IncomingMessage } from "node:http";
import { type FieldError, invalidFields, Refusal } from "../engine/refusal.ts";
import type { JsonObject } from "../std/json.ts";
import { assertJsonContent } from "./body.ts";
import { badText, isBadText, type ParsedBody, parseJsonBody } from "./json-body.ts";
import type { HeaderNote, JudgeSurroundings, Operation } from "./operation.ts";
import { createQueryReader } from "./query.ts";
import { isNode } from "./schema.ts";
import {
  type CompileSchema,
  createValidator,
  mergeFaults,
  refuse,
  type Validator,
} from "./validation.ts";

/** How one operation's input is read out of a request. */
export interface OperationInput<C> {
  /** Compiles the schemas; nothing else here works before. */
  prepare(compile: CompileSchema): void;
  params(found: unknown): Readonly<Record<string, string>>;
  query(url: string): unknown;
  headers(sent: IncomingMessage["headers"]): Readonly<Record<string, string | undefined>>;
  readonly takesBody: boolean;
  /** Refuses by the head alone, so that a body of the wrong kind is not even read. */
  assertBodyKind(sent: IncomingMessage["headers"]): void;
  parse(bytes: Buffer): ParsedBody | undefined;
  /** Refuses a body by its schema and the operation's own judgement at once; answers what the latter made of it. */
  check(body: ParsedBody | undefined, surroundings: JudgeSurroundings<C>): unknown;
  /** Refuses the text fields of a form that do not fit. */
  checkFields(fields: unknown): void;
}

const NOTHING: Readonly<Record<string, never>> = Object.freeze({});

export function createInput<C>(operation: Operation<C>): OperationInput<C> {
  const { query, body, form } = operation;
  const readQuery = query === undefined ? undefined : createQueryReader(query);
  const headerNames = lowerCaseNames(operation.headers ?? []);
  let queryValidator: Validator | undefined;
  let bodyValidator: Validator | undefined;
  let fieldsValidator: Validator | undefined;

  return {
    takesBody: body !== undefined,
    prepare(compile) {
      queryValidator = query === undefined ? undefined : createValidator(query, compile);
      bodyValidator = body === undefined ? undefined : createValidator(body, compile);
      fieldsValidator = form === undefined ? undefined : createValidator(form.fields, compile);
    },
    params(found) {
      return checkedParams(found as Readonly<Record<string, string>>);
    },
    query(url) {
      if (readQuery === undefined) return undefined;
      const value = readQuery(url);
      const faults = queryValidator?.faultsOf(value);
      if (faults !== undefined) refuse(faults);
      return value;
    },
    headers(sent) {
      return headerNames.length === 0 ? NOTHING : pick(sent, headerNames);
    },
    assertBodyKind(sent) {
      const length = sent["content-length"];
      const isEmpty =
        length === undefined ? sent["transfer-encoding"] === undefined : length === "0";
      if (!isEmpty) assertJsonContent(sent);
    },
    parse(bytes) {
      if (bytes.length > 0) return parseJsonBody(bytes);
      if (operation.bodyOptional === true) return undefined;
      throw invalidFields([{ field: "body", message: "is required" }]);
    },
    check(parsed, surroundings) {
      if (parsed === undefined) return undefined;
      const { value, strict } = parsed;
      const faults = bodyValidator?.faultsOf(value, strict);
      if (operation.judge === undefined || !isNode(value)) {
        if (faults !== undefined) refuse(faults);
        return undefined;
      }
      const judgement = operation.judge(value as JsonObject, surroundings);
      if (faults === undefined && judgement.ok) return judgement.value;
      refuse(mergeFaults(faults, judgement));
    },
    checkFields(fields) {
      const faults = fieldsValidator?.faultsOf(fields);
      if (faults !== undefined) refuse(faults);
    },
  };
}

/** An empty segment is no id of anything; a control character would travel on into logs and queries. */
function checkedParams(params: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  let errors: FieldError[] | undefined;
  for (const name in params) {
    const value = params[name];
    if (value === undefined || value === "") throw new Refusal("NOT_FOUND");
    if (isBadText(value)) {
      errors ??= [];
      errors.push(badText(name));
    }
  }
  if (errors !== undefined) throw invalidFields(errors);
  return params;
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
