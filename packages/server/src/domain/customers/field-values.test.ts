import { describe, expect, it } from "vitest";
import { businessFields, type CustomerField, individualFields } from "./customer-fields.ts";
import { knownFields, unexplainedFaults, withFields } from "./field-values.ts";

const tables = [
  { table: "individuals", fields: individualFields },
  { table: "businesses", fields: businessFields },
];

/** Every explanation, with the field that it explains. */
const explained = individualFields.flatMap(({ name, explains }) => {
  const choice = individualFields.find((field) => field.name === explains);
  return choice === undefined ? [] : [{ name, choice }];
});

const chosen = ({ form }: CustomerField, ...values: string[]) =>
  form === "choices" ? values : values[0];

const errorsOf = (...of: Parameters<typeof unexplainedFaults>) =>
  unexplainedFaults(...of).map(({ error }) => error);

describe("the tables of fields", () => {
  it.each(tables)("of $table name each field once", ({ fields }) => {
    expect(new Set(fields.map(({ name }) => name)).size).toBe(fields.length);
  });

  it("explain every field of a person that has OTHER among its values", () => {
    const open = individualFields.filter(
      (field) => "values" in field && field.values.includes("OTHER"),
    );
    expect(explained.map(({ choice }) => choice)).toEqual(open);
    expect(explained).toHaveLength(3);
  });

  it("leave it to a business what it explains", () => {
    const given = { purposeOfAccount: "OTHER", sourceOfFundsOtherDescription: "of nothing" };
    expect(withFields(businessFields, {}, given)).toEqual(given);
  });
});

describe.each(explained)("$name", ({ name, choice }) => {
  const other = { [choice.name]: chosen(choice, "OTHER") };
  const values = "values" in choice ? choice.values.filter((value) => value !== "OTHER") : [];
  const [first = "", second = ""] = values;

  it("is required with OTHER and with nothing else", () => {
    expect(errorsOf(other)).toEqual([
      { field: name, message: `is required when ${choice.name} is OTHER` },
    ]);
    for (const fine of [
      {},
      { [choice.name]: chosen(choice, first) },
      { ...other, [name]: "what it is" },
    ]) {
      expect(errorsOf(fine)).toEqual([]);
    }
  });

  it("is kept as long as OTHER is chosen", () => {
    const stored = { ...other, [name]: "what it is" };
    expect(withFields(individualFields, stored, {})).toEqual(stored);
    const changed = { [choice.name]: chosen(choice, second) };
    expect(withFields(individualFields, stored, changed)).toEqual(changed);
    expect(withFields(individualFields, {}, { [name]: "of nothing" })).toEqual({});
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
    expect(errorsOf(values)).toMatchObject([
      { field: "sourceOfFundsOtherDescription" },
      { field: "purposeOfAccountOtherDescription" },
    ]);
  });
});
