import { describe, expect, it } from "vitest";
import { type CustomerInfo, missingFields, requestedAnswers } from "./customer-info.ts";

const requested = [
  { name: "FULL_NAME", mandatory: true },
  { name: "NATIONALITY", mandatory: true },
  { name: "EMAIL", mandatory: false },
];

describe("requested customer information", () => {
  it.each<readonly [CustomerInfo, readonly string[]]>([
    [{}, ["FULL_NAME", "NATIONALITY"]],
    [{ FULL_NAME: "Ana Ruiz", NATIONALITY: "US" }, []],
    [{ FULL_NAME: "", NATIONALITY: " \t" }, ["FULL_NAME", "NATIONALITY"]],
    [{ FULL_NAME: "Ana Ruiz", EMAIL: "a@x.test" }, ["NATIONALITY"]],
  ])("and must be answered is missing from %j: %j", (info, missing) => {
    expect(missingFields(requested, info)).toEqual(missing);
  });

  it("is never returned under an unknown name", () => {
    const strange = [{ name: "constructor", mandatory: true }];
    expect(missingFields(strange, {})).toEqual(["constructor"]);
    expect(requestedAnswers(strange, {})).toEqual({});
  });

  it("is taken from the answers, and nothing else of them", () => {
    const given = {
      EMAIL: "a@x.test",
      FULL_NAME: " ",
      NATIONALITY: "US",
      BIRTH_DATE: "1990-01-01",
    };
    expect(requestedAnswers(requested, given)).toEqual({ NATIONALITY: "US", EMAIL: "a@x.test" });
  });
});
