/** The columns of a file of customers: what each may hold, and which kind of customer needs it. */
import Type, { type TSchema } from "typebox";
import { type CustomerType, customerTypes } from "../../domain/customers/customer.ts";
import { filledText } from "../fields.ts";

type Use = "required" | "optional" | "unused";

interface Column {
  readonly holds: TSchema;
  readonly use: Readonly<Record<CustomerType, Use>>;
}

const forAll = (use: Use) => ({ INDIVIDUAL: use, BUSINESS: use }) as const;
const forPersons = (use: Use) => ({ INDIVIDUAL: use, BUSINESS: "unused" }) as const;
const forBusinesses = (use: Use) => ({ INDIVIDUAL: "unused", BUSINESS: use }) as const;

const columns = {
  umaAddress: { holds: filledText(320), use: forAll("required") },
  platformCustomerId: { holds: filledText(255), use: forAll("required") },
  customerType: { holds: Type.Enum([...customerTypes]), use: forAll("required") },
  fullName: { holds: filledText(255), use: forPersons("required") },
  birthDate: { holds: Type.String({ format: "date" }), use: forPersons("required") },
  businessLegalName: { holds: filledText(255), use: forBusinesses("required") },
  addressLine1: { holds: filledText(255), use: forAll("required") },
  city: { holds: filledText(255), use: forAll("required") },
  state: { holds: filledText(255), use: forAll("required") },
  postalCode: { holds: filledText(32), use: forAll("required") },
  country: {
    holds: Type.String({ pattern: "^[A-Z]{2}$", format: "iso3166-1-alpha-2" }),
    use: forAll("required"),
  },
  addressLine2: { holds: filledText(255), use: forAll("optional") },
  platformAccountId: { holds: filledText(255), use: forAll("optional") },
  description: { holds: filledText(255), use: forAll("optional") },
  email: { holds: Type.String({ format: "email", maxLength: 255 }), use: forPersons("optional") },
  businessRegistrationNumber: { holds: filledText(64), use: forBusinesses("optional") },
  businessTaxId: { holds: filledText(64), use: forBusinesses("optional") },
} as const satisfies Readonly<Record<string, Column>>;

export type ColumnName = keyof typeof columns;

export const columnNames = Object.keys(columns) as readonly ColumnName[];

const usedBy = (type: CustomerType, use: Use) =>
  columnNames.filter((name) => columns[name].use[type] === use);

/** The columns that every file must have, because both kinds of customers require them. */
export const columnsOfEveryFile = usedBy("INDIVIDUAL", "required").filter(
  (name) => columns[name].use.BUSINESS === "required",
);

/** A row of this kind of customer, by the names of its columns. */
export function rowSchema(type: CustomerType): TSchema {
  return Type.Object(
    Object.fromEntries([
      ...usedBy(type, "required").map((name) => [name, columns[name].holds]),
      ...usedBy(type, "optional").map((name) => [name, Type.Optional(columns[name].holds)]),
    ]),
  );
}

export const columnsDescription = customerTypes
  .map(
    (type) =>
      `A row of type \`${type}\` has ${usedBy(type, "required").join(", ")}, and may have ` +
      `${usedBy(type, "optional").join(", ")}.`,
  )
  .join(" ");

/** Patterns for formats that a JSON schema names. They admit more than the formats, never less. */
const ROUGHLY: Readonly<Record<string, string>> = {
  date: "^\\d{4}-\\d{2}-\\d{2}$",
  email: "^[^@\\s]+@[^@\\s]+$",
};

/** A file with more columns is refused. */
export const MOST_COLUMNS = 100;
export const MOST_FILE_BYTES = 100 * 1024 * 1024;

/** For the console, which checks the first rows of a file before it sends it. */
export function importRules(): object {
  const limits = { mostBytes: MOST_FILE_BYTES, mostColumns: MOST_COLUMNS };
  return { ...limits, columns: importColumns() };
}

function importColumns(): readonly object[] {
  return columnNames.map((name) => {
    const { use, holds }: Column = columns[name];
    const {
      maxLength,
      pattern,
      format,
      enum: values,
    } = holds as TSchema & {
      readonly [keyword: string]: unknown;
    };
    const rough = pattern ?? ROUGHLY[String(format)];
    return { name, use, holds: { maxLength, pattern: rough, enum: values } };
  });
}
