import { otherKindComplaint } from "../domain/id-kinds.ts";
import type { FieldError } from "../engine/refusal.ts";
import type { JsonObject } from "../std/json.ts";
import { clip, MAX_ERRORS } from "./json-body.ts";
import { complaintKeyword, idKindsKeyword, isNode, refusalKeyword } from "./schema.ts";

/** The used fields of an Ajv error. */
export interface ValidationError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  readonly schema?: unknown;
  readonly parentSchema?: unknown;
  readonly message?: string | undefined;
}

/** One message for each bad field, in the order found; the errors of a union's branches become one message. */
export function toFieldErrors(errors: readonly ValidationError[]): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const error of withoutEchoes(withoutBranches(errors))) {
    const line = toFieldError(error);
    const key = `${line.field} ${line.message}`;
    if (!byField.has(key)) byField.set(key, line);
    if (byField.size >= MAX_ERRORS) break;
  }
  return [...byField.values()];
}

/** A pattern error is dropped when the same value has a format or length error. */
function withoutEchoes(errors: readonly ValidationError[]): readonly ValidationError[] {
  const said = new Set(
    errors
      .filter(({ keyword }) => ["format", "minLength", "maxLength"].includes(keyword))
      .map(({ instancePath }) => instancePath),
  );
  if (said.size === 0) return errors;
  return errors.filter(
    ({ keyword, instancePath }) => keyword !== "pattern" || !said.has(instancePath),
  );
}

/**
 * A failed union reports the errors of every branch. When the type of the value fits exactly one branch, the errors of that
 * branch are kept; otherwise the error of the union itself is kept.
 */
function withoutBranches(errors: readonly ValidationError[]): readonly ValidationError[] {
  const unions = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  if (unions.length === 0) return errors;
  const dropped = new Set<ValidationError>();
  for (const union of unions) {
    const branches = branchesOf(union, errors);
    const fitting = [...branches.values()].filter((branch) => !branch.some(isWrongKind(union)));
    if (fitting.length === 1) dropped.add(union);
    for (const branch of branches.values()) {
      if (fitting.length === 1 && branch === fitting[0]) continue;
      for (const error of branch) dropped.add(error);
    }
  }
  return errors.filter((error) => !dropped.has(error));
}

function branchesOf(union: ValidationError, errors: readonly ValidationError[]) {
  const prefix = `${union.schemaPath}/`;
  const branches = new Map<string, ValidationError[]>();
  for (const error of errors) {
    if (!error.schemaPath.startsWith(prefix)) continue;
    if (!error.instancePath.startsWith(union.instancePath)) continue;
    const [index = ""] = error.schemaPath.slice(prefix.length).split("/");
    const branch = branches.get(index);
    if (branch === undefined) branches.set(index, [error]);
    else branch.push(error);
  }
  return branches;
}

function isWrongKind(union: ValidationError): (error: ValidationError) => boolean {
  return ({ keyword, instancePath }) =>
    instancePath === union.instancePath &&
    (keyword === "type" || keyword === "const" || keyword === "enum");
}

function toFieldError(error: ValidationError): FieldError {
  const path = toDotPath(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case "required":
      return { field: within(path, params.missingProperty), message: "is required" };
    case "discriminator":
      return ofTag(path, error);
    case "additionalProperties":
      return {
        field: within(path, params.additionalProperty),
        message: ownComplaint(error) ?? "is not known here",
      };
    default:
      return { field: path === "" ? "body" : path, ...complaint(error) };
  }
}

function ofTag(path: string, { params, parentSchema }: ValidationError): FieldError {
  const field = within(path, params.tag);
  if (params.tagValue === undefined) return { field, message: "is required" };
  const variants = isNode(parentSchema) ? parentSchema.oneOf : undefined;
  const tags = (Array.isArray(variants) ? variants : []).flatMap((variant: unknown) =>
    literalsOf(propertyOf(variant, String(params.tag))),
  );
  return { field, ...oneOf(tags) };
}

function propertyOf(schema: unknown, name: string): unknown {
  const properties = isNode(schema) ? schema.properties : undefined;
  return isNode(properties) ? properties[name] : undefined;
}

/** The literals that a schema admits, when it admits nothing else. */
function literalsOf(schema: unknown): string[] {
  if (!isNode(schema)) return [];
  if (typeof schema.const === "string") return [schema.const];
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  return [];
}

type Complaint = Omit<FieldError, "field">;

function complaint(error: ValidationError): Complaint {
  const { keyword, params } = error;
  const limit = params.limit;
  const known = typeof limit === "number" ? LIMITS[keyword] : undefined;
  if (known !== undefined && typeof limit === "number") {
    return { message: known(limit), constraint: { [keyword]: limit } };
  }
  switch (keyword) {
    case "type":
      return ofType(error);
    case "enum":
      return oneOf(params.allowedValues);
    case "const":
      return oneOf([params.allowedValue]);
    case "format":
      return ofFormat(String(params.format));
    case "pattern":
      return ofPattern(error);
    case "anyOf":
    case "oneOf":
      return ofUnion(error.schema);
    case "uniqueItems":
      return { message: "must not hold the same item twice" };
    default:
      return { message: error.message ?? "is not valid" };
  }
}

const LIMITS: Readonly<Record<string, (limit: number) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  minLength: (limit) => `must have at least ${counted(limit, "character")}`,
  maxLength: (limit) => `must have at most ${counted(limit, "character")}`,
  minItems: (limit) => `must hold at least ${counted(limit, "item")}`,
  maxItems: (limit) => `must hold at most ${counted(limit, "item")}`,
  minProperties: (limit) => `must hold at least ${counted(limit, "field")}`,
  maxProperties: (limit) => `must hold at most ${counted(limit, "field")}`,
};

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

const TYPE_MESSAGES: Readonly<Record<string, string>> = {
  amount: "a whole number of the smallest unit, written in digits alone",
  integer: "a whole number, written in digits alone",
  number: "a number",
  string: "a string",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

function ofType({ params, data, parentSchema }: ValidationError): Complaint {
  const isAmount = isNode(parentSchema) && parentSchema[refusalKeyword] === "INVALID_AMOUNT";
  const types = String(params.type).split(",");
  const wanted = types.map(
    (type) => TYPE_MESSAGES[isAmount && type === "integer" ? "amount" : type] ?? type,
  );
  const isQuoted = typeof data === "string" && types.some((type) => UNQUOTED[type]?.test(data));
  const message = `must be ${wanted.join(", or ")}${isQuoted ? ", without quotes" : ""}`;
  return { message, constraint: { type: types.join(",") } };
}

/** Quoted numbers and booleans. They occur only in JSON, because values of a query have no quotes. */
const UNQUOTED: Readonly<Record<string, RegExp>> = {
  integer: /^(?:0|-?[1-9]\d{0,15})$/,
  boolean: /^(?:true|false)$/,
};

function ofFormat(format: string): Complaint {
  const message = FORMAT_MESSAGES[format] ?? `must be a valid ${format}`;
  return { message, constraint: { format } };
}

const FORMAT_MESSAGES: Readonly<Record<string, string>> = {
  date: "must be a date, such as 1990-05-17",
  "date-time": "must be a date and a time with its zone, such as 2026-01-31T09:30:00Z",
  email: "must be an email address",
  "iso3166-1-alpha-2": "must be a two-letter country code in capitals, such as US",
  "e.164": "must be a phone number from its + on, such as +14155550123",
};

function ofUnion(schema: unknown): Complaint {
  const branches = Array.isArray(schema) ? schema : [];
  const literals = branches.flatMap(literalsOf);
  if (literals.length > 0) return oneOf(literals);
  return { message: "does not fit any of the accepted forms" };
}

/** The schema's own message for a value that does not match it. */
function ownComplaint({ parentSchema }: ValidationError): string | undefined {
  const own = isNode(parentSchema) ? parentSchema[complaintKeyword] : undefined;
  return typeof own === "string" ? own : undefined;
}

function ofPattern(error: ValidationError): Complaint {
  const kinds = isNode(error.parentSchema) ? error.parentSchema[idKindsKeyword] : undefined;
  const otherKind = Array.isArray(kinds) ? otherKindComplaint(error.data, kinds) : undefined;
  if (otherKind !== undefined) return { message: otherKind };
  const own = ownComplaint(error);
  if (own !== undefined) return { message: own };
  const { params } = error;
  const pattern = String(params.pattern);
  const message = PATTERN_MESSAGES[pattern] ?? "does not have the required form";
  return { message, constraint: { pattern } };
}

const PATTERN_MESSAGES: Readonly<Record<string, string>> = {
  "\\S": "must not be blank",
  "^[A-Z]{2}$": "must be a two-letter country code in capitals, such as US",
  "^[A-Z0-9]{3,10}$": "must be the code of a currency in capitals, such as USD",
};

function oneOf(values: unknown): Complaint {
  const accepted = (Array.isArray(values) ? values : []).map(String);
  const constraint: JsonObject = { enum: accepted };
  if (accepted.length === 1) return { message: `must be ${accepted[0]}`, constraint };
  const list = accepted.join(", ");
  const isShort = list.length > 0 && list.length <= LONGEST_LIST;
  return { message: `must be one of ${isShort ? list : "the known values"}`, constraint };
}

/** In characters; a longer list of values is given only in the constraint. */
const LONGEST_LIST = 200;

/** `/source/items/0` becomes `source.items.0`. */
function toDotPath(instancePath: string): string {
  const path = instancePath.slice(1).replaceAll("/", ".");
  return clip(path.includes("~") ? path.replaceAll("~1", "/").replaceAll("~0", "~") : path);
}

function within(path: string, name: unknown): string {
  return clip(path === "" ? String(name) : `${path}.${String(name)}`);
}
