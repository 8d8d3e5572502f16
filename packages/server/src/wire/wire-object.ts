/**
 * Defines an object of the API by one list of its members. Each member gives its schema, what it reads of the row (the key of its own
 * name, another key, or a function), and its value in the example; the schema, the JSON of a row and the example follow from the list.
 */
import Type, { type Static, type TSchema } from "typebox";
import type { IdKind } from "../domain/id-kinds.ts";
import { toIso } from "../std/clock.ts";
import {
  amountJson,
  CurrencyAmountSchema,
  LedgerAmountSchema,
  ledgerAmount,
  wireAmount,
} from "./fields.ts";
import { exampleId } from "./id-fields.ts";
import { listedText } from "./value-lists.ts";

/** `of` has the members that are always there, `maybe` those that are absent where the value is null or undefined. */
export interface Kit<Row, Beside = undefined> {
  readonly of: Kinds<Row, Beside, false>;
  readonly maybe: Kinds<Row, Beside, true>;
}

type In<IsOptional, Value> = IsOptional extends true ? Value | null | undefined : Value;
type Out<IsOptional, Schema extends TSchema> = IsOptional extends true
  ? Type.TOptional<Schema>
  : Schema;

type From<Row, Beside, Value> =
  | { [Key in keyof Row]: Row[Key] extends Value ? Key : never }[keyof Row]
  | ((row: Row, beside: Beside) => Value);

/** What is read, the value in the example, and keywords of the schema, such as a description. */
interface Given<Row, Beside, Value, Example> {
  readonly from?: From<Row, Beside, Value>;
  readonly example?: Example;
  readonly [keyword: string]: unknown;
}

interface Shown<Schema extends TSchema> {
  readonly schema: Schema;
}

interface ReadMember<Row, Schema extends TSchema> extends Shown<Schema> {
  readonly reads: (row: Row) => void;
}

/** Reads the row's key of its own name, whose value must have this type. */
interface NamedMember<Value, Schema extends TSchema> extends Shown<Schema> {
  readonly takes: (value: Value) => void;
}

type Made<Row, Value, Schema extends TSchema, Options> = Options extends {
  readonly from: unknown;
}
  ? ReadMember<Row, Schema>
  : NamedMember<Value, Schema>;

/** One kind of member: `Value` is what it reads, `Example` what the example gives it. */
type Kind<Row, Beside, IsOptional, Value, Schema extends TSchema, Example = Static<Schema>> = <
  Options extends Given<Row, Beside, In<IsOptional, Value>, Example>,
>(
  options?: Options,
) => Made<Row, In<IsOptional, Value>, Out<IsOptional, Schema>, Options>;

/** `minor` reads the smallest units; the currency is the row's. The example is in dollars. */
type AmountKind<Row, Beside, IsOptional, Schema extends TSchema> = (
  minor: From<Row, Beside, In<IsOptional, bigint>>,
  options?: { readonly example?: bigint; readonly description?: string },
) => Row extends { readonly currency: string } ? ReadMember<Row, Out<IsOptional, Schema>> : never;

interface Kinds<Row, Beside, IsOptional> {
  readonly text: Kind<Row, Beside, IsOptional, string, Type.TString>;
  readonly time: Kind<Row, Beside, IsOptional, number, Type.TString>;
  readonly currency: Kind<Row, Beside, IsOptional, string, Type.TString>;
  readonly integer: Kind<Row, Beside, IsOptional, number | bigint, Type.TInteger>;
  readonly boolean: Kind<Row, Beside, IsOptional, boolean, Type.TBoolean>;
  readonly amount: AmountKind<Row, Beside, IsOptional, typeof CurrencyAmountSchema>;
  readonly ledgerAmount: AmountKind<Row, Beside, IsOptional, typeof LedgerAmountSchema>;
  /** The example is the end of the uuid. */
  id<Options extends Given<Row, Beside, In<IsOptional, string>, number | string>>(
    kind: IdKind,
    options?: Options,
  ): Made<Row, In<IsOptional, string>, Out<IsOptional, Type.TString>, Options>;
  enum<
    const Text extends string,
    Options extends Given<Row, Beside, In<IsOptional, NoInfer<Text>>, NoInfer<Text>>,
  >(
    values: readonly Text[],
    options?: Options,
  ): Made<Row, In<IsOptional, Text>, Out<IsOptional, Type.TEnum<Text[]>>, Options>;
  /** A value that is JSON already. */
  json<Schema extends TSchema, Options extends Given<Row, Beside, unknown, Static<Schema>>>(
    schema: Schema,
    options?: Options,
  ): Made<Row, unknown, Out<IsOptional, Schema>, Options>;
  object<
    Inner,
    Schema extends TSchema,
    Options extends Given<Row, Beside, In<IsOptional, NoInfer<Inner>>, Static<Schema>>,
  >(
    part: Part<Inner, Schema>,
    options?: Options,
  ): Made<Row, In<IsOptional, Inner>, Out<IsOptional, Schema>, Options>;
  list<
    Inner,
    Schema extends TSchema,
    Options extends Given<
      Row,
      Beside,
      In<IsOptional, readonly NoInfer<Inner>[]>,
      readonly Static<Schema>[]
    >,
  >(
    part: Part<Inner, Schema>,
    options?: Options,
  ): Made<Row, In<IsOptional, readonly Inner[]>, Out<IsOptional, Type.TArray<Schema>>, Options>;
}

/** The part of `wireObject`'s result that other objects embed. */
interface Part<Row, Schema extends TSchema> {
  readonly schema: Schema;
  readonly json: (row: Row) => string;
  readonly example: Static<Schema>;
}

interface ObjectOptions {
  readonly $id?: string;
  readonly description?: string;
  /** Members that stand before the others in the JSON, of an object whose schema has another order. */
  readonly writtenFirst?: readonly string[];
}

type Fitting<Row, Names extends PropertyKey> = {
  readonly [Name in Names]:
    | ReadMember<Row, TSchema>
    | (Name extends keyof Row ? NamedMember<Row[Name], TSchema> : never);
};

type ObjectOf<Members> = Type.TObject<{
  [Name in keyof Members]: Members[Name] extends Shown<infer Schema> ? Schema : never;
}>;

type JsonOf<Row, Beside> = [Beside] extends [undefined]
  ? (row: Row) => string
  : (row: Row, beside: Beside) => string;

/** `id`: the schema's id, or its options. With `Beside`, the JSON of a row needs a second value beside the row. */
export function wireObject<Row, Members extends Fitting<Row, keyof Members>, Beside = undefined>(
  id: string | ObjectOptions,
  membersOf: (kit: Kit<Row, Beside>) => Members,
): {
  readonly schema: ObjectOf<Members>;
  readonly json: JsonOf<Row, Beside>;
  readonly example: Static<ObjectOf<Members>>;
} {
  const { writtenFirst = [], ...options } = typeof id === "string" ? { $id: id } : id;
  const members = Object.entries(
    membersOf(kit as unknown as Kit<Row, Beside>) as unknown as RawMembers,
  );
  const isFirst = ([name]: readonly [string, unknown]) => writtenFirst.includes(name);
  const schemas = members.map(([name, { schema, isOptional }]) => [
    name,
    isOptional ? Type.Optional(schema) : schema,
  ]);
  const examples = members.map(([name, { example }]) => [name, example] as const);
  return {
    schema: Type.Object(Object.fromEntries(schemas), options) as ObjectOf<Members>,
    json: jsonOf([...members.filter(isFirst), ...members.filter((one) => !isFirst(one))]) as JsonOf<
      Row,
      Beside
    >,
    example: Object.fromEntries(
      examples.filter(([, value]) => value !== undefined),
    ) as unknown as Static<ObjectOf<Members>>,
  };
}

type RawRow = Readonly<Record<string, unknown>>;
type Write = (value: unknown, row: RawRow) => string;

/** A member without its types: those of `Kinds` have checked that the value fits. */
interface RawMember {
  readonly schema: TSchema;
  readonly example: unknown;
  readonly isOptional: boolean;
  readonly from?: string | ((row: RawRow, beside: unknown) => unknown) | undefined;
  readonly write: Write;
}
type RawMembers = Readonly<Record<string, RawMember>>;

/** Called once for an object: the parts that are the same in every row's JSON are joined in advance. */
function jsonOf(members: readonly (readonly [string, RawMember])[]) {
  const writers = members.map(([name, member]) => writerOf(name, member));
  return (row: unknown, beside: unknown): string => {
    let text = "";
    for (const write of writers) text += write(row as RawRow, beside);
    return `{${text.slice(1)}}`;
  };
}

function writerOf(name: string, { from = name, isOptional, write }: RawMember) {
  const head = `,${JSON.stringify(name)}:`;
  const read = typeof from === "function" ? from : (row: RawRow) => row[from];
  if (!isOptional) return (row: RawRow, beside: unknown) => head + write(read(row, beside), row);
  return (row: RawRow, beside: unknown) => {
    const value = read(row, beside);
    return value === null || value === undefined ? "" : head + write(value, row);
  };
}

/** Printable ASCII without quotes and backslashes: nothing is escaped. */
const PLAIN = /^[ !#-[\]-~]*$/;

function textJson(value: unknown): string {
  const text = value as string;
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

type Keywords = Readonly<Record<string, unknown>>;
type RawPart = Part<unknown, TSchema>;
type RawAmountOptions = { readonly example?: bigint; readonly description?: string };
type RawOptions = Pick<RawMember, "from"> & {
  readonly example?: unknown;
  readonly [keyword: string]: unknown;
};

function kindsOf(isOptional: boolean) {
  const made = (
    { from, example, ...keywords }: RawOptions,
    schemaWith: (keywords: Keywords) => TSchema,
    write: Write,
  ): RawMember => ({ schema: schemaWith(keywords), example, isOptional, from, write });
  return {
    text: (options: RawOptions = {}) => made(options, Type.String, textJson),
    time: (options: RawOptions = {}) =>
      made(
        options,
        (more) => Type.String({ format: "date-time", ...more }),
        (value) => `"${toIso(value as number)}"`,
      ),
    currency: (options: RawOptions = {}) =>
      made(options, (more) => listedText("CurrencyCode", more), textJson),
    integer: (options: RawOptions = {}) => made(options, Type.Integer, String),
    boolean: (options: RawOptions = {}) => made(options, Type.Boolean, String),
    id: (kind: IdKind, { example, ...options }: RawOptions = {}) =>
      made(
        {
          ...options,
          example: example === undefined ? undefined : exampleId(kind, String(example)),
        },
        Type.String,
        (value) => `"${kind}:${value}"`,
      ),
    enum: (values: readonly string[], options: RawOptions = {}) =>
      made(options, (more) => Type.Enum([...values], more), textJson),
    json: (schema: TSchema, options: RawOptions = {}) =>
      made(
        options,
        (more) => described(schema, more),
        (value) => JSON.stringify(value),
      ),
    object: (part: RawPart, options: RawOptions = {}) =>
      made(
        isOptional ? options : { example: part.example, ...options },
        (more) => described(part.schema, more),
        (value) => part.json(value),
      ),
    list: ({ schema, json }: RawPart, options: RawOptions = {}) =>
      made(
        options,
        (more) => Type.Array(schema, more),
        (value) => `[${(value as readonly unknown[]).map((item) => json(item)).join(",")}]`,
      ),
    amount: (from: RawOptions["from"], { example, ...keywords }: RawAmountOptions = {}) =>
      made(
        {
          from,
          example: example === undefined ? undefined : wireAmount(example, "USD"),
          ...keywords,
        },
        (more) => described(CurrencyAmountSchema, more),
        (value, row) => amountJson(value as bigint, String(row.currency)),
      ),
    ledgerAmount: (from: RawOptions["from"], { example, ...keywords }: RawAmountOptions = {}) =>
      made(
        {
          from,
          example: example === undefined ? undefined : ledgerAmount(example, "USD"),
          ...keywords,
        },
        (more) => described(LedgerAmountSchema, more),
        (value, row) => JSON.stringify(ledgerAmount(value as bigint, String(row.currency))),
      ),
  };
}

/** With keywords the result is a copy without `$id`, because a shared schema has only the keywords of its definition. */
function described(schema: TSchema, keywords: Keywords): TSchema {
  if (Object.keys(keywords).length === 0) return schema;
  const { $id: _, ...rest } = schema as TSchema & { readonly $id?: string };
  return { ...rest, ...keywords };
}

const kit = { of: kindsOf(false), maybe: kindsOf(true) };
