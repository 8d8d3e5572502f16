import { describe, expect, it } from "vitest";
import { customerInfoFields } from "../../domain/customers/customer-info.ts";
import { protocolName, requestedFields } from "./field-names.ts";

const asked = (...fields: readonly (readonly [name: string, mandatory: boolean])[]) =>
  requestedFields(new Map(fields)).map(({ name, mandatory }) => `${name} ${mandatory}`);

describe("the fields that an institution asks for", () => {
  it("have our names, each its own", () => {
    const others = customerInfoFields.filter((field) => field !== "IDENTIFIER");
    const names = others.map(protocolName);
    expect(new Set(names).size).toBe(others.length);
    expect(asked(...names.map((name) => [name, false] as const))).toEqual(
      others.map((field) => `${field} false`),
    );
  });

  it("are without what this server fills in by itself", () => {
    expect(asked(["identifier", true], ["compliance", true], ["email", true])).toEqual([
      "EMAIL true",
    ]);
  });

  it("keep a name that is not known here when they are mandatory, and are left out otherwise", () => {
    const unknown = asked(["shoeSize", true], ["hatSize", false], ["__proto__", true]);
    expect(unknown).toEqual(["shoeSize true", "__proto__ true"]);
  });

  it("are mandatory when one of their names is", () => {
    expect(asked(["countryCode", true], ["countryOfResidence", false])).toEqual([
      "COUNTRY_OF_RESIDENCE true",
    ]);
    expect(asked(["countryOfResidence", false], ["countryCode", false])).toEqual([
      "COUNTRY_OF_RESIDENCE false",
    ]);
  });
});
