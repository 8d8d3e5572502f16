import { describe, expect, it } from "vitest";
import { businessFields, type CustomerField, individualFields } from "./customer-fields.ts";
import { knownFields, unexplainedFaults, withFields } from "./field-values.ts";

const tables = [
  { table: "individuals", fields: individualFields, prefix: "" },
  { table: "businesses", fields: businessFields, prefix: "businessInfo." },
];

/** Every explanation of every table, with the field that it explains. */
const explained = tables.flatMap(({ table, fields, prefix }) =>
  fields.flatMap(({ name, explains }) => {
    const choice = fields.find((field) => field.name === explains);
    return choice === undefined ? [] : [{ table, fields, prefix, name, choice }];
  }),
);

const chosen = ({ form }: CustomerField, ...values: string[]) =>
  form === "choices" ? values : values[0];

const errorsOf = (...of: Parameters<typeof unexplainedFaults>) =>
  unexplainedFaults(...of).map(({ error }) => error);

describe("the tables of fields", () => {
  it.each(tables)("of $table name each field once", ({ fields }) => {
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
  });

  it("explain every field that has OTHER among its values, but for the kind of a business", () => {
    for (const { fields } of tables) {
      const open = fields.filter((field) => "values" in field && field.values.includes("OTHER"));
      const unexplained = open.filter(
        ({ name }) => !fields.some(({ explains }) => explains === name),
      );
      expect(unexplained.map(({ name }) => name).filter((name) => name !== "entityType")).toEqual(
        [],
      );
    }
    expect(explained).toHaveLength(5);
  });
});

describe.each(explained)("$name of $table", ({ fields, prefix, name, choice }) => {
  const other = { [choice.name]: chosen(choice, "OTHER") };
  const values = "values" in choice ? choice.values.filter((value) => value !== "OTHER") : [];
  const [first = "", second = ""] = values;

  it("is required with OTHER and with nothing else", () => {
    expect(errorsOf(fields, other, prefix)).toEqual([
      { field: prefix + name, message: `is required when ${prefix}${choice.name} is OTHER` },
    ]);
    for (const fine of [
      {},
      { [choice.name]: chosen(choice, first) },
      { ...other, [name]: "what it is" },
    ]) {
      expect(errorsOf(fields, fine, prefix)).toEqual([]);
    }
  });

  it("is kept as long as OTHER is chosen", () => {
    const stored = { ...other, [name]: "what it is" };
    expect(withFields(fields, stored, {})).toEqual(stored);
    const changed = { [choice.name]: chosen(choice, second) };
    expect(withFields(fields, stored, changed)).toEqual(changed);
    expect(withFields(fields, {}, { [name]: "of nothing" })).toEqual({});
  });
});

describe("known fields", () => {
  it("are taken from a request, in the order of the table, each value of a list once", () => {
    const sent = {
      taxId: "1",
      legalName: "A",
      unknown: 1,
      countriesOfOperation: ["US", "DE", "US"],
      __proto__: { country: "FR" },
    };
    expect(JSON.stringify(knownFields(businessFields, sent))).toBe(
      '{"legalName":"A","taxId":"1","countriesOfOperation":["US","DE"]}',
    );
  });

  it("name every OTHER that is not explained at once", () => {
    const values = { purposeOfAccount: "OTHER", sourceOfFundsCategories: ["LOAN", "OTHER"] };
    expect(errorsOf(individualFields, values)).toMatchObject([
      { field: "sourceOfFundsOtherDescription" },
      { field: "purposeOfAccountOtherDescription" },
    ]);
  });
});
